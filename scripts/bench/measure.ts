/** One figure of a benchmark, with the figure that it is compared with. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with. */
  readonly against?: string;
  /** Value divided by the compared value: 2 means twice as much. */
  readonly ratio?: number;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const json = process.argv.includes('--json');

/** Prints a figure: a line of text, or one JSON object per line with `--json`. */
export function tell({ name, value, unit, against, ratio }: Figure): void {
  const rounded = Number(value.toPrecision(4));
  if (json)
    console.log(
      JSON.stringify({
        name,
        value: rounded,
        unit,
        ...(against !== undefined && { against }),
        ...(ratio !== undefined && { ratio: Number(ratio.toPrecision(3)) }),
      }),
    );
  else
    console.log(
      `${name.padEnd(64)} ${String(rounded).padStart(10)} ${unit}${against === undefined ? '' : `   ${ratio?.toFixed(2)} × ${against}`}`,
    );
}

/** One figure of a benchmark, told with what it is measured against in the same run. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the other side is. */
  readonly against?: string;
  /** This side in the other's: 2 is twice as much. */
  readonly ratio?: number;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const json = process.argv.includes('--json');

/** Prints a figure: a line for people, or with `--json` one object a line. */
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

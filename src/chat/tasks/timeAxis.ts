/** A stretch of time, in milliseconds since the epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A piece of the axis: its time, and its place in percent of the width. */
export interface AxisPiece extends Stretch {
  readonly start: number;
  readonly width: number;
  /** No task worked meanwhile: it is drawn shorter than it was. */
  readonly folded: boolean;
}

/** An idle stretch is folded where it is longer than this share of all working time, and than this many milliseconds. */
const longShare = 0.25;
const longMs = 2_000;
/** Width of a folded stretch, in percent, where there are few; all of them together have at most half of the width. */
const foldedWidth = 4;

/**
 * One axis for stretches of work, from the first beginning to the last end: in proportion to time, but for long stretches in which nothing
 * worked. Time is linear but for sorting.
 */
export function axisOf(work: readonly Stretch[]): readonly AxisPiece[] {
  const busy: { from: number; to: number }[] = [];
  for (const { from, to } of work.toSorted((a, b) => a.from - b.from)) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to: Math.max(from, to) });
  }
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const long = Math.max(longMs, worked * longShare);
  const drawn: { from: number; to: number; folded: boolean }[] = [];
  for (const { from, to } of busy) {
    const last = drawn.at(-1);
    if (last !== undefined && from - last.to <= long) last.to = to;
    else {
      if (last !== undefined) drawn.push({ from: last.to, to: from, folded: true });
      drawn.push({ from, to, folded: false });
    }
  }
  const folds = drawn.filter(({ folded }) => folded).length;
  const fold = folds === 0 ? 0 : Math.min(foldedWidth, 50 / folds);
  const shown = drawn.reduce((sum, { from, to, folded }) => sum + (folded ? 0 : to - from), 0);
  let start = 0;
  return drawn.map(({ from, to, folded }) => {
    const width = folded ? fold : ((100 - fold * folds) * (shown === 0 ? 1 : to - from)) / (shown === 0 ? drawn.length - folds : shown);
    const piece = { from, to, folded, start, width };
    start += width;
    return piece;
  });
}

/** Steps between two times of day on the axis, in milliseconds. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400].map(seconds => seconds * 1_000);

/** The moments of a piece that have their time of day written, at least `apart` percent of the width from each other: its beginning, then round ones. */
export function momentsOf({ from, to, width, folded }: AxisPiece, apart: number): readonly number[] {
  if (folded || width < apart) return [];
  const least = (apart * (to - from)) / width;
  const step = steps.find(each => each >= least);
  if (step === undefined) return [from];
  const first = Math.ceil((from + least) / step) * step;
  const count = Math.max(0, Math.floor((to - least - first) / step) + 1);
  return [from, ...Array.from({ length: count }, (_, index) => first + index * step)];
}

/** Position of a moment on the axis, in percent; moments outside are at its ends. */
export function placeOn(axis: readonly AxisPiece[], at: number): number {
  for (const { from, to, start, width } of axis) {
    if (at <= from) return start;
    if (at <= to) return start + (width * (at - from)) / (to - from);
  }
  return 100;
}

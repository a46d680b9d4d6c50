/** Longest name that is compared, in UTF-16 code units: the time grows with the square of the length. */
const maxLength = 100;

/** Most names that are compared: a file may have thousands, and as many mistyped ones. */
const maxNames = 200;

/** So many names of one file are compared with the others: more have no suggestion, or the time would grow with the square of the file. */
export const maxSuggestions = 100;

/**
 * The most similar of the first 200 names, where at most a third of the letters differ; names of one or two letters may differ only in
 * case.
 */
export function closestMatch(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(name.length / 3) + 1;
  let compared = 0;
  for (const candidate of names) {
    if (++compared > maxNames) break;
    if (candidate === name || Math.abs(candidate.length - name.length) >= least || name.length > maxLength || candidate.length > maxLength)
      continue;
    const apart = distance(name.toLowerCase(), candidate.toLowerCase());
    if (apart >= least) continue;
    best = candidate;
    least = apart;
  }
  return best;
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbor (Damerau-Levenshtein). */
function distance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min((current[column - 1] ?? 0) + 1, (last[column] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

/** Longest name that is compared; names are short, and the time grows with the square. */
const longest = 100;

/** Names that are compared: a file may have thousands, and as many mistyped ones. */
const mostNames = 200;

/** The name most like a mistyped one, if one is like it: at most a third of its letters differ, so of one or two letters only their case. Looks at the first 200. */
export function closestMatch(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(name.length / 3) + 1;
  let looked = 0;
  for (const candidate of names) {
    if (++looked > mostNames) break;
    if (candidate === name || Math.abs(candidate.length - name.length) >= least || name.length > longest || candidate.length > longest)
      continue;
    const apart = distance(name.toLowerCase(), candidate.toLowerCase());
    if (apart >= least) continue;
    best = candidate;
    least = apart;
  }
  return best;
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour. */
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

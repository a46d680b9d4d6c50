/** The candidate that is most like a word, where one is like it at all: at most a third of its letters differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(Math.max(word.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    const away = distance(word.toLowerCase().slice(0, longest), candidate.toLowerCase().slice(0, longest));
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
}

const longest = 64;

/** Letters to insert, delete or exchange. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length]!;
}

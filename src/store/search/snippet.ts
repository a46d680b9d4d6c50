/** A piece of text around a match. */
export interface Snippet {
  readonly text: string;
  /** Where the terms are in `text`, in order, as UTF-16 offsets `[from, to)`; none overlap. */
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/** How much text is before the first match, and the length of the whole, in UTF-16 code units. */
const before = 40;
const maxLength = 200;

/** Where all terms occur in the text, or undefined. `folded` is the text's fold, code unit for code unit. */
export function snippetOf(text: string, folded: string, terms: readonly string[]): Snippet | undefined {
  const places = terms.map(term => folded.indexOf(term));
  if (places.some(place => place < 0)) return undefined;
  const first = Math.min(...places);
  const from = wholeCharacter(text, Math.max(0, first - before));
  const to = wholeCharacter(text, Math.min(text.length, from + maxLength));
  const head = from > 0 ? '…' : '';
  return {
    text: `${head}${text.slice(from, to).replaceAll(/\s/g, ' ')}${to < text.length ? '…' : ''}`,
    matches: matchesIn(folded.slice(from, to), terms).map(([start, end]) => [start + head.length, end + head.length]),
  };
}

function matchesIn(folded: string, terms: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (const term of terms) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) found.push([at, at + term.length]);
  }
  found.sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Not in the middle of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at);

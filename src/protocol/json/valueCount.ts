/** Most values that are read in one message: each takes time to read, store and show, which blocks everything else. */
export const maxValues = 200_000;

/** True where a message has more than 200,000 JSON values, and is not read. */
export const holdsMany = (text: string): boolean => holdsMoreValues(text, maxValues);

/** True where a text has more than `most` JSON values: it is counted as far as that, and none of them is made. */
export function holdsMoreValues(text: string, most: number): boolean {
  // Each value takes a character at least.
  if (text.length <= most) return false;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        if (++values > most) return true;
    }
  }
  return false;
}

/** Index of the closing quote; the end of the text where there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';

/** Maximum of a text shown at once: characters, also of spelled out ones, and lines. A browser lays out a line like an element. */
const maxLength = 100_000;
const maxLines = 2_000;

/** The part of a plain text or of code that is shown: its beginning, or its newest part while it grows. `cut` where there is more. */
export function shownPart(text: string, finished: boolean): { readonly text: string; readonly cut: boolean } {
  const spelledOut = withDirectionMarksSpelledOut(atEnd(text, finished));
  const shown = atEnd(spelledOut, finished);
  return { text: shown, cut: text.length > maxLength || shown.length < spelledOut.length };
}

function atEnd(text: string, finished: boolean): string {
  if (finished) {
    let end = -1;
    for (let line = 0; line < maxLines; line++) {
      end = text.indexOf('\n', end + 1);
      if (end === -1 || end >= maxLength) return text.slice(0, maxLength);
    }
    return text.slice(0, end + 1);
  }
  let start = text.length;
  for (let line = 0; line <= maxLines; line++) {
    if (start === 0) return text.slice(-maxLength);
    start = text.lastIndexOf('\n', start - 1);
    if (start === -1 || text.length - start > maxLength) return text.slice(-maxLength);
  }
  return text.slice(start + 1);
}

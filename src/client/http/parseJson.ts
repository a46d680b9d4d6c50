import { Problem, sentence } from '../../protocol/problem.ts';

/** Most values that are read in one message: each takes time to read, store and show, which blocks everything else. */
const maxValues = 200_000;

export const askForLess = sentence('Ask the agent for less at once, or for large content as a file.');

/** A text of at most this many characters cannot contain more values than that. */
const surelyFew = maxValues;

/**
 * Like `JSON.parse`, but undefined for invalid JSON.
 * @throws Problem `too-large` for more than 200,000 values
 */
export function parseJson(text: string): unknown {
  requireFewValues(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws Problem `too-large` for a text with more than 200,000 JSON values */
export function requireFewValues(text: string): void {
  if (text.length > surelyFew && holdsMany(text)) throw tooManyValues();
}

function tooManyValues(): Problem {
  return new Problem('too-large', sentence('A message holds more than {0} values, the most that is read.', maxValues), {
    nextStep: askForLess,
  });
}

/** True where a text has more than `maxValues` JSON values; stops at the limit. */
function holdsMany(text: string): boolean {
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        if (++values > maxValues) return true;
    }
  }
  return false;
}

/** Index of the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

import { mask } from './secretValues.ts';

/**
 * Lengths in characters. From `manyWords` on, the beginning of a secret value at the end of a text always counts as one; from `few` on,
 * unless it is an escape or could be ordinary words.
 */
const [few, manyWords] = [6, 12];
const escape = /^[&%\\]#?\w*$/;
const word = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}*)$/u;

/** True where the end of a cut text is the beginning of a secret value, rather than a text that begins like one by chance. */
export const isCutSecret = (end: string): boolean =>
  end.length >= manyWords || (end.length >= few && !escape.test(end) && !end.split(/[\s_-]+/).every(each => word.test(each)));

/** A cut text in which the beginning of a secret value at the end is masked. */
export function maskCutSecret(text: string, secrets: { pendingIn(text: string): number }): string {
  const rest = text.length - secrets.pendingIn(text);
  return isCutSecret(text.slice(rest)) ? text.slice(0, rest) + mask : text;
}

import { mask } from './secretValues.ts';

/** Characters from which on what a text ends with is the beginning of a secret value, and what may be words of a language. */
const [few, manyWords] = [6, 12];
const escape = /^[&%\\]#?\w*$/;
const word = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}*)$/u;

/** Whether the end of a text whose rest never comes is a secret value that was cut, and does not only begin like one. */
export const isCutSecret = (end: string): boolean =>
  end.length >= manyWords || (end.length >= few && !escape.test(end) && !end.split(/[\s_-]+/).every(each => word.test(each)));

/** A text that was cut, with the mask for a secret value that it ends in the middle of. */
export function withoutCutSecret(text: string, secrets: { pendingIn(text: string): number }): string {
  const rest = text.length - secrets.pendingIn(text);
  return isCutSecret(text.slice(rest)) ? text.slice(0, rest) + mask : text;
}

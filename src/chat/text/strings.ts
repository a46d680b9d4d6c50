import { filled, listOf, type LocalizedMessage } from '../../protocol/problem.ts';

let translations: Readonly<Record<string, string>> = {};

/** Sets the translations, by English string; missing ones stay English. */
export function setStrings(strings: Readonly<Record<string, string>>): void {
  translations = strings;
}

/** A string of the panel in the display language. The English text is the key and must be a literal. */
export function t(english: string, ...args: readonly (string | number)[]): string {
  return filled(translations[english] ?? english, args, localized);
}

/** A sentence of an entry, translated where the host has its template. */
export function localized({ template, args }: LocalizedMessage): string {
  return filled(translations[template] ?? template, args, localized);
}

/** A list in the display language: `a, b, c`. */
export const localizedList = (items: LocalizedMessage['args']): string => localized(listOf(items));

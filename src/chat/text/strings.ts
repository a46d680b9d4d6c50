import type { LocalizedMessage } from '../../protocol/problem.ts';

let translations: Readonly<Record<string, string>> = {};

/** Sets the translations, by English string; missing ones stay English. */
export function setStrings(strings: Readonly<Record<string, string>>): void {
  translations = strings;
}

/** A string of the panel in the display language. The English text is the key and must be a literal. */
export function t(english: string, ...args: readonly (string | number)[]): string {
  return fill(translations[english] ?? english, args);
}

/** A sentence of an entry, translated where the host has its template. */
export function localized({ template, args }: LocalizedMessage): string {
  return fill(
    translations[template] ?? template,
    args.map(arg => (typeof arg === 'object' ? localized(arg) : arg)),
  );
}

function fill(template: string, args: readonly (string | number)[]): string {
  return template.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));
}

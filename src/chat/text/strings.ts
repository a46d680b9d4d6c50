import type { LocalizedMessage } from '../../protocol/problem.ts';

let translations: Readonly<Record<string, string>> = {};

/** Takes the host's translations, English to the language of the workbench; what is missing stays English. */
export function setStrings(strings: Readonly<Record<string, string>>): void {
  translations = strings;
}

/** A string of the panel in the language of the workbench. The English text is the key and is always a literal here. */
export function t(english: string, ...args: readonly (string | number)[]): string {
  return fill(translations[english] ?? english, args);
}

/** A sentence that came with an entry, translated where the host has a translation of its template. */
export function tell({ template, args }: LocalizedMessage): string {
  return fill(
    translations[template] ?? template,
    args.map(arg => (typeof arg === 'object' ? tell(arg) : arg)),
  );
}

function fill(template: string, args: readonly (string | number)[]): string {
  return template.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));
}

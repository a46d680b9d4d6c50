import { importedMeaning, requestNamed } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import type { TextRange } from '../text/textRange.ts';
import { occurrenceAt, occurrencesOf } from './occurrences.ts';
import type { LanguageContext } from './languageContext.ts';

/** A position; without `path`, in the file itself. */
interface Target {
  readonly path?: string;
  readonly range: TextRange;
}

/** Where the variable or request at the offset is defined: in the file, else in an environment file. */
export function definitions(file: RequestFile, offset: number, world: LanguageContext): readonly Target[] {
  const at = occurrenceAt(file, offset);
  if (at === undefined) return [];
  const own = occurrencesOf(file, at)
    .filter(({ declares }) => declares)
    .map(({ range }): Target => ({ range }));
  const home =
    importedMeaning(file, at.name)?.home ?? (requestNamed(file, at.name) === undefined ? undefined : file.imported.get(at.name)?.home);
  if (own.length === 0 && home !== undefined)
    return occurrencesOf(home.file, { name: at.name, of: at.of })
      .filter(({ declares }) => declares)
      .map(({ range }) => ({ path: home.path, range }));
  const outside = at.of === 'request' ? undefined : world.values.get(at.name)?.at;
  return outside === undefined ? own : [outside, ...own];
}

/** All references to the variable or request at the offset; its definition only with `declarations`. */
export function references(
  file: RequestFile,
  offset: number,
  { declarations = true }: { readonly declarations?: boolean } = {},
): readonly TextRange[] {
  const at = occurrenceAt(file, offset);
  return at === undefined
    ? []
    : occurrencesOf(file, at)
        .filter(({ declares }) => declarations || !declares)
        .map(({ range }) => range);
}

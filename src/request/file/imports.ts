import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { FunctionHost } from '../template/functions.ts';
import type { Variable } from '../template/templateUse.ts';
import { memberOf, rangeOf, type JsonNode } from '../text/jsonNode.ts';
import type { Located } from '../text/textRange.ts';
import type { Capture } from './captures.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestFile } from './requestFile.ts';

/** A file whose variables and requests another one uses. */
export interface ImportedFile {
  /** For people. */
  readonly shown: string;
  /** The whole path of the file. */
  readonly path: string;
  readonly file: RequestFile;
  /** Where the paths in the file begin: gives the functions of its templates, made of those of the file that imports it. */
  readonly hostIn: (host: FunctionHost) => FunctionHost;
}

/** An imported file, or why it could not be read. */
export type ReadImport = ImportedFile | { readonly why: LocalizedMessage };

/** Files that were read, by their paths as they are written. */
export type ReadImports = ReadonlyMap<string, ReadImport>;

/** One path under `import`. Its value is as written. */
export interface ImportUse extends Located<string> {
  /** Undefined until it is read. */
  readonly read?: ReadImport;
}

/** The meaning of an imported name: a variable, a value that a request captures, or a request. */
export interface ImportedName {
  readonly home: ImportedFile;
  readonly variable?: Variable;
  readonly capture?: Capture;
  readonly request?: RequestEntry;
}

/** The paths that a file imports, in text order. */
export function importsIn(roots: readonly (JsonNode | undefined)[], read: ReadImports): readonly ImportUse[] {
  const nodes = roots.flatMap(root => {
    const node = memberOf(root, 'import')?.value;
    return node?.type === 'array' ? (node.children ?? []) : (node ?? []);
  });
  return nodes.flatMap(node => {
    const path: unknown = node.value;
    return typeof path === 'string' && path !== '' ? [{ value: path, range: rangeOf(node), read: read.get(path) }] : [];
  });
}

export const importedFiles = (imports: readonly ImportUse[]): readonly ImportedFile[] => [
  ...new Set(imports.flatMap(({ read }) => (read !== undefined && 'file' in read ? [read] : []))),
];

/** The names of imported files: of the same name in several the first, in one file as in templates. What they import themselves is not among them. */
export function importedNames(imports: readonly ImportUse[]): ReadonlyMap<string, ImportedName> {
  const names = new Map<string, ImportedName>();
  const add = (name: string, meant: ImportedName): void => {
    if (!names.has(name)) names.set(name, meant);
  };
  for (const home of importedFiles(imports)) {
    for (const [name, variable] of home.file.variables) add(name, { home, variable });
    for (const [name, capture] of home.file.captures) add(name, { home, capture });
    for (const [name, request] of home.file.byName) add(name, { home, request });
  }
  return names;
}

type Names = Pick<RequestFile, 'byName' | 'imported'>;

/** The request that `after` means by a name, or by a name and the position of one of its rows: of the file, else an imported one. */
export const requestNamed = (names: Names, name: string): RequestEntry | undefined =>
  called(names, name) ?? called(names, name.replace(rowInName, ''));

/** The position of the row that `after` means, as in `row[1]`, from 0 or, below 0, from the end; undefined where it names a request alone. */
export const rowNamed = (names: Names, name: string): number | undefined => {
  const [, row] = rowInName.exec(name) ?? [];
  return row === undefined || called(names, name) !== undefined ? undefined : Number(row);
};

const rowInName = /\[(-?\d{1,9})\]$/;
const called = ({ byName, imported }: Names, name: string): RequestEntry | undefined => byName.get(name) ?? imported.get(name)?.request;

/** The imported meaning of a name in a template. Undefined where the file itself or an environment defines it, or no import does. */
export const importedMeaning = (
  { variables, captures, byName, imported, known }: Names & Pick<RequestFile, 'variables' | 'captures' | 'known'>,
  name: string,
): ImportedName | undefined =>
  known.has(name) || variables.has(name) || captures.has(name) || byName.has(name) ? undefined : imported.get(name);

/** Requests and all that are sent before them, also of imported files; circles end. */
export function withNeeded(entries: readonly RequestEntry[], { needs }: Pick<RequestFile, 'needs'>): readonly RequestEntry[] {
  const found = new Set(entries);
  for (const one of found) for (const need of needs.get(one) ?? []) found.add(need.entry);
  return [...found];
}

/** The files that a file imports, also through others, each once. */
export function allImported({ imports }: Pick<RequestFile, 'imports'>): readonly ImportedFile[] {
  const found = new Set(importedFiles(imports));
  for (const { file } of found) for (const farther of importedFiles(file.imports)) found.add(farther);
  return [...found];
}

/** The imported file that a request is of, also through other imports; undefined for a request of the file itself. */
export const homeOf = (entry: RequestEntry, file: Pick<RequestFile, 'imports'>): ImportedFile | undefined =>
  allImported(file).find(home => home.file.requests[entry.index] === entry);

import { dirname, resolve } from 'node:path';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { SharedSettings } from '../file/folderDefaults.ts';
import type { ImportedFile, ReadImport, ReadImports } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import type { FunctionHost } from '../template/functions.ts';
import { readRequestFile, type ReadOptions } from './readRequestFile.ts';

/** Most files that one file uses, also through others, and how far they may lead on. */
const most = { files: 50, depth: 8 };

export interface ImportSources {
  /** Text of the file at a whole path, from inside of where files are read. Rejects with a `Problem`. */
  text(path: string): Promise<string>;
  /** Settings for the files of a folder. Rejects with a `Problem`. */
  defaults(folder: string): Promise<SharedSettings>;
  /** A path for people. */
  shown(path: string): string;
}

export const isMarkdownPath = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/**
 * Reads the files that a file imports, and those that they do. The result of an unreadable file is why; never rejects with a `Problem`.
 * @param path of the file itself, for what leads back to it; undefined where it has none
 */
export async function readImports(
  file: Pick<RequestFile, 'imports' | 'known'>,
  {
    path,
    folder,
    sources,
    bounded = false,
  }: { readonly path?: string | undefined; readonly folder: string; readonly sources: ImportSources } & Pick<ReadOptions, 'bounded'>,
): Promise<ReadImports> {
  const reading: Reading = { sources, bounded, names: file.known, read: new Map() };
  return importsOf(file, folder, path === undefined ? [] : [path], reading);
}

interface Reading {
  readonly sources: ImportSources;
  readonly bounded: boolean;
  readonly names: ReadonlySet<string>;
  /** By whole path: a file that several files import is the same one for all. */
  readonly read: Map<string, ReadImport>;
}

/** @param chain whole paths from the first file to this one. */
async function importsOf(
  { imports }: Pick<RequestFile, 'imports'>,
  folder: string,
  chain: readonly string[],
  reading: Reading,
): Promise<ReadImports> {
  const found = new Map<string, ReadImport>();
  // One after the other, so that it does not depend on time which one is over a bound.
  for (const { value } of imports) found.set(value, await importOf(resolve(folder, value), chain, reading));
  return found;
}

async function importOf(path: string, chain: readonly string[], reading: Reading): Promise<ReadImport> {
  const { sources, read, names } = reading;
  if (chain.includes(path)) {
    const circle = [...chain.slice(chain.indexOf(path)), path].map(one => sources.shown(one)).join(' → ');
    return { why: sentence('These files import each other in a circle: {0}.', circle) };
  }
  const known = read.get(path);
  if (known !== undefined) return known;
  if (chain.length > most.depth) return { why: sentence('The imports form a chain of more than {0} files.', most.depth) };
  if (read.size >= most.files) return { why: sentence('More than {0} files are imported.', most.files) };
  const made = await readFile(path, [...chain, path], reading, names).catch((error: unknown): ReadImport => ({ why: reasonOf(error) }));
  read.set(path, made);
  return made;
}

async function readFile(path: string, chain: readonly string[], reading: Reading, names: ReadonlySet<string>): Promise<ImportedFile> {
  const { sources, bounded } = reading;
  const folder = dirname(path);
  const text = await sources.text(path);
  const options = { names, bounded, markdown: isMarkdownPath(path), defaults: await sources.defaults(folder), importedAs: path };
  const alone = readRequestFile(text, options);
  const file =
    alone.imports.length === 0 ? alone : readRequestFile(text, { ...options, imports: await importsOf(alone, folder, chain, reading) });
  return { path, shown: sources.shown(path), file, hostIn: host => hostIn(host, folder) };
}

/** Paths in templates begin in the folder of the file that they stand in. */
const hostIn = (host: FunctionHost, folder: string): FunctionHost =>
  host.sources === undefined ? host : { ...host, sources: { ...host.sources, file: path => host.sources!.file(resolve(folder, path)) } };

/** A `Problem` as one sentence. */
function reasonOf(error: unknown): LocalizedMessage {
  if (error instanceof Problem) return error.sentence;
  throw error;
}

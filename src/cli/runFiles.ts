import { globSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { english } from '../protocol/problem.ts';
import { readEnvironments } from '../request/environments.ts';
import { findEnvironments } from '../request/findEnvironments.ts';
import { systemHost, type FunctionHost } from '../request/functions.ts';
import { readRequestFile, type RequestFile } from '../request/requestFile.ts';
import { systemReach } from '../request/systemReach.ts';
import { positionAt } from '../request/textPosition.ts';
import { literals, merged, type Values } from '../request/value.ts';
import { FileError, UsageError } from './usage.ts';

/** A request file that is to be run, with all it draws on. */
export interface RunFile {
  /** As people know it: from the current folder, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly file: RequestFile;
  readonly host: FunctionHost;
  readonly values: Values;
}

export interface RunFileOptions {
  readonly environment?: string;
  /** `name=text`, or `name:=JSON`. */
  readonly variables: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The request files that arguments name: files, folders with all below them, and globs; sorted, each once. @throws UsageError */
export function findRunFiles(patterns: readonly string[], cwd: string): readonly string[] {
  const found = patterns.flatMap(pattern => {
    const path = resolve(cwd, pattern);
    const stat = statSync(path, { throwIfNoEntry: false });
    const files = stat?.isFile() === true ? [path]
      : globSync(stat?.isDirectory() === true ? '**/*.a2a' : pattern, {
        cwd: stat?.isDirectory() === true ? path : cwd, exclude: name => /(^|[\\/])(node_modules|\.git)$/.test(name),
      }).map(file => resolve(stat?.isDirectory() === true ? path : cwd, file)).filter(file => statSync(file).isFile());
    if (files.length === 0) throw new UsageError(`There is no request file at ${pattern}.`);
    return files;
  });
  return [...new Set(found)].sort();
}

/**
 * Reads a request file with its environments. What is wrong with it stops the command before anything is sent.
 * @throws UsageError, FileError
 */
export async function readRunFile(path: string, { environment, variables, env, cwd }: RunFileOptions): Promise<RunFile> {
  const folder = dirname(path);
  const shown = relative(cwd, path).replaceAll('\\', '/');
  // A file elsewhere has only its own folder to draw on.
  const outside = shown.startsWith('..') || isAbsolute(shown);
  const root = outside ? folder : cwd;
  const environments = readEnvironments(await findEnvironments({ folder, root }));
  const [broken] = environments.problems;
  if (broken !== undefined) throw new FileError(`${broken.path}: ${english(broken.sentence)}`);
  const known = environments.names.join(', ') || 'none';
  if (environment !== undefined && !environments.names.includes(environment)) throw new UsageError(`${shown} has no environment ${environment}. There are: ${known}.`);
  const values = merged(environments.values(environment), literals('option', Object.fromEntries(variables.map(readVariable))));
  const file = readRequestFile(await readFile(path, 'utf8'), { names: new Set(values.keys()) });
  const wrong = [...file.syntaxErrors, ...file.problems.filter(({ severity }) => severity === 'error')];
  if (wrong.length > 0) {
    throw new FileError(wrong.map(({ range, sentence }) => {
      const { line, column } = positionAt(file.text, range.offset);
      return `${shown}:${line}:${column}: ${english(sentence)}`;
    }).join('\n'));
  }
  return { path: shown, folder, file, values, host: { ...systemHost, reach: systemReach({ root, folder, env }) } };
}

function readVariable(written: string): readonly [string, unknown] {
  const [, name, typed, value] = /^([^=:]+)(:?)=(.*)$/s.exec(written) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--var wants name=text or name:=JSON, not ${JSON.stringify(written.slice(0, 40))}.`);
  if (typed === '') return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch (cause) {
    throw new UsageError(`--var ${name}:= wants JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Settings files from the folders of request files up to the current folder, nearest first. */
export function settingsPaths(folders: Iterable<string>, cwd: string): readonly string[] {
  const paths = new Set<string>();
  for (const folder of folders) {
    for (let at = folder; ; at = dirname(at)) {
      paths.add(join(at, '.vscode', 'settings.json'));
      if (at === cwd || dirname(at) === at || !at.startsWith(cwd)) break;
    }
  }
  return [...paths];
}

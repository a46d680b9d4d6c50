import { parseExactly } from '../../protocol/json/exactJson.ts';
// As a named import `globSync` would end the program where Node.js is too old, before that can be said.
import * as fs from 'node:fs';
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { SnapshotFile } from '../../model/snapshotFile.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { requireShallowJson } from '../../protocol/json/nesting.ts';
import { environmentProblems } from '../../request/check/environmentProblems.ts';
import { readEnvironments } from '../../request/environment/environments.ts';
import { findEnvironments } from '../../request/environment/findEnvironments.ts';
import { systemHost, type FunctionHost } from '../../request/template/functions.ts';
import { SandboxedFiles, readNamedText } from '../../request/values/sandboxedFiles.ts';
import { defaultsProblems, findDefaults, readDefaults } from '../../request/check/folderDefaults.ts';
import { requireBounded } from '../../request/values/wholeFile.ts';
import { utf8Text } from '../../request/text/utf8Text.ts';
import { positionsIn, type TextPosition } from '../../request/text/textPosition.ts';
import { isMarkdownPath as isMarkdown, readImports, type ImportSources } from '../../request/check/readImports.ts';
import { readRequestFile } from '../../request/check/readRequestFile.ts';
import { hasRequestFence } from '../../request/text/markdownFences.ts';
import { environmentHeaders, withEnvironment } from '../../request/file/environmentHeaders.ts';
import type { FolderDefaults } from '../../request/file/folderDefaults.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import { systemValueSources } from '../../request/template/systemValueSources.ts';
import { readTemplate, type Expression, type Reference } from '../../request/template/template.ts';
import type { RequestProblem } from '../../request/text/requestProblem.ts';
import { literals, merged, type Value, type Values } from '../../request/text/value.ts';
import { isPartlyRead } from '../../request/check/importChecks.ts';
import { rowNames } from '../../request/file/writtenRows.ts';
import { fileProblem, type FileProblem } from './fileProblems.ts';
import type { AskUser } from '../terminal/ask.ts';
import type { Host } from '../terminal/output.ts';
import type { SettingsFile } from '../terminal/settingsAgents.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import { FileError, UsageError } from '../terminal/usage.ts';

/** A request file to run, with its environments and variables. */
export interface RunFile {
  /** Relative to the current folder, with slashes; shown to people. */
  readonly path: string;
  readonly folder: string;
  readonly file: RequestFile;
  /** The position of an offset in its text. */
  readonly positionAt: (offset: number) => TextPosition;
  readonly host: FunctionHost;
  readonly values: Values;
  /** Its environment is marked as production. */
  readonly production: boolean;
  /** Environments that have a variable, where none was chosen. */
  readonly offeredBy: (name: string) => readonly string[];
  /** Problems of its environment and defaults files. */
  readonly problems: readonly FileProblem[];
  /** Absent for standard input, and where none are wanted. */
  readonly snapshots?: SnapshotFile;
}

interface RunFileOptions {
  readonly environment?: string;
  /** `name=text` or `name:=JSON`. */
  readonly variables: readonly string[];
  readonly host: Pick<Host, 'stdin' | 'env' | 'cwd'>;
  /** The command line names an agent for requests that name none. */
  readonly agentGiven?: boolean;
  /** Asks the user; undefined where there is no terminal. */
  readonly ask?: AskUser | undefined;
  /** Called before a file is read or looked for, with its whole path. */
  readonly onRead?: ((path: string) => void) | undefined;
  readonly snapshots?: Omit<SnapshotFile['options'], 'root'>;
}

/** The argument that stands for standard input. */
export const standardInput = '-';

/** A request file that an argument matched. */
export interface FoundFile {
  readonly path: string;
  /** The argument is this path itself: a symbolic link is then followed even out of the folder. */
  readonly named: boolean;
}

/** Largest Markdown document of a folder that is looked into, in bytes: one that is larger is named to be run. */
const maxMarkdownBytes = 4 * 1024 * 1024;

const mayHaveRequests = (file: string): boolean => statSync(file).size <= maxMarkdownBytes && hasRequestFence(readFileSync(file, 'utf8'));

/** The request files that arguments match: files, folders (recursively) and globs; sorted, without duplicates. @throws UsageError */
export function findRunFiles(patterns: readonly string[], cwd: string): readonly FoundFile[] {
  const named = new Set<string>();
  const found = patterns.flatMap(pattern => {
    if (pattern === standardInput) return [standardInput];
    const path = resolve(cwd, pattern);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true) named.add(path);
    const files =
      stat?.isFile() === true
        ? [path]
        : fs
            .globSync(stat?.isDirectory() === true ? '**/*.{[aA]2[aA],[mM][dD]}' : pattern, {
              cwd: stat?.isDirectory() === true ? path : cwd,
              exclude: name => /(^|[\\/])(node_modules|\.git|__snapshots__)$/.test(name),
            })
            .map(file => resolve(stat?.isDirectory() === true ? path : cwd, file))
            .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
            .filter(file => stat?.isDirectory() !== true || !isMarkdown(file) || mayHaveRequests(file));
    if (files.length === 0)
      throw new UsageError(
        stat?.isDirectory() === true
          ? `The folder ${pattern} has no request files (.a2a), and no Markdown with a fence \`\`\`a2a.`
          : `No request file at ${pattern}.`,
      );
    return files;
  });
  return [...new Set(found)].sort().map(path => ({ path, named: named.has(path) }));
}

/**
 * Reads a request file with its environments. Environments with problems are read as well.
 * @throws UsageError, FileError
 */
export async function readRunFile(
  { path, named }: FoundFile,
  { environment, variables, host, ask, agentGiven = false, onRead, snapshots }: RunFileOptions,
): Promise<RunFile> {
  const { env, stdin } = host;
  const cwd = host.cwd();
  const isInput = path === standardInput;
  const folder = isInput ? cwd : dirname(path);
  const shown = isInput ? '<stdin>' : shownFrom(cwd, path);
  // A file outside the current folder may use files of its own folder only.
  const root = isOutside(cwd, path) ? folder : cwd;
  if (!isInput) onRead?.(path);
  const environmentFiles = await findEnvironments({ folder, root, onRead }).catch(notRead);
  const environments = readEnvironments(environmentFiles);
  // Which names a value may use is known only where a request file uses it.
  const problems = environmentFiles.flatMap(one =>
    environmentProblems(one.text, () => undefined).flatMap(problem => fileProblem(shownFrom(cwd, one.path), one.text, problem)),
  );
  const known = environments.names.join(', ') || 'none';
  if (environment !== undefined && environments.problems.length === 0 && !environments.names.includes(environment)) {
    const like = closestMatch(environment, environments.names);
    throw new UsageError(
      `${shown} has no environment ${environment}. ${like === undefined ? '' : `Did you mean ${like}? `}There are: ${known}.`,
    );
  }
  const values = merged(environments.values(environment), literals('option', Object.fromEntries(variables.map(readVariable))));
  const text = await (isInput
    ? readStandardInput(stdin)
    : named
      ? readNamedText(path)
      : new SandboxedFiles({ root, folder }).text(path)
  ).catch(notRead);
  // The command line is nearer than a folder.
  const headers = environmentHeaders(environments, environment, one => shownFrom(cwd, one));
  const defaultsOf = async (of: string): Promise<FolderDefaults> => {
    const found = (await findDefaults({ folder: of, root, onRead })).map(one => ({ ...one, path: shownFrom(cwd, one.path) }));
    for (const one of found) problems.push(...defaultsProblems(one.text).flatMap(problem => fileProblem(one.path, one.text, problem)));
    const read = readDefaults(found);
    return withEnvironment(agentGiven ? withoutAgent(read) : read, headers);
  };
  const defaults = await defaultsOf(folder).catch(notRead);
  const reading = { names: new Set(values.keys()), markdown: isMarkdown(path), defaults };
  const alone = readRequestFile(text, reading);
  const sources: ImportSources = {
    shown: one => shownFrom(cwd, one),
    text: one => {
      onRead?.(one);
      return new SandboxedFiles({ root, folder: cwd }).text(shownFrom(cwd, one));
    },
    defaults: defaultsOf,
  };
  const imports = alone.imports.length === 0 ? undefined : await readImports(alone, { path: isInput ? undefined : path, folder, sources });
  const file = imports === undefined ? alone : readRequestFile(text, { ...reading, imports });
  for (const { name, at } of unknownInValues(file, values)) {
    const text = environmentFiles.find(one => one.path === at.path)?.text ?? '';
    const unknown: RequestProblem = {
      code: 'unknown-name',
      severity: 'error',
      range: at.range,
      sentence: sentence('Unknown variable or request "{0}".', name),
    };
    problems.push(...fileProblem(shownFrom(cwd, at.path), text, unknown));
  }
  const production = environment !== undefined && environments.production.has(environment);
  return {
    path: shown,
    folder,
    file,
    positionAt: positionsIn(text),
    values,
    offeredBy: name => (environment === undefined ? environments.names.filter(one => environments.values(one).has(name)) : []),
    problems,
    production,
    ...(!isInput && snapshots !== undefined && { snapshots: new SnapshotFile(path, { ...snapshots, root }) }),
    host: { ...systemHost, sources: systemValueSources({ root, folder, env, ask, onRead }) },
  };
}

/** Names that nothing has, in values of environments that the file uses, also through one another. */
function unknownInValues(file: RequestFile, values: Values): readonly { readonly name: string; readonly at: NonNullable<Value['at']> }[] {
  const rows = file.requests.map(rowNames).filter(names => names !== undefined);
  const others = [values, file.variables, file.byName, file.captures, file.imported, ...rows.filter(names => names !== 'any')];
  // Columns of a data file are known only when it is read.
  if (rows.includes('any') || isPartlyRead(file)) return [];
  const isUsed = (expression: Expression): expression is Reference => expression.kind === 'reference';
  const holders = [{ templates: file.sharedTemplates }, ...file.variables.values(), ...file.requests];
  const uses = holders.flatMap(({ templates }) =>
    templates.filter(({ optional }) => optional !== true).map(({ expression }) => expression),
  );
  const names = new Set(uses.filter(isUsed).map(({ name }) => name));
  const found: { readonly name: string; readonly at: NonNullable<Value['at']> }[] = [];
  // Grows while it is walked.
  for (const name of names) {
    const { value, literal, at } = values.get(name) ?? {};
    if (literal !== false || at === undefined) continue;
    for (const used of textsIn(value).flatMap(text => readTemplate(text).flatMap(one => (one.kind === 'text' ? [] : one.expression))))
      if (isUsed(used) && !others.some(each => each.has(used.name))) found.push({ name: used.name, at });
      else if (isUsed(used)) names.add(used.name);
  }
  return found;
}

/** The texts in a value, which is nested no deeper than what is read. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

const withoutAgent = (defaults: FolderDefaults): FolderDefaults => ({ ...defaults, agent: undefined, agentTemplates: [] });

/** Rejects with a `Problem` `file-too-large`, `not-utf8`. */
export async function readStandardInput(stdin: Host['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    requireBounded((size += chunk.length), 'of standard input');
    chunks.push(chunk);
  }
  return utf8Text('<stdin>', Buffer.concat(chunks));
}

/** A problem of a file as an error of the command line. */
export function notRead(error: unknown): never {
  throw error instanceof Problem
    ? new FileError([error.message, error.nextStep && inTerminal(error.nextStep)].filter(Boolean).join(' '), { cause: error })
    : error;
}

const shownFrom = (cwd: string, path: string): string => relative(cwd, path).replaceAll('\\', '/');

export function isOutside(cwd: string, path: string): boolean {
  const shown = shownFrom(cwd, path);
  return shown === '..' || shown.startsWith('../') || isAbsolute(shown);
}

/** The name that an option `name=text` or `name:=JSON` sets. */
export const variableName = (written: string): string => /^[^=:]*/.exec(written)?.[0] ?? '';

function readVariable(written: string): readonly [string, unknown] {
  const [, name, typed, value] = /^([^=:]+)(:?)=(.*)$/s.exec(written) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--var must be name=text or name:=JSON, not ${JSON.stringify(written.slice(0, 40))}.`);
  if (typed === '') return [name, value];
  try {
    const given: unknown = parseExactly(value);
    requireShallowJson(given);
    return [name, given];
  } catch (cause) {
    throw new UsageError(`--var ${name}:= must be JSON: ${(cause as Error).message}`, { cause });
  }
}

/** The settings files from the folders of the request files up to the current folder, nearest first. @throws FileError */
export async function settingsFiles(
  folders: Iterable<string>,
  cwd: string,
  onRead?: (path: string) => void,
): Promise<readonly SettingsFile[]> {
  const roots = new Map<string, string>();
  for (const folder of folders) {
    const root = isOutside(cwd, folder) ? folder : cwd;
    for (let at = folder; ; at = dirname(at)) {
      const path = join(at, '.vscode', 'settings.json');
      if (!roots.has(path)) roots.set(path, root);
      if (at === cwd || dirname(at) === at || !at.startsWith(cwd)) break;
    }
  }
  const files = await Promise.all(
    [...roots].map(async ([path, root]) => {
      onRead?.(path);
      return { path, text: await new SandboxedFiles({ root, folder: root }).textIfThere(path).catch(notRead) };
    }),
  );
  return files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path: shownFrom(cwd, path), text }]));
}

import { dirname, resolve } from 'node:path';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import { allImported } from '../../request/file/imports.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import { readFileArgument } from '../../request/template/fileValue.ts';
import { templatesIn, type TemplateUse } from '../../request/template/templateUse.ts';
import { exactTree } from '../../request/text/exactTree.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tlsOptions } from '../terminal/tlsOptions.ts';
import type { RunFile } from './runFiles.ts';

/** The whole paths of the files that a request file, what it imports and its variables name in `{{$file PATH}}`. */
export function dataFilesOf({ file, folder, values }: Pick<RunFile, 'file' | 'folder' | 'values'>): readonly string[] {
  const given = JSON.stringify([...values.values()].flatMap(({ value, literal }) => (literal ? [] : [value])));
  const root = exactTree(given);
  return [...pathsIn(root === undefined ? [] : templatesIn(given, root), folder), ...namedIn(file, folder)];
}

const namedIn = (whole: RequestFile, start: string): readonly string[] =>
  [{ file: whole, folder: start }, ...allImported(whole).map(({ file, path }) => ({ file, folder: dirname(path) }))].flatMap(
    ({ file: { text, sections, requests }, folder }) => [
      ...sections.flatMap(({ root }) => (root === undefined ? [] : pathsIn(templatesIn(text, root), folder))),
      ...requests.flatMap(({ inherited }) => pathsIn(inherited, folder)),
    ],
  );

const pathsIn = (uses: readonly TemplateUse[], folder: string): readonly string[] =>
  uses.flatMap(({ expression }) =>
    expression.kind === 'function' && expression.name === 'file' ? resolve(folder, readFileArgument(expression.argument).path) : [],
  );

/** The paths of the files that secure connections: those of the options, and those of agents in the settings. */
export const tlsFilesOf = (
  terminal: Pick<Terminal, 'host' | 'values'>,
  agents: readonly Pick<AgentSettings, 'tls' | 'base'>[],
): readonly string[] =>
  [{ tls: tlsOptions(terminal) }, ...agents].flatMap(({ tls, base = '' }: Pick<AgentSettings, 'tls' | 'base'>) =>
    [tls?.certificate, tls?.key, tls?.pfx, tls?.ca].flatMap(path => (path === undefined ? [] : resolve(base, path))),
  );

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { english, inTerminal, Problem } from '../../protocol/problem.ts';
import { readJsonc } from '../../request/text/jsonc.ts';
import { memberOf, type JsonNode } from '../../request/text/jsonNode.ts';
import { jsoncTree } from '../../request/text/syntaxErrors.ts';
import { headerPieces } from '../../request/template/headerTemplate.ts';
import { positionAt } from '../../request/text/textPosition.ts';
import { valueMistakes } from '../../request/text/valueMistake.ts';
import { CheckPrompts } from '../../request/file/checkPrompts.ts';
import { windowAgentsVariable } from '../../model/agents/windowAgents.ts';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import type { Terminal } from './terminal.ts';
import { oneLine } from './output.ts';
import { FileError } from './usage.ts';

/** Longest time limit of an agent, in milliseconds: one day. */
const maxTimeoutMs = 24 * 60 * 60_000;

const Agent = z.object({
  url: z.string().min(1),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .refine(
          value => headerPieces(value).every(({ kind }) => kind !== 'other'),
          'a header takes {{$secret NAME}} and {{$env NAME}}, and no other template',
        ),
    )
    .optional(),
  interface: z
    .object({ url: z.string().optional(), protocolBinding: z.string().optional(), protocolVersion: z.string().optional() })
    .optional(),
  tls: z
    .object({
      certificate: z.string().optional(),
      key: z.string().optional(),
      pfx: z.string().optional(),
      passphrase: z.string().optional(),
      ca: z.string().optional(),
      rejectUnauthorized: z.boolean().optional(),
    })
    .optional(),
  origins: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  connectTimeoutMs: z.int().min(1).max(maxTimeoutMs).optional(),
  answerTimeoutMs: z.int().min(1).max(maxTimeoutMs).optional(),
  http2: z.boolean().optional(),
  auth: z.string().min(1).max(60).optional(),
  check: CheckPrompts.optional(),
});

const Settings = z.object({ 'a2a.agents': z.record(z.string(), Agent).optional() });

/** The agents of VS Code's window, where this is a terminal of it. Of a workspace, with its folder. */
const WindowAgents = z.record(z.string(), Agent.extend({ base: z.string().optional(), ofWorkspace: z.boolean().optional() }));

/** Those of the person's own settings and of a trusted workspace; none outside of VS Code's terminals. @throws FileError */
async function windowAgents({ [windowAgentsVariable]: path }: NodeJS.ProcessEnv): Promise<readonly (readonly [string, AgentSettings])[]> {
  if (path === undefined || path === '') return [];
  try {
    return Object.entries(WindowAgents.parse(JSON.parse(await readFile(path, 'utf8'))));
  } catch (cause) {
    // VS Code has not written it yet, or has removed it with the workspace.
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new FileError(`${oneLine(path)}: the agents of VS Code's window cannot be read.`, { cause });
  }
}

function valueIn(path: string, text: string): unknown {
  try {
    return readJsonc(text);
  } catch (cause) {
    if (cause instanceof Problem) throw new FileError(`${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

/** A workspace's settings file, not parsed yet. */
export interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

/** Reports invalid settings and uses the valid rest, as VS Code does. @throws FileError */
function agentsIn(
  { path, text }: SettingsFile,
  { host, output }: Pick<Terminal, 'host' | 'output'>,
): readonly (readonly [string, AgentSettings])[] {
  const { root, errors } = jsoncTree(text);
  const at = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${oneLine(path)}:${line}:${column}`;
  };
  const [first] = errors;
  if (first !== undefined)
    output.printError(`${at(first.range.offset)}: warning: ${inTerminal(first.sentence)} Agents are read from what can be understood.`);
  const value = valueIn(path, text) ?? {};
  const read = Settings.safeParse(value);
  // The settings of a workspace are in its folder .vscode.
  const base = dirname(dirname(resolve(host.cwd(), path)));
  if (read.success)
    return Object.entries(read.data['a2a.agents'] ?? {}).map(([name, settings]) => [name, { ...settings, base, ofWorkspace: true }]);
  const { path: keys, what } = valueMistakes(read.error, value)[0]!;
  const node = keys.reduce<JsonNode | undefined>(
    (inside, key) => (typeof key === 'number' ? inside?.children?.[key] : memberOf(inside, String(key))?.value) ?? inside,
    root,
  );
  const why =
    keys.length === 1 && node?.type !== 'object'
      ? 'it is an object of agents by name, such as { "Echo": { "url": "https://agent.example" } }'
      : english(what);
  throw new FileError(`${at(node?.offset ?? 0)}: the setting ${keys.join('.')} is invalid: ${why}.`);
}

/** Agents by name: those of settings files, of which the first wins, then those of VS Code's window. @throws FileError */
export async function knownAgents(
  files: readonly SettingsFile[],
  terminal: Pick<Terminal, 'host' | 'output'>,
): Promise<Map<string, AgentSettings>> {
  const agents = new Map<string, AgentSettings>();
  for (const file of files) for (const [name, settings] of agentsIn(file, terminal)) if (!agents.has(name)) agents.set(name, settings);
  for (const [name, settings] of await windowAgents(terminal.host.env)) if (!agents.has(name)) agents.set(name, settings);
  return agents;
}

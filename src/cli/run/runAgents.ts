import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { inTerminal, Problem } from '../../protocol/problem.ts';
import { readJsonc } from '../../request/text/jsonc.ts';
import { memberOf, type JsonNode } from '../../request/text/jsonNode.ts';
import { jsoncTree } from '../../request/text/syntaxErrors.ts';
import { headerPieces, literalHeader } from '../../request/template/headerTemplate.ts';
import { positionAt } from '../../request/text/textPosition.ts';
import { isEmptySelector } from '../../protocol/card/interfaceSelector.ts';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import { headerOptions, type HeaderOptions } from '../terminal/headerOptions.ts';
import { oneLine, secretValues, printError } from '../terminal/output.ts';
import type { SettingsFile } from './runFiles.ts';
import { originsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { tlsOptions } from '../terminal/tlsOptions.ts';
import type { Values } from '../terminal/options.ts';
import { FileError, seeHelp, UsageError } from '../terminal/usage.ts';

/** Longest time limit of an agent, in milliseconds: one day. */
const maxTimeoutMs = 24 * 60 * 60_000;

const Settings = z.object({
  'a2a.agents': z
    .record(
      z.string(),
      z.object({
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
      }),
    )
    .optional(),
});

/** An agent's settings with the options of the command line applied. `headers`: those of the command line for this agent. */
export function agentSettings({ values }: Pick<Terminal, 'values'>, { url, headers, ...settings }: AgentSettings): AgentSettings {
  const wanted = selectorOf(values);
  const tls = tlsOptions(values);
  return {
    ...settings,
    ...(tls !== undefined && { tls }),
    url,
    headers: { ...headers },
    ...(!isEmptySelector(wanted) && { interface: { ...settings.interface, ...wanted } }),
    origins: [...(settings.origins ?? []), ...originsOf(values)],
  };
}

/** Reads `--agent`: addresses of agents by name, and the agent of requests that name none. @throws UsageError */
export function agentOptions({ agent: written = [] }: Values): {
  readonly named: ReadonlyMap<string, string>;
  readonly other: string | undefined;
} {
  const named = new Map<string, string>();
  let other: string | undefined;
  for (const one of written) {
    // An address may contain "=".
    const [, name, url] = /^[a-z]+:\/\//i.test(one) ? [] : (/^(.+?)=(.+)$/.exec(one) ?? []);
    if (name !== undefined && url !== undefined) named.set(name, url);
    else if (one === '' || one.startsWith('=') || one.endsWith('='))
      throw new UsageError(`--agent wants NAME=URL or URL, not ${JSON.stringify(one.slice(0, 40))}.`);
    else if (other !== undefined) throw new UsageError('--agent names two agents for requests that name none.');
    else other = one;
  }
  return { named, other };
}

/** The agents known before a run starts. */
export interface RunAgents {
  /** By name: those of `--agent NAME=URL`, and those of the workspace's settings files, where the nearest file wins. */
  readonly named: Readonly<Record<string, AgentSettings>>;
  readonly headers: HeaderOptions;
}

/** @param written names and addresses of agents as the files have them. @throws UsageError, FileError */
export function runAgents(
  terminal: Pick<Terminal, 'values'>,
  settingsFiles: readonly SettingsFile[],
  written: readonly string[],
): RunAgents {
  const { named, other } = agentOptions(terminal.values);
  const agents = new Map<string, AgentSettings>();
  for (const file of settingsFiles) for (const [name, settings] of agentsIn(file)) if (!agents.has(name)) agents.set(name, settings);
  for (const { headers: own = {} } of agents.values()) {
    const written = Object.entries(own).filter(([, value]) => headerPieces(value).every(({ kind }) => kind === 'text'));
    secretValues.addConfigured(Object.fromEntries(written), name => agents.has(name));
  }
  for (const [name, url] of named) agents.set(name, { url });
  const headers = headerOptions(terminal.values.header ?? [], [
    ...agents.keys(),
    ...[...agents.values()].map(({ url }) => url),
    ...written,
    ...(other === undefined ? [] : [other]),
  ]);
  return {
    headers,
    named: Object.fromEntries(
      [...agents].map(([name, settings]) => [
        name,
        agentSettings(terminal, {
          ...settings,
          headers: {
            ...settings.headers,
            ...literal({ ...headers.all, ...headers.of(settings.url), ...headers.of(name) }),
          },
        }),
      ]),
    ),
  };
}

/** Headers of the command line, in which the shell fills in what is to be filled in. */
export const literal = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, literalHeader(value)]));

function valueIn(path: string, text: string): unknown {
  try {
    return readJsonc(text);
  } catch (cause) {
    if (cause instanceof Problem) throw new FileError(`${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

/** Reports invalid settings and uses the valid rest, as VS Code does. @throws FileError */
function agentsIn({ path, text }: SettingsFile): readonly (readonly [string, AgentSettings])[] {
  const { root, errors } = jsoncTree(text);
  const at = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${oneLine(path)}:${line}:${column}`;
  };
  const [first] = errors;
  if (first !== undefined)
    printError(`${at(first.range.offset)}: warning: ${inTerminal(first.sentence)} Agents are read from what can be understood.`);
  const read = Settings.safeParse(valueIn(path, text) ?? {});
  // Of a workspace's settings, which are in a folder of it.
  const base = dirname(dirname(resolve(path)));
  if (read.success) return Object.entries(read.data['a2a.agents'] ?? {}).map(([name, settings]) => [name, { ...settings, base }]);
  const { path: keys = [], message = '' } = read.error.issues[0] ?? {};
  const node = keys.reduce<JsonNode | undefined>(
    (inside, key) => (typeof key === 'number' ? inside?.children?.[key] : memberOf(inside, String(key))?.value) ?? inside,
    root,
  );
  throw new FileError(`${at(node?.offset ?? 0)}: the setting ${keys.join('.')} is not right: ${message}. ${seeHelp('run')}`);
}

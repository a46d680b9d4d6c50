import * as z from 'zod';
import { Problem } from '../protocol/problem.ts';
import { readJsonc } from '../request/jsonc.ts';
import { wantsNothing } from '../protocol/wantedInterface.ts';
import type { AgentSettings } from '../model/agentSettings.ts';
import { headerOptions, type HeaderOptions } from './headerOptions.ts';
import type { SettingsFile } from './runFiles.ts';
import { originsOf, wantedBy, type Terminal } from './terminal.ts';
import type { Values } from './options.ts';
import { FileError, seeHelp, UsageError } from './usage.ts';

const Settings = z.object({
  'a2a.agents': z.record(z.string(), z.object({
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).optional(),
    interface: z.object({ url: z.string().optional(), protocolBinding: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
    origins: z.array(z.string()).optional(),
    extensions: z.array(z.string()).optional(),
  })).optional(),
});

/** What the options of the terminal say of an agent. `headers`: those of the command line that are meant for it. */
export function agentSettings({ values }: Pick<Terminal, 'values'>, { url, headers, ...settings }: AgentSettings): AgentSettings {
  const wanted = wantedBy(values);
  return {
    ...settings, url, headers: { ...headers },
    ...(!wantsNothing(wanted) && { interface: { ...settings.interface, ...wanted } }),
    origins: [...settings.origins ?? [], ...originsOf(values)],
  };
}

/** What `--agent` says: where agents are that files name, and who has the requests that name none. @throws UsageError */
export function agentOptions({ agent: written = [] }: Values): { readonly named: ReadonlyMap<string, string>; readonly other: string | undefined } {
  const named = new Map<string, string>();
  let other: string | undefined;
  for (const one of written) {
    // An address may have "=" in it.
    const [, name, url] = /^[a-z]+:\/\//i.test(one) ? [] : /^(.+?)=(.+)$/.exec(one) ?? [];
    if (name !== undefined && url !== undefined) named.set(name, url);
    else if (one === '' || one.startsWith('=') || one.endsWith('=')) throw new UsageError(`--agent wants NAME=URL or URL, not ${JSON.stringify(one.slice(0, 40))}.`);
    else if (other !== undefined) throw new UsageError('--agent names two agents for requests that name none.');
    else other = one;
  }
  return { named, other };
}

/** What a run knows of agents before it begins. */
export interface RunAgents {
  /** By name: those of `--agent NAME=URL`, and those of the workspace's settings files, nearest first. */
  readonly named: Readonly<Record<string, AgentSettings>>;
  readonly headers: HeaderOptions;
}

/** @param written names and addresses of agents as files write them. @throws UsageError, FileError */
export function runAgents(terminal: Pick<Terminal, 'values'>, settingsFiles: readonly SettingsFile[], written: readonly string[]): RunAgents {
  const { named, other } = agentOptions(terminal.values);
  const agents = new Map<string, AgentSettings>();
  for (const file of settingsFiles) for (const [name, settings] of agentsIn(file)) if (!agents.has(name)) agents.set(name, settings);
  for (const [name, url] of named) agents.set(name, { url });
  const headers = headerOptions(terminal.values.header ?? [], [...agents.keys(), ...[...agents.values()].map(({ url }) => url), ...written, ...other === undefined ? [] : [other]]);
  return { headers, named: Object.fromEntries([...agents].map(([name, settings]) =>
    [name, agentSettings(terminal, { ...settings, headers: { ...settings.headers, ...headers.all, ...headers.of(settings.url), ...headers.of(name) } })])) };
}

function valueIn(path: string, text: string): unknown {
  try {
    return readJsonc(text);
  } catch (cause) {
    if (cause instanceof Problem) throw new FileError(`${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

function agentsIn({ path, text }: SettingsFile): readonly (readonly [string, AgentSettings])[] {
  const read = Settings.safeParse(valueIn(path, text));
  if (read.success) return Object.entries(read.data['a2a.agents'] ?? {});
  throw new FileError(`${path}: the setting ${read.error.issues[0]?.path.join('.') ?? ''} is not right: ${read.error.issues[0]?.message ?? ''}. ${seeHelp('run')}`);
}

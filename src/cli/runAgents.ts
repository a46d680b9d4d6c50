import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { readJsonc } from '../request/jsonc.ts';
import { wantsNothing } from '../protocol/wantedInterface.ts';
import type { AgentSettings } from '../model/agentSettings.ts';
import { headersOf, originsOf, wantedBy, type Terminal } from './terminal.ts';
import { FileError, UsageError } from './usage.ts';

const Settings = z.object({
  'a2a.agents': z.record(z.string(), z.object({
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).optional(),
    interface: z.object({ url: z.string().optional(), protocolBinding: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
    origins: z.array(z.string()).optional(),
    extensions: z.array(z.string()).optional(),
  })).optional(),
});

/** What the options of the terminal say of every agent. */
export function agentSettings({ values }: Terminal, url: string, settings: Omit<AgentSettings, 'url'> = {}): AgentSettings {
  const wanted = wantedBy(values);
  return {
    ...settings, url,
    headers: { ...settings.headers, ...headersOf(values) },
    ...(!wantsNothing(wanted) && { interface: { ...settings.interface, ...wanted } }),
    origins: [...settings.origins ?? [], ...originsOf(values)],
  };
}

/** Agents by name: those of `--agent NAME=URL`, and those of the workspace's settings files, nearest first. @throws UsageError, FileError */
export async function namedAgents(terminal: Terminal, settingsFiles: readonly string[]): Promise<Readonly<Record<string, AgentSettings>>> {
  const agents = new Map<string, AgentSettings>();
  for (const path of settingsFiles) {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new FileError(`${path} cannot be read: ${error.message}`, { cause: error });
    });
    const read = Settings.safeParse(text === undefined ? {} : readJsonc(text));
    if (!read.success) throw new FileError(`${path}: the setting a2a.agents is not right.\n${z.prettifyError(read.error)}`);
    for (const [name, { url, ...settings }] of Object.entries(read.data['a2a.agents'] ?? {})) {
      if (!agents.has(name)) agents.set(name, agentSettings(terminal, url, settings));
    }
  }
  for (const written of terminal.values.agent ?? []) {
    const [, name, url] = /^(.+?)=(.+)$/.exec(written) ?? [];
    if (name === undefined || url === undefined) throw new UsageError(`--agent wants NAME=URL, not ${JSON.stringify(written.slice(0, 40))}.`);
    agents.set(name, agentSettings(terminal, url));
  }
  return Object.fromEntries(agents);
}

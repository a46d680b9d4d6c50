import { headerPieces } from '../../request/template/headerTemplate.ts';
import { escapedBraces } from '../../request/template/template.ts';
import { isEmptySelector } from '../../protocol/card/interfaceSelector.ts';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import { originsOfHeaders } from '../../model/agents/agentHeaders.ts';
import { allowedSettings } from '../terminal/folderAllowance.ts';
import { headerOptions, type HeaderOptions } from '../terminal/headerOptions.ts';
import { isAgentAddress } from '../../model/agents/agents.ts';
import { isAddress } from '../terminal/namedAgent.ts';
import { quoted } from '../terminal/output.ts';
import { knownAgents, type SettingsFile } from '../terminal/settingsAgents.ts';
import { originsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { tlsOptions } from '../terminal/tlsOptions.ts';
import type { Values } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';

/** An agent's settings with the options of the command line applied. `headers`: those of the command line for this agent. */
export function agentSettings(terminal: Pick<Terminal, 'host' | 'values'>, { url, headers, ...settings }: AgentSettings): AgentSettings {
  const { values } = terminal;
  const wanted = selectorOf(values);
  const tls = tlsOptions(terminal);
  return {
    ...settings,
    ...(tls !== undefined && { tls, tlsOfPerson: true }),
    url,
    headers: { ...headers },
    ...(!isEmptySelector(wanted) && { interface: { ...settings.interface, ...wanted } }),
    origins: [...(settings.origins ?? []), ...originsOf(values)],
  };
}

/** Reads `--agent`: addresses of agents by name, and the agent of requests without one. @throws UsageError */
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
      throw new UsageError(`--agent must be NAME=URL or URL, not ${JSON.stringify(one.slice(0, 40))}.`);
    else if (other !== undefined) throw new UsageError('--agent names two agents for requests that name none.');
    else other = one;
  }
  return { named, other };
}

/** The origins of the addresses that `--agent` gives. @throws UsageError */
export function typedOrigins(values: Values): readonly string[] {
  const { named, other } = agentOptions(values);
  return [...named.values(), ...(other === undefined ? [] : [other])].flatMap(url => originsOfHeaders({ url }));
}

/** The agents known before a run starts. */
export interface RunAgents {
  /** Agents by name: those of `--agent NAME=URL`, those of the workspace's settings files, where the nearest file wins, and those of VS Code's window. */
  readonly named: Readonly<Record<string, AgentSettings>>;
  readonly headers: HeaderOptions;
}

/** @param inFiles names and addresses of agents as the files have them; left out, all agents are used. @throws UsageError, FileError */
export async function runAgents(
  terminal: Pick<Terminal, 'host' | 'output' | 'values' | 'allowance'>,
  settingsFiles: readonly SettingsFile[],
  inFiles?: readonly string[],
): Promise<RunAgents> {
  const { output } = terminal;
  const { named, other } = agentOptions(terminal.values);
  const agents = await knownAgents(settingsFiles, terminal);
  const written = inFiles ?? [...agents.keys()];
  for (const [name, { url }] of agents) {
    if (!leadsElsewhere(name, url, name === other)) continue;
    agents.delete(name);
    output.printError(
      quoted(
        `warning: the settings of this folder have an agent "${name}" at ${url}. An address is no name: requests for it go to itself.`,
      ),
    );
  }
  // No question about agents that no request uses.
  for (const name of new Set([...written, ...(other === undefined ? [] : [other])])) {
    const settings = agents.get(name);
    if (settings !== undefined) agents.set(name, await allowedSettings(name, settings, terminal));
  }
  for (const [name, settings] of agents) if (!written.includes(name) && name !== other) agents.set(name, withoutAddresses(settings));
  for (const { headers: own = {} } of agents.values()) {
    const written = Object.entries(own).filter(([, value]) => headerPieces(value).every(({ kind }) => kind === 'text'));
    output.secrets.addConfigured(Object.fromEntries(written), name => agents.has(name));
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

/** The name of an agent is the address of another one. In a command line or a file that text means the address. */
function leadsElsewhere(name: string, url: string, isTyped: boolean): boolean {
  const says = isTyped ? isAddress(name) : isAgentAddress(name);
  const [named] = originsOfHeaders({ url: name });
  return says && named !== undefined && !originsOfHeaders({ url }).includes(named);
}

/** Without the further addresses, which the person would have to allow. */
function withoutAddresses(settings: AgentSettings): AgentSettings {
  const { url: _, ...others } = settings.interface ?? {};
  return { ...settings, origins: [], ...(settings.interface !== undefined && { interface: others }) };
}

/** Headers of the command line, in which the shell fills in what is to be filled in. */
export const literal = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, escapedBraces(value)]));

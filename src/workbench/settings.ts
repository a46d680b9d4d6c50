import * as vscode from 'vscode';
import * as z from 'zod';
import { Problem, sentence } from '../protocol/problem.ts';
import { wantsNothing, WantedInterface } from '../protocol/wantedInterface.ts';
import { log } from './log.ts';
import { printable } from './oneLine.ts';
import {
  agentsIn, type InspectedAgents, placesOf, type RemovedAgent, type Scope, type ScopedAgent, scopedAgents, withAgentBack, withAgentRenamed,
} from './scopedAgents.ts';

const AgentSettings = z.object({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  interface: WantedInterface.optional(),
  extensions: z.array(z.string()).optional(),
  origins: z.array(z.string()).optional(),
});

/** One value of `a2a.agents`. */
export type AgentSettings = z.infer<typeof AgentSettings>;

const section = 'a2a';

const targets: Readonly<Record<Exclude<Scope, 'default'>, vscode.ConfigurationTarget>> = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
};

const inspected = (): InspectedAgents => vscode.workspace.getConfiguration(section).inspect('agents') ?? {};
const trust = (): { readonly trusted: boolean } => ({ trusted: vscode.workspace.isTrusted });
const scoped = (): ReadonlyMap<string, ScopedAgent> => scopedAgents(inspected(), trust());

/**
 * The setting `a2a.agents`, user's and workspace's. An entry that does not fit is left out and written to the log; the settings editor
 * underlines it.
 */
export function configuredAgents(): Record<string, AgentSettings> {
  return Object.fromEntries([...scoped()].flatMap(([name, { value }]) => {
    const parsed = AgentSettings.safeParse(value);
    if (parsed.success) return [[name, parsed.data]];
    log.warn(printable(`Setting a2a.agents: "${name}" was left out: ${z.prettifyError(parsed.error)}`));
    return [];
  }));
}

/** True for a name the setting has, whether its entry fits or not. */
export function isNameTaken(name: string): boolean {
  return scoped().has(name);
}

/** True for an agent that can be renamed and removed: one the person's own settings have. */
export function isConfigured(name: string): boolean {
  const found = scoped().get(name);
  return found !== undefined && found.scope !== 'default';
}

export function onDidChangeAgents(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('a2a.agents')) listener();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  );
}

async function write(scope: Exclude<Scope, 'default'>, agents: ReadonlyMap<string, unknown>): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(section).update('agents', Object.fromEntries(agents), targets[scope]);
  } catch (cause) {
    throw new Problem('settings-not-written', sentence('The settings could not be written: {0}', cause instanceof Error ? cause.message : String(cause)), {
      nextStep: sentence('Save or correct the settings file, then try again.'), cause,
    });
  }
}

/** What is remembered of an agent is remembered in its settings. */
export const notConfigured = (name: string): Problem =>
  new Problem('not-configured', sentence('The agent "{0}" is not in your settings.', name), { nextStep: sentence('Add it with "A2A: Add Agent…" and its address, then try again.') });

/** Where the agent stands, for a change there. Throws a `Problem` `not-configured` where no setting of the person's has it. */
function scopeOf(name: string): Exclude<Scope, 'default'> {
  const scope = scoped().get(name)?.scope;
  if (scope !== undefined && scope !== 'default') return scope;
  throw notConfigured(name);
}

/** Adds an agent to the user's settings. Rejects with a `Problem` `settings-not-written`. */
export async function putAgent(name: string, settings: AgentSettings): Promise<void> {
  await write('user', new Map([...agentsIn(inspected(), 'user'), [name, settings]]));
}

/** Approves another origin for an agent, where the agent is defined; the rest of its entry stays. Undone by {@link disallowOrigin}. Rejects with a `Problem`. */
export async function allowOrigin(name: string, origin: string): Promise<void> {
  const scope = scopeOf(name);
  const agents = new Map(agentsIn(inspected(), scope));
  const settings = AgentSettings.parse(agents.get(name));
  agents.set(name, { ...(agents.get(name) as object), origins: [...new Set([...settings.origins ?? [], origin])] });
  await write(scope, agents);
}

/** Takes back the approval of an origin, where the agent is defined. Rejects with a `Problem`. */
export async function disallowOrigin(name: string, origin: string): Promise<void> {
  const { origins = [] } = AgentSettings.parse(agentsIn(inspected(), scopeOf(name)).get(name));
  const others = origins.filter(other => other !== origin);
  await setMember(name, 'origins', others.length === 0 ? undefined : others);
}

/** One agent's entry with a member set, or without it where the value is undefined; where the agent is defined. Returns the value before. */
async function setMember(name: string, member: 'interface' | 'extensions' | 'origins', value: unknown): Promise<unknown> {
  const scope = scopeOf(name);
  const agents = new Map(agentsIn(inspected(), scope));
  const { [member]: before, ...rest } = agents.get(name) as Readonly<Record<string, unknown>>;
  agents.set(name, value === undefined ? rest : { ...rest, [member]: value });
  await write(scope, agents);
  return before;
}

/**
 * Which of the card's interfaces is spoken, where the agent is defined; undefined follows the card. Returns what stood there before,
 * which undoes it. Rejects with a `Problem`.
 */
export async function setInterface(name: string, wanted: WantedInterface | undefined): Promise<WantedInterface | undefined> {
  const before = WantedInterface.safeParse(await setMember(name, 'interface', wantsNothing(wanted) ? undefined : wanted));
  return before.success ? before.data : undefined;
}

/** Which extensions are on, where the agent is defined. Returns what stood there before, which undoes it. Rejects with a `Problem`. */
export async function setExtensions(name: string, uris: readonly string[]): Promise<readonly string[]> {
  const before = z.array(z.string()).safeParse(await setMember(name, 'extensions', uris.length === 0 ? undefined : [...uris]));
  return before.success ? before.data : [];
}

/** Takes an agent out of all settings that have it. What was taken out is returned for {@link restoreAgent}. Rejects with a `Problem`. */
export async function removeAgent(name: string): Promise<readonly RemovedAgent[]> {
  scopeOf(name);
  const places = placesOf(inspected(), name, trust());
  for (const { scope } of places) {
    const agents = new Map(agentsIn(inspected(), scope));
    agents.delete(name);
    await write(scope, agents);
  }
  return places;
}

/** Puts back what {@link removeAgent} took out, as it was and where it was. Rejects with a `Problem`. */
export async function restoreAgent(places: readonly RemovedAgent[]): Promise<void> {
  for (const place of places) await write(place.scope, withAgentBack(agentsIn(inspected(), place.scope), place));
}

/** Gives an agent another name, in place, keeping its order among the others. Rejects with a `Problem`. */
export async function renameAgent(from: string, to: string): Promise<void> {
  const scope = scopeOf(from);
  await write(scope, withAgentRenamed(agentsIn(inspected(), scope), from, to));
}

import { posix } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { AgentNames } from '../../model/agents/agentNames.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { wantsNothing, InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { log } from './log.ts';
import { type AgentSettings, headersIn, readEntry } from './agentEntry.ts';
import { escapeControls } from './untrustedText.ts';
import { translate } from './report.ts';
import { shownSecrets } from './shownSecrets.ts';
import {
  type AgentFolder,
  agentsIn,
  type EntryNamer,
  type InspectedAgents,
  placesOf,
  type RemovedAgent,
  type Scope,
  type WindowAgent,
  windowAgents,
  windowNameOf,
  withAgentBack,
  withAgentRenamed,
} from './scopedAgents.ts';

export type { AgentSettings } from './agentEntry.ts';

const section = 'a2a';

const targets: Readonly<Record<Exclude<Scope, 'default'>, vscode.ConfigurationTarget>> = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
};

/** An address of a folder as text; undefined means the window, which all folders share. */
type FolderKey = string | undefined;

const inspected = (folder?: FolderKey): InspectedAgents =>
  vscode.workspace.getConfiguration(section, folder === undefined ? undefined : vscode.Uri.parse(folder, true)).inspect('agents') ?? {};
const trust = (): { readonly trusted: boolean } => ({ trusted: vscode.workspace.isTrusted });

/** Folders with settings of their own: those of a workspace file. The only folder of a window has the workspace's settings. */
function folders(): AgentFolder[] {
  if (vscode.workspace.workspaceFile === undefined) return [];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => {
    const key = uri.toString();
    return { key, name, value: inspected(key).workspaceFolderValue };
  });
}

let names: AgentNames | undefined;
/** Kept until something of it changes, where that is heard of. */
let agentsNow: ReadonlyMap<string, WindowAgent> | undefined;

/** Until it is disposed, agents go by the names that the history has for them. */
export function nameAgentsBy(known: AgentNames): vscode.Disposable {
  const forget = (): void => {
    agentsNow = undefined;
  };
  names = known;
  forget();
  return vscode.Disposable.from(onDidChangeAgents(forget), {
    dispose: () => {
      names = undefined;
      forget();
    },
  });
}

const ownPlace = 'user';

/** Which settings have an entry: the person's own, or those of a workspace or a folder, with what people call them. */
function placeOf(scope: Scope, folder: AgentFolder | undefined): { readonly place: string; readonly label: string } {
  if (scope === 'default' || scope === 'user') return { place: ownPlace, label: '' };
  if (folder !== undefined) return { place: folder.key, label: folder.name };
  const { workspaceFile, workspaceFolders: [only] = [], name = '' } = vscode.workspace;
  if (workspaceFile === undefined) return { place: only?.uri.toString() ?? '', label: only?.name ?? name };
  return { place: workspaceFile.toString(), label: posix.basename(workspaceFile.path).replace(/\.code-workspace$/, '') };
}

/** One with a mistake is never asked, and goes by the name that it has in the setting. */
const nameOf: EntryNamer = ({ scope, folder, name, value }) => {
  const { settings } = readEntry(name, value);
  return settings === undefined || names === undefined ? name : names.of({ name, settings, ...placeOf(scope, folder) });
};

function scoped(): ReadonlyMap<string, WindowAgent> {
  if (agentsNow !== undefined) return agentsNow;
  const agents = windowAgents(inspected(), folders(), trust(), nameOf);
  if (names !== undefined) agentsNow = agents;
  return agents;
}

/** What is wrong with an entry of the setting, or odd about it. */
export interface AgentMistakes {
  /** Why the agent cannot be used; undefined where it can be. */
  readonly mistake?: LocalizedMessage;
  readonly warnings: readonly LocalizedMessage[];
}

/** The setting `a2a.agents` of all scopes. An entry that does not fit is among the mistakes instead, and in the log. */
export function configuredAgents(): {
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly mistakes: ReadonlyMap<string, AgentMistakes>;
} {
  names?.forget();
  agentsNow = undefined;
  const agents: [string, AgentSettings][] = [];
  const mistakes = new Map<string, AgentMistakes>();
  const found = scoped();
  // Before anything is said of one of them: a header may stand in the entry of another.
  for (const { value } of found.values()) shownSecrets.addConfigured(headersIn(value), name => found.has(name));
  for (const [windowName, { name, value }] of found) {
    const { settings, mistake, warnings } = readEntry(name, value);
    if (settings !== undefined) agents.push([windowName, settings]);
    if (mistake === undefined && warnings.length === 0) continue;
    mistakes.set(windowName, { ...(mistake && { mistake }), warnings });
    for (const each of [...(mistake === undefined ? [] : [mistake]), ...warnings])
      log.warn(escapeControls(`Setting a2a.agents: "${windowName}": ${translate(each)}`));
  }
  return { agents: Object.fromEntries(agents), mistakes };
}

/** Says the window's name of an agent for the name that a file has for it, and back. */
export interface AgentNamer {
  (name: string): string;
  /** The name that means the agent of that window's name in the file; undefined where the file means another one by it. */
  ownNameOf(windowName: string): string | undefined;
}

/** In a workspace of several folders, files mean the agents of their own folder's settings first. */
export function agentNamer(file: vscode.Uri): AgentNamer {
  const all = folders();
  const agents = scoped();
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.toString();
  const windowName = (name: string): string => windowNameOf(agents, all, folder, name);
  return Object.assign(windowName, {
    ownNameOf: (name: string): string | undefined => [agents.get(name)?.name ?? name, name].find(own => windowName(own) === name),
  });
}

/** Where the entry of an agent stands; undefined where no setting of the person's has it. */
export function placeOfAgent(
  windowName: string,
): { readonly scope: Exclude<Scope, 'default'>; readonly folder?: string; readonly name: string; readonly value: unknown } | undefined {
  const found = scoped().get(windowName);
  if (found === undefined || found.scope === 'default') return undefined;
  const { scope, folder, name, value } = found;
  return { scope, name, value, ...(folder !== undefined && { folder }) };
}

/** The window's name of the agent that the settings have under a name, whatever folder it is of. */
export const windowNameOfSetting = (name: string): string => windowNameOf(scoped(), [], undefined, name);

/** True for a name the setting has, whether its entry fits or not, or stands behind a workspace's of that name. */
export function isNameTaken(name: string): boolean {
  const agents = scoped();
  return agents.has(name) || [...agents.values()].some(agent => agent.name === name) || agentsIn(inspected(), 'user').has(name);
}

/** True for an agent that can be renamed and removed: one the person's own settings have. */
export function isConfigured(name: string): boolean {
  return placeOfAgent(name) !== undefined;
}

export function onDidChangeAgents(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('a2a.agents')) listener();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
  );
}

async function write(
  { scope, folder }: { readonly scope: Exclude<Scope, 'default'>; readonly folder?: FolderKey },
  agents: ReadonlyMap<string, unknown>,
): Promise<void> {
  try {
    const resource = folder === undefined ? undefined : vscode.Uri.parse(folder, true);
    await vscode.workspace.getConfiguration(section, resource).update('agents', Object.fromEntries(agents), targets[scope]);
  } catch (cause) {
    throw new Problem(
      'settings-not-written',
      sentence('The settings could not be written: {0}', cause instanceof Error ? cause.message : String(cause)),
      {
        nextStep: sentence('Save or correct the settings file, then try again.'),
        cause,
      },
    );
  }
}

/** What is remembered of an agent is remembered in its settings. */
export const notConfigured = (name: string): Problem =>
  new Problem('not-configured', sentence('The agent "{0}" is not configured.', name), {
    nextStep: sentence('Add it with "A2A: Add Agent…" and its address, then try again.'),
  });

type Place = NonNullable<ReturnType<typeof placeOfAgent>>;

/** Where the agent stands, for a change there. Throws a `Problem` `not-configured` where no setting of the person's has it. */
function requirePlace(windowName: string): Place {
  const place = placeOfAgent(windowName);
  if (place !== undefined) return place;
  throw notConfigured(windowName);
}

const agentsAt = ({ scope, folder }: Pick<Place, 'scope' | 'folder'>): ReadonlyMap<string, unknown> => agentsIn(inspected(folder), scope);

/** Adds an agent to the user's settings. Rejects with a `Problem` `settings-not-written`. */
export async function putAgent(name: string, settings: AgentSettings): Promise<void> {
  await write({ scope: 'user' }, new Map([...agentsIn(inspected(), 'user'), [name, settings]]));
}

/** Approves another origin for an agent, where the agent is defined; the rest of its entry stays. Undone by {@link disallowOrigin}. Rejects with a `Problem`. */
export async function allowOrigin(name: string, origin: string): Promise<void> {
  const { origins = [] } = settingsAt(name);
  names?.join(name, [origin]);
  await setMember(name, 'origins', [...new Set([...origins, origin])]);
}

/** Takes back the approval of an origin, where the agent is defined. Rejects with a `Problem`. */
export async function disallowOrigin(name: string, origin: string): Promise<void> {
  const others = (settingsAt(name).origins ?? []).filter(other => other !== origin);
  await setMember(name, 'origins', others.length === 0 ? undefined : others);
}

/** Throws a `Problem` for an agent that is not configured, or not so that it can be used. */
function settingsAt(windowName: string): AgentSettings {
  const { name, value } = requirePlace(windowName);
  const { settings, mistake } = readEntry(name, value);
  if (settings === undefined)
    throw new Problem('agent-mistake', mistake, { nextStep: sentence('Correct its entry in the setting a2a.agents.') });
  return settings;
}

/** One agent's entry with a member set, or without it where the value is undefined; where the agent is defined. Returns the value before. */
async function setMember(windowName: string, member: 'interface' | 'extensions' | 'origins', value: unknown): Promise<unknown> {
  const place = requirePlace(windowName);
  const agents = new Map(agentsAt(place));
  const { [member]: before, ...rest } = agents.get(place.name) as Readonly<Record<string, unknown>>;
  agents.set(place.name, value === undefined ? rest : { ...rest, [member]: value });
  await write(place, agents);
  return before;
}

/**
 * Which of the card's interfaces is spoken, where the agent is defined; undefined follows the card. Returns what stood there before,
 * which undoes it. Rejects with a `Problem`.
 */
export async function setInterface(name: string, wanted: InterfaceSelector | undefined): Promise<InterfaceSelector | undefined> {
  if (wanted?.url !== undefined) names?.join(name, [wanted.url]);
  const before = InterfaceSelector.safeParse(await setMember(name, 'interface', wantsNothing(wanted) ? undefined : wanted));
  return before.success ? before.data : undefined;
}

/** Which extensions are on, where the agent is defined. Returns what stood there before, which undoes it. Rejects with a `Problem`. */
export async function setExtensions(name: string, uris: readonly string[]): Promise<readonly string[]> {
  const before = z.array(z.string()).safeParse(await setMember(name, 'extensions', uris.length === 0 ? undefined : [...uris]));
  return before.success ? before.data : [];
}

/** Takes an agent out of all settings that have it. What was taken out is returned for {@link restoreAgent}. Rejects with a `Problem`. */
export async function removeAgent(windowName: string): Promise<readonly RemovedAgent[]> {
  const place = requirePlace(windowName);
  const { name, folder } = place;
  const places = placesOf(inspected(folder), name, trust())
    // An agent of one folder leaves the workspace's and the user's agent of that name alone.
    .filter(({ scope }) => folder === undefined || scope === 'folder')
    // The person's own agent of that name may be another one.
    .filter(({ scope, value }) => folder !== undefined || scope === place.scope || nameOf({ scope, name, value }) === windowName)
    .map(each => (folder === undefined ? each : { ...each, folder }));
  for (const each of places) {
    const agents = new Map(agentsAt(each));
    agents.delete(name);
    await write(each, agents);
  }
  return places;
}

/** Puts back what {@link removeAgent} took out, as it was and where it was. Rejects with a `Problem`. */
export async function restoreAgent(places: readonly RemovedAgent[]): Promise<void> {
  for (const place of places) await write(place, withAgentBack(agentsAt(place), place));
}

/** Gives an agent another name, in place, keeping its order among the others. Returns what it is called from then on. Rejects with a `Problem`. */
export async function renameAgent(from: string, to: string): Promise<string> {
  const place = requirePlace(from);
  await write(place, withAgentRenamed(agentsAt(place), place.name, to));
  agentsNow = undefined;
  const found = [...scoped()].find(([, { scope, folder, name }]) => scope === place.scope && folder === place.folder && name === to);
  return found?.[0] ?? to;
}

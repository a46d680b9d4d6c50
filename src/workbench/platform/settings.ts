import { dirname, posix } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { originsOfHeaders } from '../../model/agents/agentHeaders.ts';
import type { AgentNames } from '../../model/agents/agentNames.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { isEmptySelector, InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { log } from './log.ts';
import { type AgentSettings, literalHeadersIn, readEntry } from './agentEntry.ts';
import { escapeControls } from './untrustedText.ts';
import { translate } from './report.ts';
import { secretsToMask } from './shownSecrets.ts';
import {
  type AgentFolder,
  agentsIn,
  type EntryNamer,
  type InspectedAgents,
  removablePlacesOf,
  type RemovedAgent,
  type Scope,
  type WindowAgent,
  windowAgents,
  windowNameOf,
  withAgentRestored,
  withAgentRenamed,
} from './scopedAgents.ts';

export type { AgentSettings } from './agentEntry.ts';

const section = 'a2a';

const targets: Readonly<Record<Exclude<Scope, 'default'>, vscode.ConfigurationTarget>> = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
};

/** False where the person has turned off the chat of VS Code, with its other features of AI. */
export const offersChat = (): boolean => vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true;

/** URI of a folder as text; undefined for the window, which all folders share. */
type FolderKey = string | undefined;

const inspected = (folder?: FolderKey): InspectedAgents =>
  vscode.workspace.getConfiguration(section, folder === undefined ? undefined : vscode.Uri.parse(folder, true)).inspect('agents') ?? {};
const trust = (): { readonly trusted: boolean } => ({ trusted: vscode.workspace.isTrusted });

/** Folders with settings of their own: those of a workspace file. If the window has a single folder, its settings are the workspace's. */
function folders(): AgentFolder[] {
  if (vscode.workspace.workspaceFile === undefined) return [];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => {
    const key = uri.toString();
    return { key, name, value: inspected(key).workspaceFolderValue };
  });
}

let names: AgentNames | undefined;
/** Cache of the window's agents, filled only while changes of the settings are observed. */
let agentsNow: ReadonlyMap<string, WindowAgent> | undefined;

/** Names agents as the history does, until disposed. */
export function useAgentNames(known: AgentNames): vscode.Disposable {
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

/** Identifies the settings that have an entry (the user's, a workspace's or a folder's) and the name that people have for them. */
function placeOf(scope: Scope, folder: AgentFolder | undefined): { readonly place: string; readonly label: string } {
  if (scope === 'default' || scope === 'user') return { place: ownPlace, label: '' };
  if (folder !== undefined) return { place: folder.key, label: folder.name };
  const { workspaceFile, workspaceFolders: [only] = [], name = '' } = vscode.workspace;
  if (workspaceFile === undefined) return { place: only?.uri.toString() ?? '', label: only?.name ?? name };
  return { place: workspaceFile.toString(), label: posix.basename(workspaceFile.path).replace(/\.code-workspace$/, '') };
}

/** An entry with a mistake is never contacted; it keeps its name of the setting. */
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

/** Mistakes and warnings about an entry of the setting. */
export interface AgentMistakes {
  /** Why the agent cannot be used; undefined if it can. */
  readonly mistake?: LocalizedMessage;
  readonly warnings: readonly LocalizedMessage[];
}

/** The setting `a2a.agents`, of all scopes together. Invalid entries are returned as mistakes and logged. */
export function configuredAgents(): {
  readonly agents: Readonly<Record<string, AgentSettings & { readonly ofWorkspace?: boolean; readonly base?: string }>>;
  readonly mistakes: ReadonlyMap<string, AgentMistakes>;
} {
  names?.forget();
  agentsNow = undefined;
  const agents: [string, AgentSettings][] = [];
  const mistakes = new Map<string, AgentMistakes>();
  const found = scoped();
  // Before the first message about an entry: a message may contain a header of another entry.
  for (const { value } of found.values()) secretsToMask.addConfigured(literalHeadersIn(value), name => found.has(name));
  for (const [windowName, { name, value, scope, folder }] of found) {
    const { settings, mistake, warnings } = readEntry(name, value);
    if (settings !== undefined)
      agents.push([windowName, { ...settings, ...(isOfWorkspace(scope) && { ofWorkspace: true, ...baseOf(folder) }) }]);
    if (mistake === undefined && warnings.length === 0) continue;
    mistakes.set(windowName, { ...(mistake && { mistake }), warnings });
    for (const each of [...(mistake === undefined ? [] : [mistake]), ...warnings])
      log.warn(escapeControls(`Setting a2a.agents: "${windowName}": ${translate(each)}`));
  }
  return { agents: Object.fromEntries(agents), mistakes };
}

const isOfWorkspace = (scope: Scope): boolean => scope === 'workspace' || scope === 'folder';

/** Base of relative paths in the settings of a workspace: its folder, or that of its workspace file. Empty where that is not on disk. */
function baseOf(folder: FolderKey): { readonly base?: string } {
  const { workspaceFile, workspaceFolders: [only] = [] } = vscode.workspace;
  const file = folder === undefined ? workspaceFile : undefined;
  const own = folder === undefined ? only?.uri : vscode.Uri.parse(folder, true);
  if (file !== undefined) return file.scheme === 'file' ? { base: dirname(file.fsPath) } : {};
  return own?.scheme === 'file' ? { base: own.fsPath } : {};
}

/** Every origin that the user's own settings name. */
export function originsOfUser(): ReadonlySet<string> {
  const entries = [...agentsIn(inspected(), 'default'), ...agentsIn(inspected(), 'user')].flatMap(
    ([name, value]) => readEntry(name, value).settings ?? [],
  );
  return new Set(entries.flatMap(originsOfHeaders));
}

/** Translates between an agent's name in a file and its name in the window. */
export interface AgentNamer {
  (name: string): string;
  /** The name by which the file means this agent of the window; undefined if it would mean another one. */
  ownNameOf(windowName: string): string | undefined;
}

/** Names of agents in a file: in a multi-root workspace, those of its own folder's settings come first. */
export function agentNamer(file: vscode.Uri): AgentNamer {
  const all = folders();
  const agents = scoped();
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.toString();
  const windowName = (name: string): string => windowNameOf(agents, all, folder, name);
  return Object.assign(windowName, {
    ownNameOf: (name: string): string | undefined => [agents.get(name)?.name ?? name, name].find(own => windowName(own) === name),
  });
}

/** Place of an agent's entry; undefined if no settings of the user, workspace or folder have it. */
export function placeOfAgent(
  windowName: string,
): { readonly scope: Exclude<Scope, 'default'>; readonly folder?: string; readonly name: string; readonly value: unknown } | undefined {
  const found = scoped().get(windowName);
  if (found === undefined || found.scope === 'default') return undefined;
  const { scope, folder, name, value } = found;
  return { scope, name, value, ...(folder !== undefined && { folder }) };
}

/** The name in the window of the agent with this name in the settings, of whichever folder. */
export const windowNameOfSetting = (name: string): string => windowNameOf(scoped(), [], undefined, name);

/** True for a name that any scope has, also if its entry is invalid or overridden by a workspace. */
export function isNameTaken(name: string): boolean {
  const agents = scoped();
  return agents.has(name) || [...agents.values()].some(agent => agent.name === name) || agentsIn(inspected(), 'user').has(name);
}

/** True for an agent that can be renamed and removed, because some settings have it. */
export function isConfigured(name: string): boolean {
  return placeOfAgent(name) !== undefined;
}

/** True for an agent that a request file names by URL instead of by a configured name. */
export const isAddress = (name: string): boolean => /^https?:\/\/|^[\w.-]+:\d+(\/|$)/i.test(name);

export function onDidChangeAgents(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('a2a.agents') || event.affectsConfiguration('a2a.agentClick')) listener();
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
    throw settingsNotWritten(cause);
  }
}

export const settingsNotWritten = (cause: unknown): Problem =>
  new Problem(
    'settings-not-written',
    sentence('The settings could not be written: {0}', cause instanceof Error ? cause.message : String(cause)),
    { nextStep: sentence('Save or correct the settings file, then try again.'), cause },
  );

/** Preferences about an agent are stored in its entry, so it needs one. */
export const notConfigured = (name: string): Problem =>
  new Problem('not-configured', sentence('The agent "{0}" is not configured.', name), {
    nextStep: sentence('Add it with "A2A: Add Agent…" and its address, then try again.'),
  });

type Place = NonNullable<ReturnType<typeof placeOfAgent>>;

/**
 * Place of an agent's entry, to be changed there.
 * @throws Problem `not-configured` if no settings have it
 */
function requirePlace(windowName: string): Place {
  const place = placeOfAgent(windowName);
  if (place !== undefined) return place;
  throw notConfigured(windowName);
}

const agentsAt = ({ scope, folder }: Pick<Place, 'scope' | 'folder'>): ReadonlyMap<string, unknown> => agentsIn(inspected(folder), scope);

/** Adds an agent to the user's settings. Rejects with a `Problem` `settings-not-written`. */
export async function addAgentToSettings(name: string, settings: AgentSettings): Promise<void> {
  await write({ scope: 'user' }, new Map([...agentsIn(inspected(), 'user'), [name, settings]]));
}

/** Allows another origin for an agent, where the agent is defined. {@link disallowOrigin} undoes it. Rejects with a `Problem`. */
export async function allowOrigin(name: string, origin: string): Promise<void> {
  const { origins = [] } = settingsAt(name);
  names?.join(name, [origin]);
  await setMember(name, 'origins', [...new Set([...origins, origin])]);
}

/** Withdraws the permission for an origin, where the agent is defined. Rejects with a `Problem`. */
export async function disallowOrigin(name: string, origin: string): Promise<void> {
  const others = (settingsAt(name).origins ?? []).filter(other => other !== origin);
  await setMember(name, 'origins', others.length === 0 ? undefined : others);
}

/**
 * The valid settings of an agent.
 * @throws Problem if it is not configured or its entry is invalid
 */
function settingsAt(windowName: string): AgentSettings {
  const { name, value } = requirePlace(windowName);
  const { settings, mistake } = readEntry(name, value);
  if (settings === undefined)
    throw new Problem('agent-mistake', mistake, { nextStep: sentence('Correct its entry in the setting a2a.agents.') });
  return settings;
}

/** Sets a member of an agent's entry where the agent is defined; undefined removes the member. Returns the value before. */
async function setMember(
  windowName: string,
  member: 'interface' | 'extensions' | 'origins' | 'tls' | 'check',
  value: unknown,
): Promise<unknown> {
  const place = requirePlace(windowName);
  const agents = new Map(agentsAt(place));
  const { [member]: before, ...rest } = agents.get(place.name) as Readonly<Record<string, unknown>>;
  agents.set(place.name, value === undefined ? rest : { ...rest, [member]: value });
  await write(place, agents);
  return before;
}

/**
 * Chooses one of the card's interfaces, where the agent is defined; undefined follows the card's preference. Returns the choice before, to
 * undo this one. Rejects with a `Problem`.
 */
export async function setInterface(name: string, wanted: InterfaceSelector | undefined): Promise<InterfaceSelector | undefined> {
  if (wanted?.url !== undefined) names?.join(name, [wanted.url]);
  const before = InterfaceSelector.safeParse(await setMember(name, 'interface', isEmptySelector(wanted) ? undefined : wanted));
  return before.success ? before.data : undefined;
}

/** Sets which extensions are on, where the agent is defined. Returns those before, to undo this. Rejects with a `Problem`. */
export async function setExtensions(name: string, uris: readonly string[]): Promise<readonly string[]> {
  const before = z.array(z.string()).safeParse(await setMember(name, 'extensions', uris.length === 0 ? undefined : [...uris]));
  return before.success ? before.data : [];
}

/** Sets the TLS options of an agent, where the agent is defined. Rejects with a `Problem`. */
export async function setTls(name: string, tls: AgentSettings['tls']): Promise<void> {
  await setMember(name, 'tls', tls);
}

/** Sets the prompts that a conformance check sends to an agent, where the agent is defined. Rejects with a `Problem`. */
export async function setCheckPrompts(name: string, prompts: NonNullable<AgentSettings['check']>): Promise<void> {
  await setMember(name, 'check', Object.keys(prompts).length === 0 ? undefined : prompts);
}

/** The last removal of this window that was not undone. */
let removal: { readonly name: string; readonly at: number; readonly places: readonly RemovedAgent[] } | undefined;
export const lastRemoval = (): typeof removal => removal;

/** Removes an agent from all settings that have it. Returns what was removed, for {@link restoreAgent}. Rejects with a `Problem`. */
export async function removeAgent(windowName: string): Promise<readonly RemovedAgent[]> {
  const place = requirePlace(windowName);
  const { name, folder } = place;
  const places = removablePlacesOf(inspected(folder), name, trust())
    // Removing an agent of a folder leaves agents of that name in the workspace and the user's settings.
    .filter(({ scope }) => folder === undefined || scope === 'folder')
    // An agent of that name in another scope may be a different one.
    .filter(({ scope, value }) => folder !== undefined || scope === place.scope || nameOf({ scope, name, value }) === windowName)
    .map(each => (folder === undefined ? each : { ...each, folder }));
  for (const each of places) {
    const agents = new Map(agentsAt(each));
    agents.delete(name);
    await write(each, agents);
  }
  removal = { name: windowName, at: Date.now(), places };
  return places;
}

/** Puts back what {@link removeAgent} removed, at the same position. Rejects with a `Problem`. */
export async function restoreAgent(places: readonly RemovedAgent[]): Promise<void> {
  for (const place of places) await write(place, withAgentRestored(agentsAt(place), place));
  if (removal?.places === places) removal = undefined;
}

/** Renames an agent where it is defined, keeping its position. Returns its new name in the window. Rejects with a `Problem`. */
export async function renameAgent(from: string, to: string): Promise<string> {
  const place = requirePlace(from);
  await write(place, withAgentRenamed(agentsAt(place), place.name, to));
  agentsNow = undefined;
  const found = [...scoped()].find(([, { scope, folder, name }]) => scope === place.scope && folder === place.folder && name === to);
  return found?.[0] ?? to;
}

/** True if a click on an agent's name opens its newest chat; otherwise it folds the row. */
export const agentClickOpensChat = (): boolean => vscode.workspace.getConfiguration().get<string>('a2a.agentClick') !== 'fold';

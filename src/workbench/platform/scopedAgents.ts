import { isDeepStrictEqual } from 'node:util';

/** What VS Code's `inspect` says of the setting `a2a.agents`: one object for each scope that has it. */
export interface InspectedAgents {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** From the weakest to the strongest. */
const scopes = ['default', 'user', 'workspace', 'folder'] as const;
export type Scope = (typeof scopes)[number];

const members: Readonly<Record<Scope, keyof InspectedAgents>> = {
  default: 'defaultValue',
  user: 'globalValue',
  workspace: 'workspaceValue',
  folder: 'workspaceFolderValue',
};

/** One agent as a scope has it, not checked. */
export interface ScopedAgent {
  readonly scope: Scope;
  readonly value: unknown;
}

/** The agents of one scope by name, in their order. */
export function agentsIn(inspected: InspectedAgents, scope: Scope): ReadonlyMap<string, unknown> {
  const value = inspected[members[scope]];
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/**
 * All agents, each one whole from the strongest scope that names it. VS Code's own merge goes deeper: a workspace that gives nothing
 * but a `url` would have the user's headers sent to it. Nothing of an untrusted workspace counts.
 */
export function scopedAgents(inspected: InspectedAgents, { trusted }: { readonly trusted: boolean }): ReadonlyMap<string, ScopedAgent> {
  const agents = new Map<string, ScopedAgent>();
  for (const scope of scopes.filter(each => trusted || each === 'default' || each === 'user')) {
    for (const [name, value] of agentsIn(inspected, scope)) agents.set(name, { scope, value });
  }
  return agents;
}

/** A folder of a workspace that has several, with what its own settings say. */
export interface AgentFolder {
  /** Its address as text, unique in the workspace. */
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
}

/** One agent of the window, under the name that it goes by there. */
export interface WindowAgent extends ScopedAgent {
  /** Its name in the setting. */
  readonly name: string;
  /** The folder whose settings have it, where the workspace has several folders. */
  readonly folder?: string;
}

/** What an entry of a scope is called in the window; `name` is what it would be called by itself. */
export type EntryNamer = (entry: ScopedAgent & { readonly name: string; readonly folder?: AgentFolder }) => string;

const asWritten: EntryNamer = ({ name }) => name;

/**
 * All agents of a window by the names they go by in it. Folders of one workspace may call different agents by one name, and files of each
 * folder mean their own: such an agent goes by its name and the folder's.
 */
export function windowAgents(
  inspected: InspectedAgents,
  folders: readonly AgentFolder[],
  trust: { readonly trusted: boolean },
  nameOf = asWritten,
): ReadonlyMap<string, WindowAgent> {
  const whole = scopedAgents(inspected, trust);
  // The person's own agents hold their names, also where a workspace's stand before them.
  for (const scope of ['default', 'user'] as const) for (const [name, value] of agentsIn(inspected, scope)) nameOf({ scope, name, value });
  const agents = new Map<string, WindowAgent>([...whole].map(([name, agent]) => [nameOf({ ...agent, name }), { ...agent, name }]));
  if (!trust.trusted) return agents;
  const entries = folders.flatMap(folder =>
    [...agentsIn({ workspaceFolderValue: folder.value }, 'folder')].map(([name, value]) => ({ folder, name, value })),
  );
  for (const { folder, name, value } of entries) {
    // The same entry once more is the same agent.
    if (same((whole.get(name) ?? agents.get(name))?.value, value)) continue;
    const alone = !whole.has(name) && !agents.has(name) && entries.every(other => other.name !== name || same(other.value, value));
    const wanted = alone ? name : freeName(agents, `${name} (${folder.name})`);
    const windowName = nameOf({ scope: 'folder', folder, name: wanted, value });
    agents.set(agents.has(windowName) ? freeName(agents, windowName) : windowName, { scope: 'folder', folder: folder.key, name, value });
  }
  return agents;
}

/** The name by which files of a folder mean an agent: their own folder's first, then the one that the setting has under that name. */
export function windowNameOf(
  agents: ReadonlyMap<string, WindowAgent>,
  folders: readonly AgentFolder[],
  folder: string | undefined,
  name: string,
): string {
  const own = folders.find(({ key }) => key === folder);
  const value = own === undefined ? undefined : agentsIn({ workspaceFolderValue: own.value }, 'folder').get(name);
  const meant = [...agents].filter(([, agent]) => agent.name === name);
  const found =
    (value === undefined
      ? undefined
      : (meant.find(([, agent]) => agent.folder === folder) ?? meant.find(([, agent]) => same(agent.value, value)))) ??
    meant.find(([, agent]) => agent.folder === undefined) ??
    (meant.length === 1 && !agents.has(name) ? meant[0] : undefined);
  return found?.[0] ?? name;
}

const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

function freeName(agents: ReadonlyMap<string, unknown>, wanted: string): string {
  let name = wanted;
  for (let number = 2; agents.has(name); number++) name = `${wanted} ${number}`;
  return name;
}

/** Where an agent stood that was taken out. */
export interface RemovedAgent {
  readonly name: string;
  readonly scope: Exclude<Scope, 'default'>;
  /** Its folder's key, where the workspace has several folders. */
  readonly folder?: string;
  readonly value: unknown;
  /** Its place among the agents of its scope, counted from 0. */
  readonly position: number;
}

/** Every place where an agent of that name can be taken out, the strongest first. */
export function placesOf(inspected: InspectedAgents, name: string, { trusted }: { readonly trusted: boolean }): RemovedAgent[] {
  return (trusted ? (['folder', 'workspace', 'user'] as const) : (['user'] as const)).flatMap(scope => {
    const agents = [...agentsIn(inspected, scope)];
    const position = agents.findIndex(([each]) => each === name);
    return position < 0 ? [] : [{ name, scope, value: agents[position]?.[1], position }];
  });
}

/** The agents of a scope with this one back in its place. */
export function withAgentBack(agents: ReadonlyMap<string, unknown>, { name, value, position }: RemovedAgent): ReadonlyMap<string, unknown> {
  return new Map([...agents].toSpliced(position, 0, [name, value]));
}

/** The agents of a scope with one under another name, in its place. */
export function withAgentRenamed(agents: ReadonlyMap<string, unknown>, from: string, to: string): ReadonlyMap<string, unknown> {
  return new Map([...agents].map(([name, value]) => [name === from ? to : name, value]));
}

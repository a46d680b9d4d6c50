import { isDeepStrictEqual } from 'node:util';

/** Result of VS Code's `inspect` for the setting `a2a.agents`: one object for each scope that sets it. */
export interface InspectedAgents {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** Scopes from the lowest to the highest precedence. */
const scopes = ['default', 'user', 'workspace', 'folder'] as const;
export type Scope = (typeof scopes)[number];

const members: Readonly<Record<Scope, keyof InspectedAgents>> = {
  default: 'defaultValue',
  user: 'globalValue',
  workspace: 'workspaceValue',
  folder: 'workspaceFolderValue',
};

/** The entry of one agent in one scope, not checked. */
interface ScopedAgent {
  readonly scope: Scope;
  readonly value: unknown;
}

/** The agents of one scope by name, in the order of the setting. */
export function agentsIn(inspected: InspectedAgents, scope: Scope): ReadonlyMap<string, unknown> {
  const value = inspected[members[scope]];
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/**
 * All agents; each entry is taken whole from the scope with the highest precedence that has it. VS Code's own merge goes deeper: if a
 * workspace set only a `url`, the headers of the user's settings would be sent to it. Settings of an untrusted workspace are ignored.
 */
export function scopedAgents(inspected: InspectedAgents, { trusted }: { readonly trusted: boolean }): ReadonlyMap<string, ScopedAgent> {
  const agents = new Map<string, ScopedAgent>();
  for (const scope of scopes.filter(each => trusted || each === 'default' || each === 'user')) {
    for (const [name, value] of agentsIn(inspected, scope)) agents.set(name, { scope, value });
  }
  return agents;
}

/** A folder of a multi-root workspace, with the value of its own settings. */
export interface AgentFolder {
  /** Its URI as text, unique in the workspace. */
  readonly key: string;
  readonly name: string;
  readonly value: unknown;
}

/** An agent of the window. */
export interface WindowAgent extends ScopedAgent {
  /** Its name in the setting, which can differ from its name in the window. */
  readonly name: string;
  /** Key of the folder whose settings have it, in a multi-root workspace. */
  readonly folder?: string;
}

/** Returns the name of an entry in the window; `name` is the name it would have without a conflict. */
export type EntryNamer = (entry: ScopedAgent & { readonly name: string; readonly folder?: AgentFolder }) => string;

const asWritten: EntryNamer = ({ name }) => name;

/**
 * All agents of a window by their names in the window. Two folders of a workspace may have different agents of one name, and the files of
 * each folder mean their own: the name of such an agent includes the folder's.
 */
export function windowAgents(
  inspected: InspectedAgents,
  folders: readonly AgentFolder[],
  trust: { readonly trusted: boolean },
  nameOf = asWritten,
): ReadonlyMap<string, WindowAgent> {
  const whole = scopedAgents(inspected, trust);
  // Named first, so that the user's own agents keep their names even where a workspace overrides them.
  for (const scope of ['default', 'user'] as const) for (const [name, value] of agentsIn(inspected, scope)) nameOf({ scope, name, value });
  const agents = new Map<string, WindowAgent>([...whole].map(([name, agent]) => [nameOf({ ...agent, name }), { ...agent, name }]));
  if (!trust.trusted) return agents;
  const entries = folders.flatMap(folder =>
    [...agentsIn({ workspaceFolderValue: folder.value }, 'folder')].map(([name, value]) => ({ folder, name, value })),
  );
  for (const { folder, name, value } of entries) {
    // A repeated equal entry is the same agent.
    if (same((whole.get(name) ?? agents.get(name))?.value, value)) continue;
    const alone = !whole.has(name) && !agents.has(name) && entries.every(other => other.name !== name || same(other.value, value));
    const wanted = alone ? name : freeName(agents, `${name} (${folder.name})`);
    const windowName = nameOf({ scope: 'folder', folder, name: wanted, value });
    agents.set(agents.has(windowName) ? freeName(agents, windowName) : windowName, { scope: 'folder', folder: folder.key, name, value });
  }
  return agents;
}

/** The name in the window of the agent that a file of a folder names: the agent of its own folder first, else that of the setting. */
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

/** An entry that was removed, and where it was. */
export interface RemovedAgent {
  readonly name: string;
  readonly scope: Exclude<Scope, 'default'>;
  /** Key of its folder, in a multi-root workspace. */
  readonly folder?: string;
  readonly value: unknown;
  /** Its index among the agents of its scope, from 0. */
  readonly position: number;
}

/** Every place from which an agent of that name can be removed, in descending precedence. */
export function removablePlacesOf(inspected: InspectedAgents, name: string, { trusted }: { readonly trusted: boolean }): RemovedAgent[] {
  return (trusted ? (['folder', 'workspace', 'user'] as const) : (['user'] as const)).flatMap(scope => {
    const agents = [...agentsIn(inspected, scope)];
    const position = agents.findIndex(([each]) => each === name);
    return position < 0 ? [] : [{ name, scope, value: agents[position]?.[1], position }];
  });
}

/** The agents of a scope with the removed one at its old position. */
export function withAgentRestored(
  agents: ReadonlyMap<string, unknown>,
  { name, value, position }: RemovedAgent,
): ReadonlyMap<string, unknown> {
  return new Map([...agents].toSpliced(position, 0, [name, value]));
}

/** The agents of a scope with one of them renamed, at the same position. */
export function withAgentRenamed(agents: ReadonlyMap<string, unknown>, from: string, to: string): ReadonlyMap<string, unknown> {
  return new Map([...agents].map(([name, value]) => [name === from ? to : name, value]));
}

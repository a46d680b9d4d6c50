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
  default: 'defaultValue', user: 'globalValue', workspace: 'workspaceValue', folder: 'workspaceFolderValue',
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

/** Where an agent stood that was taken out. */
export interface RemovedAgent {
  readonly name: string;
  readonly scope: Exclude<Scope, 'default'>;
  readonly value: unknown;
  /** Its place among the agents of its scope, counted from 0. */
  readonly position: number;
}

/** Every place where an agent of that name can be taken out, the strongest first. */
export function placesOf(inspected: InspectedAgents, name: string, { trusted }: { readonly trusted: boolean }): RemovedAgent[] {
  return (trusted ? ['folder', 'workspace', 'user'] as const : ['user'] as const).flatMap(scope => {
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

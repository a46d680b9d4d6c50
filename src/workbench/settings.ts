import * as vscode from 'vscode';
import { z } from 'zod';
import { log } from './log.ts';

const AgentSettings = z.object({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  interface: z.object({
    url: z.string().optional(),
    protocolBinding: z.string().optional(),
    protocolVersion: z.string().optional(),
  }).optional(),
});

/** One value of `a2a.agents`. */
export type AgentSettings = z.infer<typeof AgentSettings>;

const section = 'a2a';

/**
 * The setting `a2a.agents`, user and workspace merged by VS Code. An entry that does not fit is left out and written to the log;
 * the settings editor underlines it.
 */
export function configuredAgents(): Record<string, AgentSettings> {
  const agents: Record<string, AgentSettings> = {};
  const value = vscode.workspace.getConfiguration(section).get<unknown>('agents') ?? {};
  for (const [name, entry] of Object.entries(value)) {
    const parsed = AgentSettings.safeParse(entry);
    if (parsed.success) agents[name] = parsed.data;
    else log.warn(`Setting a2a.agents: "${name}" was left out: ${z.prettifyError(parsed.error)}`);
  }
  return agents;
}

export function onDidChangeAgents(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration('a2a.agents')) listener();
  });
}

/** Where the agent stands: in the workspace when it is defined there, else with the user. */
function targetOf(name: string): vscode.ConfigurationTarget {
  const inspected = vscode.workspace.getConfiguration(section).inspect<Record<string, unknown>>('agents');
  if (inspected?.workspaceFolderValue?.[name] !== undefined) return vscode.ConfigurationTarget.WorkspaceFolder;
  return inspected?.workspaceValue?.[name] === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
}

function valueAt(target: vscode.ConfigurationTarget): Record<string, unknown> {
  const inspected = vscode.workspace.getConfiguration(section).inspect<Record<string, unknown>>('agents');
  switch (target) {
    case vscode.ConfigurationTarget.Global: return { ...inspected?.globalValue };
    case vscode.ConfigurationTarget.Workspace: return { ...inspected?.workspaceValue };
    case vscode.ConfigurationTarget.WorkspaceFolder: return { ...inspected?.workspaceFolderValue };
  }
}

async function write(target: vscode.ConfigurationTarget, agents: Record<string, unknown>): Promise<void> {
  await vscode.workspace.getConfiguration(section).update('agents', agents, target);
}

/** Adds or replaces agents in the user's settings, or where they are defined already. */
export async function setAgents(agents: Readonly<Record<string, AgentSettings>>): Promise<void> {
  for (const target of new Set(Object.keys(agents).map(targetOf))) {
    const here = Object.fromEntries(Object.entries(agents).filter(([name]) => targetOf(name) === target));
    await write(target, { ...valueAt(target), ...here });
  }
}

/** Takes agents out of the settings; what was taken out is returned, so that it can be put back. */
export async function removeAgents(names: readonly string[]): Promise<Record<string, AgentSettings>> {
  const before = configuredAgents();
  for (const target of new Set(names.map(targetOf))) {
    const agents = valueAt(target);
    for (const name of names) delete agents[name];
    await write(target, agents);
  }
  return Object.fromEntries(names.flatMap(name => (before[name] === undefined ? [] : [[name, before[name]]])));
}

/** Gives an agent another name, in place, keeping its order among the others. */
export async function renameAgent(from: string, to: string): Promise<void> {
  const target = targetOf(from);
  await write(target, Object.fromEntries(Object.entries(valueAt(target)).map(([name, value]) => [name === from ? to : name, value])));
}

import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { ForgottenTasks } from '../../model/contexts/forgottenTasks.ts';
import type { RemoteListings } from '../../model/contexts/remoteListings.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { cardScheme } from '../agentCards/documents.ts';
import { nodeOf, type Node } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { confirmOrigin, foreignOriginOf } from '../agentsView/foreignOrigin.ts';
import { escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { explain, inARow, offerUndo } from '../platform/report.ts';
import {
  allowOrigin,
  isAddress,
  isConfigured,
  isNameTaken,
  notConfigured,
  removeAgent,
  renameAgent,
  restoreAgent,
  windowNameOfSetting,
  placeOfAgent,
} from '../platform/settings.ts';
import { addAgent } from './addAgent.ts';
import { openAddedAgent } from './addedAgent.ts';
import { memberRange } from '../../request/text/memberRange.ts';
import { readEntry } from '../platform/agentEntry.ts';

type AgentCommands = Pick<
  CommandHandlers,
  'a2a.addAgent' | 'a2a.refresh' | 'a2a.refreshAgents' | 'a2a.openAgentCard' | 'a2a.removeAgent' | 'a2a.copyAgentUrl' | 'a2a.allowOrigin'
>;

/** The agent that the argument names, or that the person picks among those for which `fits` is true. */
export async function pickAgent(
  agents: Agents,
  argument: unknown,
  fits: (agent: Agent) => boolean = () => true,
): Promise<Agent | undefined> {
  const given =
    nodeOf('agent', argument)?.agent ??
    (typeof argument === 'string' ? (agents.get(argument) ?? agents.get(windowNameOfSetting(argument))) : undefined);
  if (given !== undefined) return given;
  const all = agents.all.filter(fits);
  const [only] = agents.all;
  if (all.length === 0 && only !== undefined) throw notConfigured(only.name);
  if (all.length === 0) {
    throw new Problem('no-agents', sentence('No agents yet.'), {
      nextStep: sentence('Run "A2A: Add Agent…" or "A2A: Start Sample Agents".'),
    });
  }
  if (all.length === 1) return all[0];
  const picked = await vscode.window.showQuickPick(
    all.map(agent => ({
      label: escapeIcons(agent.name),
      description: escapeIcons(agent.url),
      detail: escapeIcons(agent.card?.description ?? ''),
      agent,
    })),
    { title: vscode.l10n.t('Which agent?'), matchOnDescription: true },
  );
  return picked?.agent;
}

/** Asks whether requests, or the credentials of the sign-in, may go to the origin that an agent's card names, and stores a yes. */
async function askForOrigin(agent: Agent, signIn: (agent: Agent) => Promise<boolean>): Promise<void> {
  const origin = foreignOriginOf(agent.problem);
  if (origin === undefined && agent.withheld?.origin !== undefined) {
    await signIn(agent);
    return;
  }
  if (origin === undefined)
    throw new Problem('no-foreign-origin', sentence('The agent "{0}" uses no address that needs to be allowed.', agent.name));
  if (await confirmOrigin(agent.name, origin)) await allowOrigin(agent.name, origin);
}

/** The agent that a command applies to, which must be in the settings; the sample agents are not. */
export async function configuredAgent(agents: Agents, argument: unknown): Promise<Agent | undefined> {
  const agent = await pickAgent(agents, argument, ({ name }) => isConfigured(name));
  if (agent === undefined || isConfigured(agent.name)) return agent;
  throw notConfigured(agent.name);
}

/** Opens the text of an agent's card. Rejects with a `Problem`. */
async function openCard(agent: Agent, documents: ReadOnlyDocuments): Promise<void> {
  try {
    await agent.prepare();
    await agent.connect();
  } catch (error) {
    // The card was read; only its address for requests is not allowed yet.
    if (foreignOriginOf(error) === undefined || agent.cardSource === undefined) throw error;
    const { message, nextStep } = explain(error);
    const allow = vscode.l10n.t('Allow…');
    void vscode.window
      .showWarningMessage(escapeLinks(inARow(message, nextStep)), ...(isConfigured(agent.name) ? [allow] : []))
      .then(choice => {
        if (choice === allow) void vscode.commands.executeCommand('a2a.allowOrigin', agent.name);
      });
  }
  if (agent.noCard !== undefined) throw agent.noCard;
  await documents.open(cardScheme, `${agent.name}.agent-card`, agent.name);
}

/** Renames an agent of the settings, and with it its history, as the person types it. */
export async function askAgentName({ name }: Agent, agents: Agents, contexts: AgentContexts): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Agent'),
    value: name,
    ignoreFocusOut: true,
    validateInput: value =>
      value.trim() === ''
        ? vscode.l10n.t('A name is needed.')
        : value.trim() !== name && (isNameTaken(value.trim()) || agents.get(value.trim()) !== undefined)
          ? vscode.l10n.t('An agent with that name already exists.')
          : undefined,
  });
  const wanted = typed?.trim();
  if (wanted === undefined || wanted === name) return;
  const renamed = await renameAgent(name, wanted);
  await contexts.patiently(() => contexts.renameAgent(name, renamed));
}

export function agentCommands({
  agents,
  contexts,
  listings,
  forgotten,
  documents,
  openChat,
  revealRow,
  signIn,
  selected,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly forgotten: ForgottenTasks;
  readonly documents: ReadOnlyDocuments;
  readonly openChat: (agent: string) => Promise<unknown>;
  /** Selects the row of an agent, which does not get the focus. */
  readonly revealRow: (agent: string) => Promise<void>;
  /** Signs in to an agent; where its interface gets no credentials, it asks whether it may have them. */
  readonly signIn: (agent: Agent) => Promise<boolean>;
  /** The row that a command applies to if it has no argument, as from a keybinding. */
  readonly selected: () => Node | undefined;
}): AgentCommands {
  const meant = (argument: unknown, fits?: (agent: Agent) => boolean): Promise<Agent | undefined> =>
    pickAgent(agents, argument ?? selected(), fits);
  const configured = (argument: unknown): Promise<Agent | undefined> => configuredAgent(agents, argument ?? selected());
  const refresh = async (agent: Agent): Promise<void> => {
    await agent.check({ anew: true });
    // Not awaited: the tree shows the tasks as they arrive.
    if (agent.reachability !== 'reachable') return;
    void listings.refresh(agent.name);
    void forgotten.look(agent.name);
  };
  const refreshAll = (): Promise<unknown> => Promise.all(agents.all.map(refresh));
  return {
    'a2a.addAgent': async argument => {
      // The button in the view's title gives the focused row, which may be that of a configured agent.
      const row = nodeOf('agent', argument)?.name ?? '';
      const unconfigured = isAddress(row) && !isConfigured(row) ? row : undefined;
      const added = await addAgent(agents, signIn, unconfigured);
      if (added === undefined) return;
      const { name, url } = added;
      // The history of the bare address now belongs to the agent with that address.
      if (url === unconfigured) await contexts.patiently(() => contexts.renameAgent(unconfigured, name));
      await Promise.all([revealRow(name), openAddedAgent(name, agents.get(name), openChat)]);
    },
    'a2a.refresh': async argument => {
      const task = nodeOf('task', argument)?.task;
      if (task !== undefined) return contexts.get(task.context)?.refreshTask(task.taskId);
      if (typeof argument !== 'string' && nodeOf('agent', argument) === undefined) return refreshAll();
      const agent = await pickAgent(agents, argument);
      if (agent === undefined) return undefined;
      await agent.prepare();
      return refresh(agent);
    },
    // A command of its own: the button in the view's title would give the focused row to the one above.
    'a2a.refreshAgents': refreshAll,
    'a2a.openAgentCard': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent !== undefined) await openCard(agent, documents);
    },
    'a2a.allowOrigin': async argument => {
      const agent = await configured(argument);
      if (agent !== undefined) await askForOrigin(agent, signIn);
    },
    'a2a.removeAgent': async argument => {
      const agent = await configured(argument);
      if (agent === undefined) return;
      const removed = await removeAgent(agent.name);
      const hasHistory = contexts.count({ agent: agent.name }, 1) > 0;
      offerUndo(
        hasHistory
          ? vscode.l10n.t('Removed the agent "{0}". Its history is kept.', agent.name)
          : vscode.l10n.t('Removed the agent "{0}".', agent.name),
        () => restoreAgent(removed),
        hasHistory
          ? {
              title: vscode.l10n.t('Delete History'),
              action: () => vscode.commands.executeCommand('a2a.deleteFromHistory', agent.name),
            }
          : undefined,
      );
    },
    'a2a.copyAgentUrl': async argument => {
      const agent = await meant(argument);
      if (agent !== undefined) await vscode.env.clipboard.writeText(agent.url);
    },
  };
}

/** Opens the settings file at the line of an agent's entry. */
export function agentSettingsCommand(selected: () => Node | undefined): Pick<CommandHandlers, 'a2a.openAgentSettings'> {
  return {
    'a2a.openAgentSettings': async argument => {
      const name = typeof argument === 'string' ? argument : nodeOf('agent', argument ?? selected())?.name;
      if (name === undefined) throw new Problem('nothing-selected', sentence('Select an agent in the A2A view first.'));
      const place = placeOfAgent(name);
      if (place === undefined) throw notConfigured(name);
      const { mistake, ...read } = readEntry(place.name, place.value);
      const path = ['a2a.agents', place.name, ...(mistake !== undefined && 'path' in read ? read.path : [])];
      for (const open of filesOf(place)) {
        const editor = await open();
        const inside = editor?.document.uri.path.endsWith('.code-workspace') === true ? ['settings', ...path] : path;
        const least = inside.length - path.length + 2;
        const found = editor && memberRange(editor.document.getText(), inside);
        if (editor === undefined || found === undefined || found.found < least) continue;
        const { offset, length } = found.range;
        const range = new vscode.Range(editor.document.positionAt(offset), editor.document.positionAt(offset + length));
        editor.selection = new vscode.Selection(range.start, range.end);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        return;
      }
    },
  };
}

type Open = () => Promise<vscode.TextEditor | undefined>;

/** The files that can have the entry, the likeliest first: on a remote machine, the user's settings are in two files. */
function filesOf({ scope, folder }: { readonly scope: 'user' | 'workspace' | 'folder'; readonly folder?: string }): readonly Open[] {
  const file =
    (uri: vscode.Uri): Open =>
    async () =>
      vscode.window.showTextDocument(uri);
  const own = (root: vscode.Uri): Open => file(vscode.Uri.joinPath(root, '.vscode', 'settings.json'));
  const command =
    (id: string): Open =>
    async () => {
      await vscode.commands.executeCommand(id);
      return vscode.window.activeTextEditor;
    };
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const { workspaceFile } = vscode.workspace;
  if (folder !== undefined) return [own(vscode.Uri.parse(folder, true))];
  if (scope !== 'user') return workspaceFile !== undefined ? [file(workspaceFile)] : first === undefined ? [] : [own(first.uri)];
  const user = command('workbench.action.openSettingsJson');
  return vscode.env.remoteName === undefined ? [user] : [user, command('workbench.action.openRemoteSettingsFile')];
}

import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import type { Agents } from '../model/agents.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { nodeOf } from './agentNodes.ts';
import { oneLine } from './oneLine.ts';
import type { CommandHandlers } from './commands.ts';
import type { ReadOnlyDocuments } from './readOnlyDocuments.ts';
import { explain } from './report.ts';
import { configuredAgents, removeAgents, renameAgent, setAgents } from './settings.ts';

export const cardScheme = 'a2a-card';

type AgentCommands = Pick<CommandHandlers,
  'a2a.addAgent' | 'a2a.refreshAgents' | 'a2a.openAgentCard' | 'a2a.refreshAgent' | 'a2a.renameAgent' | 'a2a.removeAgent' | 'a2a.copyAgentUrl'>;

/** The agent a menu, a link or the person names. */
export async function pickAgent(agents: Agents, argument: unknown): Promise<Agent | undefined> {
  const given = nodeOf('agent', argument)?.agent ?? (typeof argument === 'string' ? agents.get(argument) : undefined);
  if (given !== undefined) return given;
  const { all } = agents;
  if (all.length === 0) {
    throw new Problem('no-agents', sentence('There is no agent yet.'), { nextStep: sentence('Run "A2A: Add Agent…" or "A2A: Start Sample Agents".') });
  }
  const picked = await vscode.window.showQuickPick(
    all.map(agent => ({ label: agent.name, description: agent.url, detail: oneLine(agent.card?.description ?? ''), agent })),
    { title: vscode.l10n.t('Which agent?'), matchOnDescription: true });
  return picked?.agent;
}

/** Takes the name of the card, and a number where that is taken. */
function freeName(wanted: string): string {
  const taken = configuredAgents();
  const base = oneLine(wanted).slice(0, 60) || vscode.l10n.t('Agent');
  let name = base;
  for (let number = 2; taken[name] !== undefined; number++) name = `${base} ${number}`;
  return name;
}

/**
 * Asks for a URL until a card is found there or the person gives up. A wrong one gets its reason under the box, and what was typed
 * stays.
 */
async function addAgent(agents: Agents): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Add Agent');
  box.prompt = vscode.l10n.t('Base URL of the agent, or the address of its agent card');
  box.placeholder = 'http://localhost:9999';
  box.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let looking: AbortController | undefined;
  box.onDidChangeValue(() => {
    looking?.abort();
    box.validationMessage = undefined;
  });
  box.onDidHide(() => {
    looking?.abort();
    resolve(undefined);
  });
  box.onDidAccept(async () => {
    looking?.abort();
    const mine = looking = new AbortController();
    box.busy = true;
    try {
      const url = box.value.trim();
      const known = agents.all.find(agent => agent.url === url);
      if (known !== undefined) throw new Problem('known-agent', sentence('This address is in the list already, as "{0}".', known.name));
      const found = agents.find(url);
      await found.connect({ refresh: true });
      if (mine.signal.aborted) return;
      const name = freeName(found.card?.name ?? '');
      await setAgents({ [name]: { url } });
      resolve(name);
    } catch (error) {
      if (mine.signal.aborted) return;
      const { message, nextStep } = explain(error);
      box.validationMessage = { message: [message, nextStep].filter(Boolean).join(' '), severity: vscode.InputBoxValidationSeverity.Error };
    } finally {
      if (looking === mine) box.busy = false;
    }
  });
  box.show();
  return promise.finally(() => box.dispose());
}

export function agentCommands({ agents, contexts, documents, openChat }: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  readonly openChat: (agent: string) => void;
}): AgentCommands {
  return {
    'a2a.addAgent': async () => {
      const name = await addAgent(agents);
      if (name === undefined) return;
      const chat = vscode.l10n.t('Chat');
      const card = vscode.l10n.t('Open Card');
      // Not awaited: the command is done, whatever becomes of the notification.
      void vscode.window.showInformationMessage(vscode.l10n.t('Added the agent "{0}".', name), chat, card).then(choice => {
        if (choice === chat) openChat(name);
        if (choice === card) void vscode.commands.executeCommand('a2a.openAgentCard', name);
      });
    },
    'a2a.refreshAgents': () => Promise.all(agents.all.map(agent => agent.check())),
    'a2a.refreshAgent': async argument => (await pickAgent(agents, argument))?.check(),
    'a2a.openAgentCard': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent === undefined) return;
      await agent.connect();
      await documents.open(cardScheme, `${agent.name}.agent-card`, agent.name);
    },
    'a2a.renameAgent': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent === undefined) return;
      const name = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename Agent'), value: agent.name,
        validateInput: value => value.trim() === '' ? vscode.l10n.t('A name is needed.')
          : value.trim() !== agent.name && configuredAgents()[value.trim()] !== undefined ? vscode.l10n.t('There is an agent of that name already.')
          : undefined,
      });
      if (name === undefined || name.trim() === agent.name) return;
      contexts.renameAgent(agent.name, name.trim());
      await renameAgent(agent.name, name.trim());
    },
    'a2a.removeAgent': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent === undefined) return;
      const removed = await removeAgents([agent.name]);
      const undo = vscode.l10n.t('Undo');
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Removed the agent "{0}". Its history is kept.', agent.name), undo).then(async choice => {
        if (choice === undo) await setAgents(removed);
      });
    },
    'a2a.copyAgentUrl': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent !== undefined) await vscode.env.clipboard.writeText(agent.url);
    },
  };
}

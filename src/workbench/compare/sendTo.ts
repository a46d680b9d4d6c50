import * as vscode from 'vscode';
import type { OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { headersFor } from '../../model/agents/wantedConnection.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { unknownAgent } from '../../model/contexts/unknownAgent.ts';
import type { MessageToSend } from '../../model/requests/requestRuns.ts';
import type { SendOptions } from '../../model/run/sendOptions.ts';
import { textOf } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { ensureCard } from '../agents/ensureCard.ts';
import { confirmExtensions } from '../agents/requiredExtensions.ts';
import { confirmOrigins } from '../agentsView/foreignOrigin.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { escapeIcons, oneLine, truncated } from '../platform/untrustedText.ts';
import { maxRuns } from './comparisonPages.ts';

/** An agent with the interface that a message goes to; without one, that of its settings or card. */
interface Recipient {
  readonly agent: Agent;
  readonly offered?: OfferedInterface;
}

export interface SendToNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly activeChat: () => AgentContext | undefined;
  /**
   * The message of a request of a file, once its agent is known and `choose` has said to which addresses it goes; undefined if the person
   * cancels. Rejects with a `Problem`.
   */
  readonly messageOf: (
    file: unknown,
    key: unknown,
    choose: (agent: string) => Promise<readonly string[] | undefined>,
  ) => Promise<MessageToSend | undefined>;
  /** Shows the runs of these contexts beside each other. */
  readonly compare: (contexts: readonly string[]) => void;
}

/**
 * The command that sends a request of a file, or the last message of the active chat, to agents and interfaces that the person picks, each
 * time in a new context, and compares what comes of it.
 */
export async function sendTo(file: unknown, key: unknown, needs: SendToNeeds): Promise<void> {
  const { agents, contexts, activeChat, messageOf, compare } = needs;
  let recipients: readonly Recipient[] = [];
  const choose = async (name: string, said?: string): Promise<readonly string[] | undefined> => {
    recipients = (await pickRecipients(agents.find(name), agents, said)) ?? [];
    return recipients.length === 0 ? undefined : recipients.flatMap(addressesOf);
  };
  // A code lens passes the file's URI as a string; anything else means the active editor or chat.
  const chat = typeof file === 'string' ? undefined : activeChat();
  const message = chat === undefined ? await messageOf(file, key, choose) : await lastMessage(chat, choose);
  if (message === undefined) return;
  const sent: string[] = [];
  for (const recipient of recipients) {
    const context = await contexts.patiently(() => contexts.create(recipient.agent.name));
    await contexts.patiently(() => context.send(optionsFor(recipient, message)));
    sent.push(context.key);
  }
  compare(sent);
}

/** The person's last message of a chat. */
async function lastMessage(
  context: AgentContext,
  choose: (agent: string, said: string) => Promise<unknown>,
): Promise<MessageToSend | undefined> {
  const { agent } = context;
  if (agent === undefined) unknownAgent(context.agentName);
  const last = context.entries({ limit: 200 }).items.findLast(entry => entry.kind === 'message' && entry.message.role === 'ROLE_USER');
  if (last?.kind !== 'message') {
    throw new Problem('no-message', sentence('This chat has no message to send.'), { nextStep: sentence('Send one first.') });
  }
  await ensureCard(agent);
  const chosen = await choose(agent.name, textOf(last.message.parts));
  return chosen === undefined ? undefined : { agent: agent.name, params: { message: last.message } };
}

/** Asks to whom a message goes: the interfaces of its own agent come first and are chosen already. */
async function pickRecipients(own: Agent, agents: Agents, said: string | undefined): Promise<readonly Recipient[] | undefined> {
  const all = [own, ...agents.all.filter(({ name }) => name !== own.name)];
  const items = all.flatMap(agent => [
    { label: escapeIcons(agent.name), kind: vscode.QuickPickItemKind.Separator, recipient: { agent } },
    ...recipientsOf(agent).map(recipient => ({
      label: escapeIcons(agent.name),
      description: escapeIcons(recipient.offered === undefined ? agent.url : interfaceName(recipient.offered.interface)),
      detail: escapeIcons(recipient.offered?.interface.url ?? ''),
      picked: agent === own,
      recipient,
    })),
  ]);
  const picked = await vscode.window.showQuickPick(items, {
    title: said === undefined ? vscode.l10n.t('Send To') : vscode.l10n.t('Send “{0}” To', escapeIcons(truncated(oneLine(said), 60))),
    placeHolder: vscode.l10n.t('It goes to each in a new context, and the answers are compared.'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  if (picked.length > maxRuns) throw new Problem('too-many', sentence('At most {0} runs can be compared.', maxRuns));
  const recipients = picked.map(({ recipient }) => recipient);
  const asked = [...new Set(recipients.map(({ agent }) => agent))];
  if (!(await confirmExtensions(asked))) return undefined;
  for (const agent of asked) if (!(await confirmOrigins(agent))) return undefined;
  return recipients;
}

/** The agent once for each of its interfaces, as far as its card was read. */
function recipientsOf(agent: Agent): readonly Recipient[] {
  const supported = agent.interfaces.offered.filter(({ isSupported }) => isSupported);
  const keyOf = ({ wanted, interface: { url } }: OfferedInterface): string => JSON.stringify([wanted, url]);
  const different = new Map(supported.map(offered => [keyOf(offered), offered]));
  return different.size === 0 ? [{ agent }] : [...different.values()].map(offered => ({ agent, offered }));
}

/** Addresses that the message may go to; where no interface is picked, all that the agent's card has by now. */
const addressesOf = ({ agent, offered }: Recipient): readonly string[] =>
  (offered === undefined
    ? [agent.url, ...recipientsOf(agent).flatMap(each => each.offered?.interface.url ?? [])]
    : [offered.interface.url]
  ).filter(url => URL.canParse(url) && agent.trusts(new URL(url)));

/** Ids, tenant, configuration and headers are for the message's own agent; another one gets what the message says. */
function optionsFor({ agent, offered }: Recipient, { agent: own, params, streaming, headers }: MessageToSend): SendOptions {
  const {
    message: { parts, messageId: _, contextId: __, taskId: ___, ...rest },
    configuration,
    metadata,
    tenant,
  } = params;
  const connection =
    offered && (headers === undefined ? offered.wanted : { ...offered.wanted, headers: headersFor(offered.interface.url, headers) });
  const shared = { parts, target: 'new-task', ...(offered !== undefined && { interface: connection }) } as const;
  if (agent.name !== own) {
    const { metadata: ofMessage } = rest;
    return { ...shared, interface: offered?.wanted, ...(ofMessage !== undefined && { message: { metadata: ofMessage } }) };
  }
  return { ...shared, streaming, configuration, metadata, tenant, message: rest };
}

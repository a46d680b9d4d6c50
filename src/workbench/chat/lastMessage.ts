import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { textOf } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { confirmExtensions } from '../agents/requiredExtensions.ts';
import { confirmOrigins } from '../agentsView/foreignOrigin.ts';
import { comparisonScheme, type ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { type EveryInterfaceRequest, InterfaceComparison } from '../requests/interfaceComparison.ts';
import { ensureCard } from '../agents/ensureCard.ts';
import { logError } from '../platform/log.ts';
import { oneLine, truncated } from '../platform/untrustedText.ts';
import { sendOnEveryInterface } from '../../model/requests/compareInterfaces.ts';

/**
 * The person's last message of a chat, to be sent on every interface of its agent; undefined if the person cancels. Rejects with a
 * `Problem`.
 */
export async function lastMessage(context: AgentContext, contexts: AgentContexts): Promise<EveryInterfaceRequest | undefined> {
  const { agent } = context;
  if (agent === undefined) {
    throw new Problem('unknown-agent', sentence('The agent "{0}" is not configured.', context.agentName), {
      nextStep: sentence('Add it with "A2A: Add Agent…" and its address, then try again.'),
    });
  }
  const last = context.entries({ limit: 200 }).items.findLast(entry => entry.kind === 'message' && entry.message.role === 'ROLE_USER');
  if (last?.kind !== 'message') {
    throw new Problem('no-message', sentence('This chat has no message to send.'), {
      nextStep: sentence('Send one first.'),
    });
  }
  await ensureCard(agent);
  if (!(await confirmExtensions([agent])) || !(await confirmOrigins(agent))) return undefined;
  const text = textOf(last.message.parts);
  const again = vscode.l10n.t('Send Again');
  const asked = vscode.l10n.t('Send the last message again, on every interface of "{0}"?', oneLine(agent.name));
  const chosen = await vscode.window.showWarningMessage(asked, { modal: true, detail: truncated(text, 500) }, again);
  if (chosen !== again) return undefined;
  const { agent: current = agent } = context;
  await ensureCard(current);
  const operation = current.card?.capabilities.streaming === true ? 'SendStreamingMessage' : 'SendMessage';
  return {
    agent: agent.name,
    text,
    async *outcomes(signal) {
      yield* sendOnEveryInterface({
        agent: current,
        contexts,
        request: { operation, params: { message: last.message } },
        signal,
        onError: logError,
      });
    },
  };
}

/** The command that sends a request of a file, or the last message of the active chat, on every interface of its agent. */
export function everyInterfaceCommand({
  contexts,
  documents,
  activeChat,
  requestOf,
}: {
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  readonly activeChat: () => AgentContext | undefined;
  readonly requestOf: (file: unknown, key: unknown) => Promise<EveryInterfaceRequest | undefined>;
}): Pick<CommandHandlers, 'a2a.sendOnEveryInterface'> {
  const comparison = new InterfaceComparison(documents);
  documents.add(comparisonScheme, { extension: 'json', render: key => comparison.textOf(key) });
  return {
    'a2a.sendOnEveryInterface': async (file, key) => {
      // A code lens passes the file's URI as a string; anything else means the active editor or chat.
      const chat = typeof file === 'string' ? undefined : activeChat();
      const what = chat === undefined ? await requestOf(file, key) : await lastMessage(chat, contexts);
      if (what !== undefined) await comparison.run(what);
    },
  };
}

import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { parseInterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { importCurl, isAboutHeaders } from '../../request/import/curl.ts';
import { imported, isImportable } from '../../request/import/paste.ts';
import { requestFileText, type RequestJson } from '../../request/import/requestJson.ts';
import { recordingOf } from '../../request/import/recording.ts';
import { requestsOfMessages, requestsOfTask } from '../../request/import/task.ts';
import { nodeOf } from '../agentsView/agentNodes.ts';
import { selectorLabel } from '../platform/interfaceNames.ts';
import { openUntitled } from '../platform/untitledDocument.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { inARow, report, translate } from '../platform/report.ts';

/** Maximum number of entries of a chat, the newest ones, that are searched for messages. */
const maxEntries = 500;

/** *Import Request*: makes a request from a cURL command or a JSON-RPC body and opens it as an unsaved file. */
export async function importRequest(given: unknown, agents: Pick<Agents, 'interfaceAt'>): Promise<void> {
  const text = typeof given === 'string' ? given : await textToImport();
  if (text === undefined) return;
  const { requests, raw, remarks } = imported(text);
  await openRequests(requestFileText(requests.map(request => namedAgent(request, agents))));
  const asWritten = raw === undefined ? [] : [vscode.l10n.t('Open as Written')];
  const settings = remarks.some(isAboutHeaders) ? [vscode.l10n.t('Open Settings')] : [];
  const words = remarks.length === 0 ? vscode.l10n.t('The request was imported.') : inARow(...remarks.map(translate));
  // Not awaited: the command is done before the notification is closed.
  void vscode.window
    .showInformationMessage(escapeLinks(words), ...settings, ...asWritten)
    .then(async choice => {
      if (choice === undefined) return;
      if (settings.includes(choice)) await vscode.commands.executeCommand('workbench.action.openSettings', 'a2a.agents');
      else if (raw !== undefined) await openRequests(raw);
    })
    .then(undefined, report);
}

/** The request with the name of the agent whose interface it was sent to, if that is configured here. */
function namedAgent(request: RequestJson, agents: Pick<Agents, 'interfaceAt'>): RequestJson {
  const { url, protocolBinding, protocolVersion = '' } = parseInterfaceSelector(request.interface ?? '') ?? {};
  const found = url === undefined ? undefined : agents.interfaceAt(url);
  if (found === undefined) return request;
  const own = found.offered.find(
    ({ interface: one }) => one.protocolBinding === protocolBinding && versionOf(one.protocolVersion) === versionOf(protocolVersion),
  );
  return { ...request, agent: found.agent.name, ...(own && { interface: selectorLabel(own.wanted) }) };
}

/**
 * Opens the requests of a task of the history, or of a chat, as an unsaved file.
 * @param argument the task's row in the tree; without one the active chat is taken
 * @throws Problem `nothing-selected` without both, `gone` where the history no longer has the task
 */
export async function requestFromTask(
  argument: unknown,
  { contexts, activeChat }: { readonly contexts: AgentContexts; readonly activeChat: () => AgentContext | undefined },
): Promise<void> {
  const node = nodeOf('task', argument);
  const chat = node === undefined ? activeChat() : undefined;
  if (chat !== undefined) {
    await openRequests(requestsOfChat(chat));
    return;
  }
  if (node === undefined) throw new Problem('nothing-selected', sentence('Select a task in the A2A view first.'));
  const context = contexts.get(node.task.context);
  const task = context?.task(node.task.taskId);
  if (context === undefined || task === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
  await openRequests(requestFileText(requestsOfTask(task, context.agentName)));
}

/**
 * Opens a chat as a test: its messages, with what came of each as expectations, as an unsaved file.
 * @param argument the context's row in the tree; without one the active chat is taken
 */
export async function recordTest(
  argument: unknown,
  { contexts, activeChat }: { readonly contexts: AgentContexts; readonly activeChat: () => AgentContext | undefined },
): Promise<void> {
  const node = nodeOf('context', argument);
  const context = node === undefined ? activeChat() : contexts.get(node.context.key);
  if (context === undefined) throw new Problem('nothing-selected', sentence('Open a chat or select a context in the A2A view first.'));
  const { requests, left } = recordingOf(context.entries({ limit: maxEntries }).items, context.agentName);
  if (requests.length === 0) throw withoutMessages();
  await openRequests(requestFileText(requests));
  if (left === 0) return;
  void vscode.window.showInformationMessage(
    left === 1
      ? vscode.l10n.t('One message is not in the test: the agent refused it, or its delivery is unknown.')
      : vscode.l10n.t('{0} messages are not in the test: the agent refused them, or their delivery is unknown.', left),
  );
}

const withoutMessages = (): Problem =>
  new Problem('no-message', sentence('This chat has no message to send.'), { nextStep: sentence('Send one first.') });

/** The person's messages in a chat, from its newest `maxEntries` entries. */
function requestsOfChat(context: AgentContext): string {
  const messages = context.entries({ limit: maxEntries }).items.flatMap(entry => (entry.kind === 'message' ? [entry.message] : []));
  const requests = requestsOfMessages(messages, context.agentName);
  if (requests.length === 0) throw withoutMessages();
  return requestFileText(requests);
}

/** The clipboard's text if it can be imported, else what the person types. */
async function textToImport(): Promise<string | undefined> {
  const copied = await vscode.env.clipboard.readText();
  if (isImportable(copied)) return copied;
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Import Request'),
    prompt: vscode.l10n.t('Paste a cURL command or a JSON-RPC body.'),
    ignoreFocusOut: true,
  });
}

const openRequests = (text: string): Promise<unknown> => openUntitled('request', '.a2a', text);

/**
 * A request file with the request of a recorded exchange, as a cURL command, sent to the agent of this name. The query of its address may
 * have masks in place of credentials: then the interface is named without address.
 */
export function requestOfCurl(command: string, agent: string): string {
  const { request } = importCurl(command);
  const { url, ...kind } = parseInterfaceSelector(request.interface ?? '') ?? {};
  return requestFileText([{ ...request, agent, interface: selectorLabel(url?.includes('?') === true ? kind : { ...kind, url }) }]);
}

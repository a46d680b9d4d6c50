import * as vscode from 'vscode';
import type { AgentContext } from '../model/agentContext.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { importCurl } from '../request/import/curl.ts';
import { importJsonRpc, type Imported } from '../request/import/jsonRpc.ts';
import { requestFileText } from '../request/import/requestJson.ts';
import { requestsOfMessages, requestsOfTask } from '../request/import/task.ts';
import { writeJson } from '../request/indentJson.ts';
import { nodeOf } from './agentNodes.ts';
import type { CommandHandlers } from './commands.ts';
import { openUntitled } from './freeUntitled.ts';
import { unlinked } from './oneLine.ts';
import { report, translate } from './report.ts';
import { requestLanguage } from './requestDocuments.ts';

/** Longest text that is looked at for a request, in UTF-16 code units. */
const longest = 1_000_000;
/** Most entries of a chat that are looked through for messages. */
const mostEntries = 500;

const isCurl = (text: string): boolean => /^\s*(\$\s+)?curl\s/.test(text);
const isJson = (text: string): boolean => /^\s*(\/\/|\/\*|\{)/.test(text) && /["'“”]?method["'“”]?\s*:/.test(text);
const isImportable = (text: string): boolean => text.length <= longest && (isCurl(text) || isJson(text));
const imported = (text: string): Imported => (isCurl(text) ? importCurl(text) : importJsonRpc(text));

/** Requests from elsewhere: a cURL command, a JSON-RPC body, a task of the history, the chat in front. They open as unsaved files. */
export function importCommands(contexts: AgentContexts, activeChat: () => AgentContext | undefined): Pick<CommandHandlers, 'a2a.importRequest' | 'a2a.requestFromTask'> {
  return {
    'a2a.importRequest': async given => {
      const text = typeof given === 'string' ? given : await textToImport();
      if (text === undefined) return;
      const { request, raw, remarks } = imported(text);
      await openRequests(requestFileText([request]));
      const asWritten = raw === undefined ? [] : [vscode.l10n.t('Open Just as Written')];
      const words = [vscode.l10n.t('The request was imported.'), ...remarks.map(translate)].join(' ');
      // Not awaited: the command is done, whatever becomes of the notification.
      void vscode.window.showInformationMessage(unlinked(words), ...asWritten).then(async choice => {
        if (choice !== undefined && raw !== undefined) await openRequests(raw);
      }).then(undefined, report);
    },
    'a2a.requestFromTask': async argument => {
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
    },
  };
}

/** What the person said in a chat, as far as its last entries go. */
function requestsOfChat(context: AgentContext): string {
  const messages = context.entries({ limit: mostEntries }).items.flatMap(entry => (entry.kind === 'message' ? [entry.message] : []));
  const requests = requestsOfMessages(messages, context.agentName);
  if (requests.length === 0) throw new Problem('no-message', sentence('There is no message in this chat that could be sent.'), { nextStep: sentence('Send one first.') });
  return requestFileText(requests);
}

/** What lies in the clipboard where that is a request, else what the person gives. */
async function textToImport(): Promise<string | undefined> {
  const copied = await vscode.env.clipboard.readText();
  if (isImportable(copied)) return copied;
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Import Request'), prompt: vscode.l10n.t('Paste a cURL command or a JSON-RPC body.'), ignoreFocusOut: true,
  });
}

const openRequests = (text: string): Promise<unknown> => openUntitled('request', '.a2a', text);

const pasteKind = vscode.DocumentDropOrPasteEditKind.Empty.append('a2a', 'request');

/** Pasting a cURL command or a JSON-RPC body into a request file offers it as a request. */
export function registerPasting(): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider({ language: requestLanguage }, {
    async provideDocumentPasteEdits(document, ranges, data) {
      const text = await data.get('text/plain')?.asString();
      if (text === undefined || !isImportable(text) || isInString(document, ranges[0])) return [];
      const request = offered(text);
      if (request === undefined) return [];
      const whole = document.getText().trim() === '';
      const edit = new vscode.DocumentPasteEdit(whole ? requestFileText([request]) : writeJson(request), vscode.l10n.t('Insert as A2A Request'), pasteKind);
      // A JSON-RPC body can stand in a request file as it is; a command cannot.
      if (!isCurl(text)) edit.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
      return [edit];
    },
  }, { providedPasteEditKinds: [pasteKind], pasteMimeTypes: ['text/plain'] });
}

/** What looks like a request and is none is pasted as the text it is. */
function offered(text: string): Imported['request'] | undefined {
  try {
    return imported(text).request;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Within quotes a text stays a text. */
function isInString(document: vscode.TextDocument, range: vscode.Range | undefined): boolean {
  if (range === undefined) return false;
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character).replaceAll(/\\./g, '');
  return before.split('"').length % 2 === 0;
}

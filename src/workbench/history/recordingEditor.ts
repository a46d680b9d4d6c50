import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ChatPanels } from '../chat/panels.ts';
import { log, logError } from '../platform/log.ts';
import { explain, inARow } from '../platform/report.ts';
import { escapeControls, oneLine, truncated } from '../platform/untrustedText.ts';

/** Largest recording that is opened, in bytes, most lines, and most requests: a larger one would keep the extension from its other work for long. */
const maxBytes = 64 * 2 ** 20;
const maxLines = 200_000;
const maxRequests = 10_000;

/** Opens recordings as what they are: the conversation, from the history, in the tab of the file. */
export class RecordingEditor implements vscode.CustomReadonlyEditorProvider {
  static readonly viewType = 'a2a-recording';
  readonly #contexts: AgentContexts;
  readonly #panels: ChatPanels;

  constructor(contexts: AgentContexts, panels: ChatPanels) {
    this.#contexts = contexts;
    this.#panels = panels;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => {} };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    try {
      this.#panels.showIn(panel, await putIntoHistory(uri, this.#contexts));
    } catch (error) {
      refuse(panel, uri, error);
    }
  }
}

/** The first conversation of a recording, which is in the history from then on. Rejects with a `Problem`. */
async function putIntoHistory(uri: vscode.Uri, contexts: AgentContexts): Promise<AgentContext> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxBytes) throw tooLarge(sentence('This recording exceeds {0} MiB, the limit for opening it.', maxBytes / 2 ** 20));
  const bytes = await vscode.workspace.fs.readFile(uri);
  const text = new TextDecoder().decode(bytes);
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  if (lines > maxLines) throw tooLarge(sentence('This recording exceeds {0} lines, the limit for opening it.', maxLines));
  const { readRecording } = await import('../../recording/recording.ts');
  const recording = readRecording(text);
  if (recording.exchanges.length > maxRequests)
    throw tooLarge(sentence('This recording exceeds {0} requests, the limit for opening it.', maxRequests));
  const name = truncated(oneLine(recording.agent.name ?? recording.agent.url), 60) || vscode.l10n.t('Agent');
  const key = await contexts.history.putRecording(recording, {
    id: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    agent: vscode.l10n.t('{0} (recording)', name),
  });
  return contexts.get(key)!;
}

const tooLarge = (what: ReturnType<typeof sentence>): Problem =>
  new Problem('recording-too-large', what, { nextStep: sentence('Play it with "a2a serve RECORDING", or open it as text.') });

/** Opens the file of the active tab in VS Code's text editor. */
const reopenAsText = 'workbench.action.reopenTextEditor';

/** Says in the tab why a recording cannot be shown: one that is disposed while it opens makes VS Code report an error of its own. */
function refuse(panel: vscode.WebviewPanel, uri: vscode.Uri, error: unknown): void {
  const { message, nextStep } = explain(error);
  if (error instanceof Problem) log.warn(`${error.code}: ${escapeControls(uri.toString())}: ${message}`);
  else logError(error);
  panel.webview.options = { enableCommandUris: [reopenAsText] };
  panel.webview.html = `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
</head>
<body>
  <p>${escapeHtml(inARow(message, nextStep))}</p>
  <p><a href="command:${reopenAsText}">${escapeHtml(vscode.l10n.t('Open as Text'))}</a></p>
</body>
</html>`;
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { CommandId } from '../platform/commands.ts';
import { translate } from '../platform/report.ts';
import type { TaskText } from './taskText.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import { deviationsOf, exchangeNumberPattern, taskText } from './taskText.ts';

export const taskScheme = 'a2a-task';

/** Key of a task's document: context and task id. */
export const taskKey = (context: string, taskId: string): string => JSON.stringify([context, taskId]);

export function taskOfKey(key: string): readonly [context: string, taskId: string] | readonly [] {
  const parsed: unknown = JSON.parse(key);
  return Array.isArray(parsed) && typeof parsed[0] === 'string' && typeof parsed[1] === 'string' ? [parsed[0], parsed[1]] : [];
}

/** Tasks as documents: a timeline with a link from each line to its exchange, and code lenses for what can be asked of the agent. */
export class TaskDocuments implements vscode.DocumentLinkProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #contexts: AgentContexts;
  readonly #uriOf: (exchange: Exchange) => vscode.Uri;
  readonly #registration: vscode.Disposable;

  /** @param uriOf the URI of an exchange's document */
  constructor(contexts: AgentContexts, uriOf: (exchange: Exchange) => vscode.Uri) {
    this.#contexts = contexts;
    this.#uriOf = uriOf;
    const selector = { scheme: taskScheme };
    this.#registration = vscode.Disposable.from(
      vscode.languages.registerDocumentLinkProvider(selector, this),
      vscode.languages.registerCodeLensProvider(selector, this),
    );
  }

  /** Returns undefined for a task that is not in the history. */
  async render(key: string): Promise<string | undefined> {
    return (await this.#textOf(key))?.written.text;
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const found = await this.#textOf(document.uri.query);
    if (found === undefined) return [];
    const {
      written: { exchanges, timelineEnd },
      context,
    } = found;
    const links: vscode.DocumentLink[] = [];
    for (let line = 0; line < Math.min(document.lineCount, timelineEnd); line++) {
      const { text } = document.lineAt(line);
      const match = exchangeNumberPattern.exec(text);
      const kept = match === null ? undefined : context.exchange(exchanges[Number(match[1]) - 1] ?? '');
      if (match === null || kept === undefined) continue;
      const at = text.indexOf('⇄');
      const link = new vscode.DocumentLink(new vscode.Range(line, at, line, match[0].length), this.#uriOf(kept.exchange));
      link.tooltip = vscode.l10n.t('Open Exchange {0}', kept.exchange.operation);
      links.push(link);
    }
    return links;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title: vscode.l10n.t('Read Again with History…'),
        command: 'a2a.readTaskHistory' satisfies CommandId,
        arguments: [document.uri.query],
      }),
    ];
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #textOf(key: string): Promise<{ readonly written: TaskText; readonly context: AgentContext } | undefined> {
    const [contextKey, taskId] = taskOfKey(key);
    const context = contextKey === undefined ? undefined : this.#contexts.get(contextKey);
    const task = taskId === undefined ? undefined : context?.task(taskId);
    if (context === undefined || task === undefined || taskId === undefined) return undefined;
    await loadRules();
    const { items, more } = context.entriesOfTask(taskId);
    const deviations = deviationsOf(items, context.deviantExchanges(), context.taskSummary(taskId)?.findings);
    return {
      context,
      written: taskText(
        { agent: context.agentName, task, entries: items, more, deviations, received: context.received(taskId) },
        translate,
      ),
    };
  }
}

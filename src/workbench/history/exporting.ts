import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import { recordingSuffix } from '../../recording/recordingSuffix.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { ContextSummary } from '../../protocol/message/transcript.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import { selectedHistoryNodes, itemOf, nodeOf, type Node, titleOf } from '../agentsView/agentNodes.ts';
import { safeFileName } from '../../model/fileNames.ts';
import { eachContext } from '../agentsView/historyRows.ts';
import { announceExport, askWhereToSave, writeExport } from '../documents/savedFile.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { translate, translatedList } from '../platform/report.ts';

/** The selection to export, and its name for people. */
interface Scope {
  readonly name: string;
  /** Returns undefined for everything. */
  readonly items: () => readonly HistoryItem[] | undefined;
  /** About how many tasks that are, for the progress. */
  readonly total: () => number;
  /** Set for a single context or task, which can also be exported as a transcript. */
  readonly only?: HistoryItem;
}

interface Format {
  readonly extension: string;
  /** Resolves to undefined where the person cancels. */
  readonly pieces: (contexts: AgentContexts, scope: Scope) => Iterable<string> | Promise<Iterable<string> | undefined>;
}

/** `A2A: Export…`: writes the selected rows, an agent's history, or everything to a file. */
export async function exportHistory(
  contexts: AgentContexts,
  agents: Agents,
  meant: { readonly argument: unknown; readonly rows: unknown; readonly selection: readonly Node[] },
): Promise<void> {
  const scope = scopeOf(contexts, meant) ?? (await pickScope(contexts, meant.selection));
  const format = scope && (await pickFormat(scope, agents));
  if (scope === undefined || format === undefined) return;
  const pieces = await format.pieces(contexts, scope);
  if (pieces === undefined) return;
  const title = vscode.l10n.t('Export');
  const name = safeFileName(scope.name.slice(0, 60), 'history');
  const target = await (`.${format.extension}` === recordingSuffix
    ? (await import('./recordingExport.ts')).askForRecordingFile(name)
    : askWhereToSave(`${name}.${format.extension}`, { title, saveLabel: title }));
  if (target === undefined) return;
  let total = scope.total();
  const written = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Exporting…'), cancellable: true },
    async (progress, token) =>
      write(target, pieces, {
        token,
        onProgress: (written, since) => {
          // A context without a task is a piece, too.
          total = Math.max(total, written);
          progress.report({ message: vscode.l10n.t('{0} of {1}', written, total), increment: total === 0 ? 0 : (100 * since) / total });
        },
      }),
  );
  if (written === undefined) return;
  announceExport(target, format.extension === 'jsonl' ? written : undefined);
}

/** The selection of a row's menu: all selected rows, or the agent. */
function scopeOf(contexts: AgentContexts, { argument, rows }: { readonly argument: unknown; readonly rows: unknown }): Scope | undefined {
  if (argument === undefined) return undefined;
  const agent = nodeOf('agent', argument);
  return agent === undefined ? scopeOfRows(selectedHistoryNodes(argument, rows, [])) : scopeOfAgent(contexts, agent.name);
}

function scopeOfRows(nodes: ReturnType<typeof selectedHistoryNodes>): Scope | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  const items = nodes.map(itemOf);
  return {
    name: titleOf(first),
    items: () => items,
    total: () => nodes.reduce((sum, node) => sum + (node.kind === 'context' ? node.context.tasks : 1), 0),
    ...(items.length === 1 && { only: items[0] }),
  };
}

const scopeOfAgent = (contexts: AgentContexts, agent: string): Scope => ({
  name: agent,
  items: () => [...eachContext(contexts, { agent })].map(({ key }) => ({ context: key })),
  total: () => tasksIn([...eachContext(contexts, { agent })]),
});

const tasksIn = (contexts: readonly ContextSummary[]): number => contexts.reduce((sum, { tasks }) => sum + tasks, 0);

async function pickScope(contexts: AgentContexts, selection: readonly Node[]): Promise<Scope | undefined> {
  const selected = selectedHistoryNodes(undefined, undefined, selection);
  const ofSelection = scopeOfRows(selected);
  const picked = await vscode.window.showQuickPick(
    [
      ...(ofSelection === undefined
        ? []
        : [
            {
              label: `$(list-selection) ${vscode.l10n.t('Selected items')}`,
              description: translatedList(selected.map(titleOf).map(escapeIcons)).slice(0, 100),
              scope: ofSelection,
            },
          ]),
      {
        label: `$(history) ${vscode.l10n.t('The whole history')}`,
        scope: {
          name: 'a2a-history',
          items: () => undefined,
          total: () => tasksIn(contexts.agentNames().flatMap(agent => [...eachContext(contexts, { agent })])),
        } satisfies Scope as Scope,
      },
      ...contexts.agentNames().map(name => ({ label: `$(hubot) ${escapeIcons(name)}`, scope: scopeOfAgent(contexts, name) })),
    ],
    { title: vscode.l10n.t('Export what?') },
  );
  return picked?.scope;
}

async function pickFormat(scope: Scope, agents: Agents): Promise<Format | undefined> {
  const { only } = scope;
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly format: Format }>(
    [
      {
        label: vscode.l10n.t('Tasks'),
        description: '.jsonl',
        detail: vscode.l10n.t('To import again: a line of JSON per task, without credentials.'),
        format: { extension: 'jsonl', pieces: ({ history }, { items }) => history.exportLines(items()) },
      },
      {
        label: vscode.l10n.t('Tasks with network traffic'),
        description: '.jsonl',
        detail: vscode.l10n.t('Also requests, responses and events, with credentials in headers masked.'),
        format: { extension: 'jsonl', pieces: ({ history }, { items }) => history.exportLines(items(), { wire: true }) },
      },
      ...(only === undefined
        ? []
        : [
            {
              label: only.taskId === undefined ? vscode.l10n.t('Recording of the conversation') : vscode.l10n.t('Recording of the task'),
              description: recordingSuffix,
              detail: vscode.l10n.t('To open elsewhere, and to play in place of the agent. Without credentials.'),
              format: {
                extension: recordingSuffix.slice(1),
                pieces: async (contexts: AgentContexts) => {
                  const [{ askForRecording, recordableOf }, { recordingText }] = await Promise.all([
                    import('./recordingExport.ts'),
                    import('../../recording/recording.ts'),
                  ]);
                  const recording = await askForRecording(recordableOf(contexts, only), agents);
                  return recording && [recordingText(recording)];
                },
              },
            },
            {
              label: vscode.l10n.t('Transcript'),
              description: '.md',
              detail: vscode.l10n.t('Markdown for people to read.'),
              format: { extension: 'md', pieces: ({ history }: AgentContexts) => history.markdown(only, translate) },
            },
          ]),
    ],
    { title: vscode.l10n.t('Export as what?'), matchOnDescription: true },
  );
  return picked?.format;
}

/** Writes the file atomically. Resolves with the number of pieces, undefined if the person canceled. Rejects with a `Problem` `not-saved`. */
async function write(
  target: vscode.Uri,
  pieces: Iterable<string>,
  {
    token,
    onProgress,
  }: {
    readonly token: vscode.CancellationToken;
    /** Called with the number of pieces written, and of those since the last call. */
    readonly onProgress: (pieces: number, since: number) => void;
  },
): Promise<number | undefined> {
  let count = 0;
  async function* piecesWithProgress(): AsyncGenerator<string> {
    for (const piece of pieces) {
      if (token.isCancellationRequested) return;
      yield piece;
      if (++count % 100 === 0) {
        onProgress(count, 100);
        await setImmediate();
      }
    }
  }
  return (await writeExport(target, piecesWithProgress(), () => !token.isCancellationRequested)) ? count : undefined;
}

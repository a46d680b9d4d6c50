import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { type Part, partKind } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ArtifactEntry, TaskSummary } from '../../protocol/message/transcript.ts';
import { nodeOf, type Node, type TaskNode } from '../agentsView/agentNodes.ts';
import { oneLine, escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { completeStep } from '../platform/contextKeys.ts';
import { type PartFiles, savePart } from '../documents/partDocument.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { contextAt } from './contextCommands.ts';
import { taskKey, taskOfKey, taskScheme } from '../documents/taskDocuments.ts';

/**
 * The part of an artifact to open; asks if there are several, and returns undefined if the person picks none. Rejects with a `Problem`
 * `no-parts`.
 */
async function pickPart(parts: readonly Part[]): Promise<{ readonly part: Part; readonly index: number } | undefined> {
  const [only] = parts;
  if (only === undefined) throw new Problem('no-parts', sentence('This artifact has no parts.'));
  if (parts.length === 1) return { part: only, index: 0 };
  return vscode.window.showQuickPick(
    parts.map((part, index) => ({
      label: escapeIcons(part.filename ?? '') || vscode.l10n.t('Part {0}', index + 1),
      description: escapeIcons(part.mediaType ?? partKind(part)),
      part,
      index,
    })),
    { title: vscode.l10n.t('Which part?') },
  );
}

/** Opens an artifact's part; asks which if it has several. Rejects with a `Problem`. */
export async function openArtifact(partFiles: PartFiles, { seq, artifact }: ArtifactEntry, preserveFocus = false): Promise<void> {
  const picked = await pickPart(artifact.parts);
  if (picked !== undefined) await partFiles.open(`${seq}-${picked.index}`, picked.part, artifact.name, { preserveFocus });
}

/** Reports the outcome of a cancellation that the tree does not show; a canceled task is shown there. */
function reportCancellation(
  outcome: Awaited<ReturnType<AgentContext['cancelTask']>>,
  title: string,
  openChat: () => Promise<unknown>,
): void {
  if (outcome === 'canceled') return;
  const task = oneLine(title).slice(0, 80);
  if (outcome === 'over') {
    void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('"{0}" finished before it could be canceled.', task)));
    return;
  }
  const chat = vscode.l10n.t('Open Chat');
  const message =
    outcome === 'not-cancelable'
      ? vscode.l10n.t('The agent did not cancel "{0}". Its reason is in the chat.', task)
      : outcome === 'not-sent'
        ? vscode.l10n.t('"{0}" was not canceled: the agent could not be reached.', task)
        : vscode.l10n.t('Unknown whether "{0}" was canceled: the agent did not confirm it. Refresh the task to see its state.', task);
  void vscode.window.showWarningMessage(escapeLinks(message), chat).then(choice => {
    if (choice === chat) void openChat();
  });
}

/** The tab title of a task's document. */
const taskName = ({ title, taskId }: TaskSummary): string => `${oneLine(title).slice(0, 40) || 'task'} ${taskId.slice(0, 8)}`;

type TaskCommands = Pick<
  CommandHandlers,
  'a2a.openTask' | 'a2a.cancelTask' | 'a2a.readTaskHistory' | 'a2a.subscribeTask' | 'a2a.openArtifact' | 'a2a.saveArtifact'
>;

/** Commands for tasks and artifacts in the tree. */
export function taskCommands({
  contexts,
  panels,
  partFiles,
  documents,
  selected,
  chosenByKey,
}: {
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  readonly documents: ReadOnlyDocuments;
  /** The row that a command applies to if it has no argument, as from a keybinding. */
  readonly selected: () => Node | undefined;
  /** True if the command was run on a row by key: the focus stays in the tree then. */
  readonly chosenByKey: () => boolean;
}): TaskCommands {
  const withTask = async (argument: unknown, act: (context: AgentContext, node: TaskNode) => unknown): Promise<void> => {
    const node = nodeOf('task', argument ?? selected());
    if (node === undefined) throw new Problem('nothing-selected', sentence('Select a task in the A2A view first.'));
    await act(contextAt(contexts, node.task.context), node);
  };
  const artifactOf = (argument: unknown): ArtifactEntry => {
    const node = nodeOf('artifact', argument ?? selected());
    if (node === undefined) throw new Problem('nothing-selected', sentence('Select an artifact in the A2A view first.'));
    const entry = contextAt(contexts, node.parent.task.context).entry(node.summary.seq);
    if (entry?.kind !== 'artifact') throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return entry;
  };
  return {
    'a2a.openTask': argument =>
      withTask(argument, async (context, { task }) => {
        const preserveFocus = chosenByKey();
        await vscode.window.withProgress({ location: { viewId: 'a2a.agents' } }, () => context.loadTask(task.taskId));
        await documents.open(taskScheme, taskName(task), taskKey(task.context, task.taskId), { preserveFocus });
        completeStep('a2a.taskOpened');
      }),
    'a2a.readTaskHistory': async argument => {
      const [key, taskId] = typeof argument === 'string' ? taskOfKey(argument) : [];
      if (key === undefined || taskId === undefined)
        throw new Problem('nothing-selected', sentence('Select a task in the A2A view first.'));
      const asked = await vscode.window.showInputBox({
        title: vscode.l10n.t('Read Task with History'),
        prompt: vscode.l10n.t('How many recent messages should the agent send? (historyLength)'),
        value: '10',
        ignoreFocusOut: true,
        validateInput: text => (/^\d{1,6}$/.test(text) ? undefined : vscode.l10n.t('A number from 0 to 999999')),
      });
      if (asked === undefined) return;
      await contextAt(contexts, key).refreshTask(taskId, Number(asked));
      const task = contextAt(contexts, key).taskSummary(taskId);
      if (task !== undefined) await documents.open(taskScheme, taskName(task), taskKey(key, taskId));
    },
    'a2a.cancelTask': argument =>
      withTask(argument, async (context, { task }) =>
        reportCancellation(await context.cancelTask(task.taskId), task.title || task.taskId, () => panels.open(context)),
      ),
    'a2a.subscribeTask': argument =>
      withTask(argument, async (context, { task }) => {
        await panels.open(context);
        return context.subscribeTask(task.taskId);
      }),
    'a2a.openArtifact': async argument => {
      await openArtifact(partFiles, artifactOf(argument), chosenByKey());
    },
    'a2a.saveArtifact': async argument => {
      const { artifact } = artifactOf(argument);
      const picked = await pickPart(artifact.parts);
      if (picked !== undefined) await savePart(picked.part, artifact.name);
    },
  };
}

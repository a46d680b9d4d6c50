import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { type Part, partKind } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ArtifactEntry, TaskSummary } from '../../protocol/message/transcript.ts';
import { nodeOf, type Node, type TaskNode } from '../agentsView/agentNodes.ts';
import { oneLine, escapeIcons, escapeLinks } from '../platform/untrustedText.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { type PartFiles, savePart } from '../documents/partDocument.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
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
    void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('"{0}" was over before it could be canceled.', task)));
    return;
  }
  const chat = vscode.l10n.t('Open Chat');
  const message =
    outcome === 'not-cancelable'
      ? vscode.l10n.t('The agent did not cancel "{0}". Its reason is in the chat.', task)
      : vscode.l10n.t('Unknown whether "{0}" was canceled: the agent did not say so. Refresh the task to see its state.', task);
  void vscode.window.showWarningMessage(escapeLinks(message), chat).then(choice => {
    if (choice === chat) void openChat();
  });
}

/** Contexts among which the newest is looked for: pinned ones come first in the list. */
const maxLooked = 100;

/** The tab title of a task's document. */
const taskName = ({ title, taskId }: TaskSummary): string => `${oneLine(title).slice(0, 40) || 'task'} ${taskId.slice(0, 8)}`;

type TaskCommands = Pick<
  CommandHandlers,
  | 'a2a.openChat'
  | 'a2a.openContext'
  | 'a2a.copyId'
  | 'a2a.openTask'
  | 'a2a.cancelTask'
  | 'a2a.readTaskHistory'
  | 'a2a.subscribeTask'
  | 'a2a.openArtifact'
  | 'a2a.saveArtifact'
>;

export function taskCommands({
  pickAgent,
  contexts,
  panels,
  partFiles,
  documents,
  selected,
  chosenByKey,
}: {
  /** The agent that the argument names, or that the person picks. */
  readonly pickAgent: (argument: unknown) => Promise<Agent | undefined>;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  readonly documents: ReadOnlyDocuments;
  /** The row that a command applies to if it has no argument, as from a keybinding. */
  readonly selected: () => Node | undefined;
  /** True if the command was run on a row by key: the focus stays in the tree then. */
  readonly chosenByKey: () => boolean;
}): TaskCommands {
  const contextAt = (key: string): AgentContext => {
    const context = contexts.get(key);
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    return context;
  };
  const contextOf = (argument: unknown): AgentContext => {
    const meant = argument ?? selected();
    const key = typeof meant === 'string' ? meant : (nodeOf('context', meant)?.context.key ?? nodeOf('task', meant)?.task.context);
    if (key === undefined) throw new Problem('nothing-selected', sentence('Select a context in the A2A view first.'));
    return contextAt(key);
  };
  const newestOf = (agent: string): AgentContext | undefined => {
    const { items } = contexts.page({ agent, testRuns: false, limit: maxLooked });
    const [newest] = items.toSorted((one, other) => other.updatedAt - one.updatedAt);
    return newest && contexts.get(newest.key);
  };
  const withTask = async (argument: unknown, act: (context: AgentContext, node: TaskNode) => unknown): Promise<void> => {
    const node = nodeOf('task', argument ?? selected());
    if (node === undefined) throw new Problem('nothing-selected', sentence('Select a task in the A2A view first.'));
    await act(contextAt(node.task.context), node);
  };
  const artifactOf = (argument: unknown): ArtifactEntry => {
    const node = nodeOf('artifact', argument ?? selected());
    if (node === undefined) throw new Problem('nothing-selected', sentence('Select an artifact in the A2A view first.'));
    const entry = contextAt(node.parent.task.context).entry(node.summary.seq);
    if (entry?.kind !== 'artifact') throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return entry;
  };
  return {
    'a2a.openChat': async argument => {
      const agent = await pickAgent(argument);
      if (agent !== undefined) await panels.open(await contexts.patiently(() => contexts.create(agent.name)));
    },
    'a2a.openContext': async argument => {
      const focusBack = chosenByKey() ? 'a2a.agents.focus' : undefined;
      const agent = nodeOf('agent', argument)?.name;
      const context =
        agent === undefined ? contextOf(argument) : (newestOf(agent) ?? (await contexts.patiently(() => contexts.create(agent))));
      await panels.open(context, undefined, { focusBack });
    },
    'a2a.copyId': async argument => {
      const node = argument ?? selected();
      if (nodeOf('context', node) === undefined && nodeOf('task', node) === undefined && nodeOf('artifact', node) === undefined) {
        throw new Problem('nothing-selected', sentence('Select a context, a task or an artifact in the A2A view first.'));
      }
      const id =
        nodeOf('context', node)?.context.contextId ??
        nodeOf('task', node)?.task.taskId ??
        nodeOf('artifact', node)?.summary.artifact.artifactId;
      if (id === undefined) throw new Problem('no-id', sentence('The agent has not named this context yet.'));
      await vscode.env.clipboard.writeText(id);
    },
    'a2a.openTask': argument =>
      withTask(argument, async (context, { task }) => {
        const preserveFocus = chosenByKey();
        await vscode.window.withProgress({ location: { viewId: 'a2a.agents' } }, () => context.loadTask(task.taskId));
        await documents.open(taskScheme, taskName(task), taskKey(task.context, task.taskId), { preserveFocus });
      }),
    'a2a.readTaskHistory': async argument => {
      const [key, taskId] = typeof argument === 'string' ? taskOfKey(argument) : [];
      if (key === undefined || taskId === undefined)
        throw new Problem('nothing-selected', sentence('Select a task in the A2A view first.'));
      const asked = await vscode.window.showInputBox({
        title: vscode.l10n.t('Read Task with History'),
        prompt: vscode.l10n.t('How many of the last messages shall the agent send? (historyLength)'),
        value: '10',
        ignoreFocusOut: true,
        validateInput: text => (/^\d{1,6}$/.test(text) ? undefined : vscode.l10n.t('A number from 0 to 999999')),
      });
      if (asked === undefined) return;
      await contextAt(key).refreshTask(taskId, Number(asked));
      const task = contextAt(key).taskSummary(taskId);
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

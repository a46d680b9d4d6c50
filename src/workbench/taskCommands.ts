import * as vscode from 'vscode';
import type { Agents } from '../model/agents.ts';
import type { AgentContext } from '../model/agentContext.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import { type Part, partKind } from '../protocol/part.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { ArtifactEntry } from '../protocol/transcript.ts';
import { pickAgent } from './agentCommands.ts';
import { nodeOf, type TaskNode } from './agentNodes.ts';
import { oneLine } from './oneLine.ts';
import type { ChatPanels } from './chatPanels.ts';
import type { CommandHandlers } from './commands.ts';
import { type PartFiles, savePart } from './partDocument.ts';
import type { ReadOnlyDocuments } from './readOnlyDocuments.ts';

export const taskScheme = 'a2a-task';

/** Which part is meant, where an artifact has several. */
async function pickPart(parts: readonly Part[]): Promise<number | undefined> {
  if (parts.length < 2) return 0;
  const picked = await vscode.window.showQuickPick(
    parts.map((part, index) => ({ label: oneLine(part.filename ?? '') || vscode.l10n.t('Part {0}', index + 1), description: oneLine(part.mediaType ?? partKind(part)), index })),
    { title: vscode.l10n.t('Which part?') });
  return picked?.index;
}

type TaskCommands = Pick<CommandHandlers,
  'a2a.openChat' | 'a2a.openContext' | 'a2a.deleteContext' | 'a2a.copyId' | 'a2a.openTask' | 'a2a.refreshTask' | 'a2a.cancelTask'
  | 'a2a.subscribeTask' | 'a2a.openArtifact' | 'a2a.saveArtifact'>;

/** Key of a task document: which context, which task. */
export const taskKey = (context: string, taskId: string): string => JSON.stringify([context, taskId]);

export function taskCommands({ agents, contexts, panels, partFiles, documents }: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  readonly documents: ReadOnlyDocuments;
}): TaskCommands {
  const contextOf = (argument: unknown): AgentContext => {
    const key = typeof argument === 'string' ? argument : nodeOf('context', argument)?.context.key ?? nodeOf('task', argument)?.task.context;
    const context = key === undefined ? undefined : contexts.get(key);
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    return context;
  };
  const withTask = async (argument: unknown, act: (context: AgentContext, node: TaskNode) => unknown): Promise<void> => {
    const node = nodeOf('task', argument);
    if (node !== undefined) await act(contextOf(node), node);
  };
  const artifactOf = (argument: unknown): ArtifactEntry => {
    const node = nodeOf('artifact', argument);
    const entry = node === undefined ? undefined : contextOf(node.parent).entry(node.summary.seq);
    if (entry?.kind !== 'artifact') throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return entry;
  };
  return {
    'a2a.openChat': async argument => {
      const agent = await pickAgent(agents, argument);
      if (agent !== undefined) panels.open(contexts.create(agent.name));
    },
    'a2a.openContext': argument => panels.open(contextOf(argument)),
    'a2a.deleteContext': async argument => {
      const context = contextOf(argument);
      const remove = vscode.l10n.t('Delete');
      const choice = await vscode.window.showWarningMessage(
        vscode.l10n.t('Delete "{0}" from the history?', oneLine(context.title).slice(0, 80)),
        { modal: true, detail: vscode.l10n.t('Its messages, tasks and exchanges are deleted here. The agent keeps what it has.') }, remove);
      if (choice !== remove) return;
      panels.close(context.key);
      contexts.delete(context.key);
    },
    'a2a.copyId': async argument => {
      const id = nodeOf('context', argument)?.context.contextId ?? nodeOf('task', argument)?.task.taskId ?? nodeOf('artifact', argument)?.summary.artifact.artifactId;
      if (id === undefined) throw new Problem('no-id', sentence('The agent has not named this context yet.'));
      await vscode.env.clipboard.writeText(id);
    },
    'a2a.openTask': argument => withTask(argument, (_context, { task }) =>
      documents.open(taskScheme, `${oneLine(task.title).slice(0, 40) || 'task'} ${task.taskId.slice(0, 8)}`, taskKey(task.context, task.taskId))),
    'a2a.refreshTask': argument => withTask(argument, (context, { task }) => context.refreshTask(task.taskId)),
    'a2a.cancelTask': argument => withTask(argument, (context, { task }) => context.cancelTask(task.taskId)),
    'a2a.subscribeTask': argument => withTask(argument, (context, { task }) => {
      panels.open(context);
      return context.subscribeTask(task.taskId);
    }),
    'a2a.openArtifact': async argument => {
      const { seq, artifact } = artifactOf(argument);
      const index = await pickPart(artifact.parts);
      const part = index === undefined ? undefined : artifact.parts[index];
      if (part !== undefined) await partFiles.open(`${seq}-${index}`, part, artifact.name);
    },
    'a2a.saveArtifact': async argument => {
      const { artifact } = artifactOf(argument);
      const index = await pickPart(artifact.parts);
      const part = index === undefined ? undefined : artifact.parts[index];
      if (part !== undefined) await savePart(part, artifact.name);
    },
  };
}

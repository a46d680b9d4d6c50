import { referringMetadata, type ArtifactReference } from '../protocol/artifactReference.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { isTerminal } from '../protocol/taskState.ts';
import type { AgentContext } from './agentContext.ts';
import type { SendOptions } from './sendOptions.ts';

/** What the person wrote, where to, and what it is about. */
export interface ChatMessage {
  readonly text: string;
  /** A task of the context; a new one where it is left out. */
  readonly taskId?: string;
  /** The message goes to the task even where that is over, which the agent has to refuse (A2A 1.0 §3.1.1). */
  readonly anyway?: boolean;
  /** Tasks and artifacts of the context. */
  readonly references?: readonly { readonly taskId: string; readonly artifactId?: string }[];
}

/**
 * What is sent for a message of the chat. A task that is over takes no messages: one that was meant for it begins a new task that refers
 * to it. Artifacts are named in the part's metadata, and their tasks in `referenceTaskIds`, which agents know. Throws a `Problem` `gone` for
 * a reference to something that is not in the context.
 */
export function sendOptionsOf({ text, taskId, anyway = false, references = [] }: ChatMessage, context: Pick<AgentContext, 'taskState' | 'artifacts'>): SendOptions {
  for (const reference of references) {
    const known = reference.artifactId === undefined ? context.taskState(reference.taskId) !== undefined
      : context.artifacts(reference.taskId).some(({ artifact }) => artifact.artifactId === reference.artifactId);
    if (!known) throw new Problem('gone', sentence('Something that the message refers to is no longer in the history.'), { nextStep: sentence('Remove the reference and send the message again.') });
  }
  const state = taskId === undefined ? undefined : context.taskState(taskId);
  const followsUp = taskId !== undefined && !anyway && state !== undefined && isTerminal(state);
  const artifacts = references.flatMap(({ taskId: task, artifactId }): ArtifactReference[] => (artifactId === undefined ? [] : [{ artifactId, taskId: task }]));
  const tasks = [...new Set([...references.map(reference => reference.taskId), ...followsUp ? [taskId] : []])];
  return {
    parts: [artifacts.length === 0 ? { text } : { text, metadata: { ...referringMetadata(artifacts) } }],
    target: taskId === undefined || followsUp ? 'new-task' : { taskId },
    ...(tasks.length > 0 && { referenceTaskIds: tasks }),
  };
}

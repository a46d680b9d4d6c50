import { referringMetadata, type ArtifactReference } from '../../protocol/message/artifactReference.ts';
import type { Part } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import type { AgentContext } from './agentContext.ts';
import type { SendOptions } from '../run/sendOptions.ts';

/** A message of the person: its text, its target, and what it refers to. */
export interface ChatMessage {
  readonly text: string;
  /** The message's other parts, and how many of them come before the text. A blank text is left out if there are other parts. */
  readonly others?: readonly Part[];
  readonly textAt?: number;
  /** Metadata of the message. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Media types that the answer may have; if empty, the agent decides. */
  readonly outputModes?: readonly string[];
  /** Options that differ from the card's defaults; a message that returns immediately is not streamed. */
  readonly sending?: { readonly streaming?: false; readonly returnImmediately?: true; readonly historyLength?: number };
  /** A task of the context; a new task if left out. */
  readonly taskId?: string;
  /** The message goes to the task even if that is over, which the agent must refuse (A2A 1.0 §3.1.1). */
  readonly anyway?: boolean;
  /** Tasks and artifacts of the context that the message refers to. */
  readonly references?: readonly { readonly taskId: string; readonly artifactId?: string }[];
}

/**
 * The parameters to send for a message of the chat. Artifacts are named in the part's metadata, and their tasks in `referenceTaskIds`, which
 * agents know. Throws a `Problem`: `gone` for a reference to something that is not in the context, `task-over` for a task that takes no more
 * messages.
 */
export function sendOptionsOf(message: ChatMessage, context: Pick<AgentContext, 'taskState' | 'artifacts'>): SendOptions {
  const { taskId, anyway = false, references = [], metadata } = message;
  for (const reference of references) {
    const known =
      reference.artifactId === undefined
        ? context.taskState(reference.taskId) !== undefined
        : context.artifacts(reference.taskId).some(({ artifact }) => artifact.artifactId === reference.artifactId);
    if (!known)
      throw new Problem('gone', sentence('The message refers to something that is no longer in the history.'), {
        nextStep: sentence('Remove the reference and send the message again.'),
      });
  }
  const state = taskId === undefined ? undefined : context.taskState(taskId);
  if (!anyway && state !== undefined && isTerminal(state))
    throw new Problem('task-over', sentence('Nothing was sent: the task has ended in the meantime and accepts no more messages.'), {
      nextStep: sentence("Check the message's destination above the text box, and send it again."),
    });
  const artifacts = references.flatMap(({ taskId: task, artifactId }): ArtifactReference[] =>
    artifactId === undefined ? [] : [{ artifactId, taskId: task }],
  );
  const tasks = [...new Set(references.map(reference => reference.taskId))];
  return {
    parts: artifacts.length === 0 ? partsOf(message) : referring(partsOf(message), referringMetadata(artifacts)),
    target: taskId === undefined ? 'new-task' : { taskId },
    ...(tasks.length > 0 && { referenceTaskIds: tasks }),
    ...(metadata !== undefined && { message: { metadata } }),
    ...answerOptionsOf(message),
  };
}

/** The options for how the agent answers a message. */
export function answerOptionsOf({
  outputModes = [],
  sending = {},
}: Pick<ChatMessage, 'outputModes' | 'sending'>): Pick<SendOptions, 'streaming' | 'configuration'> {
  const { returnImmediately, historyLength, streaming = returnImmediately === true ? false : undefined } = sending;
  const configuration = {
    ...(outputModes.length > 0 && { acceptedOutputModes: [...outputModes] }),
    ...withoutUndefined({ returnImmediately, historyLength }),
  };
  return {
    ...(streaming === false && { streaming }),
    ...(Object.keys(configuration).length > 0 && { configuration }),
  };
}

function partsOf({ text, others = [], textAt = 0 }: ChatMessage): readonly Part[] {
  const words = text.trim() === '' && others.length > 0 ? [] : [{ text }];
  return [...others.slice(0, textAt), ...words, ...others.slice(textAt)];
}

/** The parts, with the metadata on the first text part, or on the first part if there is no text. */
function referring(parts: readonly Part[], metadata: Readonly<Record<string, unknown>>): readonly Part[] {
  const bearer = parts.find(part => 'text' in part) ?? parts[0];
  return parts.map(part => (part === bearer ? { ...part, metadata: { ...part.metadata, ...metadata } } : part));
}

import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import { textOf } from '../../protocol/message/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import { repliesIn } from '../../protocol/message/replies.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import type { RequestResult } from '../values/requestResult.ts';

/** An event before the end of the answer. */
export interface ObservedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: 'status' | 'artifact' | 'message';
  readonly state?: TaskState;
  /** Name of the artifact, else its id. */
  readonly artifact?: string;
  /** Appended to the artifact. */
  readonly append?: true;
  /** The artifact is complete. */
  readonly last?: true;
  /** Text of the parts, shortened. */
  readonly text?: string;
}

/** The outcome of a request, as expectations check it. Times are milliseconds since the epoch. */
export interface Observed extends RequestResult {
  readonly problem?: Problem;
  readonly startedAt: number;
  /** When the first event or the answer was there. */
  readonly firstEventAt?: number;
  readonly endedAt: number;
  /** States of the task in the order received; repeated ones count once. */
  readonly states?: readonly TaskState[];
  /** HTTP responses in order; present where `status` or `headers` are expected. */
  readonly responses?: readonly { readonly status: number; readonly headers: readonly (readonly [name: string, value: string])[] }[];
  /** The first events, in order. */
  readonly events?: readonly ObservedEvent[];
  /** A request of the file has asked the agent to cancel the task. */
  readonly cancelAsked?: boolean;
  /** Departures from the protocol that were noted while the answer was read. */
  readonly findings?: readonly Finding[];
}

/**
 * The pieces of the agent's answer: each artifact, then the answer that is a message, and the words of the status that the task has come to,
 * with those before them that they continue. Where none of these has text, the words are all that the agent has said in the task since
 * the person's last message: some agents answer in the history alone, or with statuses on the way.
 */
export function answerOf({ task, message }: RequestResult): {
  readonly artifacts: readonly Artifact[];
  readonly words: readonly Message[];
} {
  const replies = task === undefined ? [] : repliesIn(task);
  const last = task?.status.message === undefined ? undefined : replies.at(-1);
  const artifacts = task?.artifacts ?? [];
  const words = [...(message === undefined ? [] : [message]), ...(last === undefined ? [] : [last])];
  const isAnswer = words.some(({ parts }) => parts.some(part => !('text' in part) || part.text !== ''));
  return { artifacts, words: isAnswer || artifacts.some(({ parts }) => textOf(parts) !== '') ? words : replies };
}

/** The text of the agent's answer, a line break between its pieces. */
export function textOfObserved(observed: RequestResult): string {
  const { artifacts, words } = answerOf(observed);
  return [...artifacts, ...words]
    .map(({ parts }) => textOf(parts))
    .filter(text => text !== '')
    .join('\n');
}

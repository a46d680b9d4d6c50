import type * as z from 'zod';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { SendMessageConfiguration } from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import type { ObservedEvent } from '../../request/expect/observed.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { AssistantCall, Delivery } from '../../protocol/message/transcript.ts';

/** Where a message goes: into the task that waits, into a task by id, or as a new task of the context. */
export type SendTarget = 'waiting-task' | 'new-task' | { readonly taskId: string };

export interface SendOptions {
  readonly parts: readonly Part[];
  readonly target: SendTarget;
  readonly referenceTaskIds?: readonly string[];
  /** True to stream, false to block; if it is left out, the agent's card decides (`capabilities.streaming`). */
  readonly streaming?: boolean;
  /** The task is not followed once the agent has responded: neither asked for nor subscribed to. */
  readonly leaves?: boolean;
  /** The configuration is sent as it is: no immediate response is asked for, by which the task could be canceled while the agent works. */
  readonly plainly?: boolean;
  /** Data is sent even if the agent's card accepts other kinds only. */
  readonly unchecked?: boolean;
  readonly configuration?: z.infer<typeof SendMessageConfiguration>;
  /** Instead of the tenant of the chosen interface in the card. */
  readonly tenant?: string;
  /** The interface to use, also afterwards to follow the task, instead of that of the agent's settings or card. */
  readonly interface?: WantedConnection;
  /** The call of a language model that sends it. */
  readonly assistant?: AssistantCall | undefined;
  /** Metadata of the request, not of the message. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Members of the message besides its parts; the run sets ids and role that are left out. */
  readonly message?: Partial<Omit<Message, 'parts'>>;
}

/** The result of a run. */
export interface RunResult {
  /** The whole task at the end, if the agent answered with a task. */
  readonly task?: Task;
  /** The agent's message, if it answered with a message and no task. */
  readonly message?: Message;
  /** Why there is no good answer, or why it may be incomplete. It is in the transcript, too. */
  readonly problem?: Problem;
  readonly delivery: Delivery;
  /** The states of the task in the order in which they came; a state that is repeated counts once. */
  readonly states: readonly TaskState[];
  /** Findings that were noted while the answer was read. */
  readonly findings: readonly Finding[];
  /** Events in order, see `RunObservations`. */
  readonly events?: readonly ObservedEvent[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** When the first event or the answer arrived. */
  readonly firstEventAt?: number;
  readonly endedAt: number;
  /** All exchanges of this run, in order. */
  readonly exchangeIds: readonly string[];
}

import type * as z from 'zod';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { SendMessageConfiguration } from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { Delivery } from '../../protocol/message/transcript.ts';

/** Where a message goes: into the task that waits, into a task by id, or as a new task of the context. */
export type SendTarget = 'waiting-task' | 'new-task' | { readonly taskId: string };

export interface SendOptions {
  readonly parts: readonly Part[];
  readonly target: SendTarget;
  readonly referenceTaskIds?: readonly string[];
  /** Streams or blocks; where it is left out, as the agent's card says (`capabilities.streaming`). */
  readonly streaming?: boolean;
  /** The task is left to itself once the agent has answered: it is neither asked for nor subscribed to. */
  readonly leaves?: boolean;
  /** Data goes out although the agent's card says that it takes other data. */
  readonly unchecked?: boolean;
  readonly configuration?: z.infer<typeof SendMessageConfiguration>;
  /** Instead of the one that the chosen interface of the card has. */
  readonly tenant?: string;
  /** What to speak, also afterwards to follow the task, instead of what the agent's settings or its card say. */
  readonly interface?: InterfaceSelector;
  /** Of the request, not of the message. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Members of the message besides its parts; ids and role that are left out are given by the run. */
  readonly message?: Partial<Omit<Message, 'parts'>>;
}

/** How a run came out. */
export interface RunResult {
  /** The whole task as it stands, where the agent answered with one. */
  readonly task?: Task;
  /** The agent's message, where it answered with one and no task. */
  readonly message?: Message;
  /** Why there is no good answer, or why it may be incomplete. Stands in the transcript too. */
  readonly problem?: Problem;
  readonly delivery: Delivery;
  /** The states of the task in the order in which the agent told them; one that it repeats counts once. */
  readonly states: readonly TaskState[];
  /** Departures from the protocol that were noted while the answer was read. */
  readonly findings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** When the first event or the answer was there. */
  readonly firstEventAt?: number;
  readonly endedAt: number;
  /** Everything that went over the wire for this run, in order. */
  readonly exchangeIds: readonly string[];
}

import type { AgentClient } from '../../client/agentClient.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { SendMessageParams } from '../../protocol/message/operations.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, type ShownState } from '../../protocol/message/taskState.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { TaskReducer } from '../fold/taskReducer.ts';
import type { Journal } from './journal.ts';
import type { RunTiming } from './runTiming.ts';

/** The client of one interface, as runs and calls of a context use it. */
export type RunClient = Pick<AgentClient, 'card' | 'call' | 'stream' | 'extendedCard' | 'sendRaw'>;

/** The part of `Agent` that runs and calls of a context use. */
export interface RunAgent {
  readonly card: AgentCard | undefined;
  /** See `AgentSettings`. */
  readonly answerTimeoutMs: number | undefined;
  /** See `Agent`; undefined is false. */
  readonly isDebugged?: boolean;
  /** See `Agent.prepare`. */
  prepare(): Promise<void>;
  connect(options: { readonly wanted?: WantedConnection | undefined }): Promise<RunClient>;
}

/** The context of a run. */
export interface RunScope {
  readonly agent: RunAgent;
  /** The interface to use instead of that of the agent's settings or card. */
  readonly wanted: WantedConnection | undefined;
  readonly journal: Journal;
  readonly timing: RunTiming;
  /** Most content that is kept of one task, in bytes. */
  readonly maxTaskBytes: () => number;
  /** The task as far as the history has it. */
  readonly load: (taskId: string) => TaskReducer;
  /** Looks among the agent's tasks for the one that this entry's message began. Rejects with a `Problem` if the agent cannot be asked. */
  readonly find: (seq: number, signal: AbortSignal) => Promise<FoundTask | undefined>;
  /** Follows the task again when this run is over. */
  readonly follow: (taskId: string) => void;
  /** This process no longer follows the task; with `again`, another one may take it over. */
  readonly release: (taskId: string, again: boolean) => void;
  /** `running`, `stopping`, `over`, the connection or the task's state changed. */
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** A task, and the exchange that brought it. */
export interface FoundTask {
  readonly task: Task;
  readonly exchangeId: string;
  /** Findings that were noted while it was read. */
  readonly findings?: readonly Finding[];
}

/** A message to send, which is in the history already, and how it is sent. */
export interface Sending {
  readonly seq: number;
  readonly message: Message;
  /** The message as the history has it: without passwords. */
  readonly kept: Message;
  /** If it is left out, the agent's card decides. */
  readonly streaming?: boolean;
  readonly params: Omit<SendMessageParams, 'message'>;
  /** The agent was working on the task when the message was sent: if the message is refused, the task must still be listened to. */
  readonly takesOver: boolean;
  /** The task is not followed once the agent has responded. */
  readonly leaves?: boolean;
  /** See `SendOptions`. */
  readonly plainly?: boolean;
  /** The person sends data that the agent's card does not ask for. */
  readonly unchecked?: boolean;
}

/** The agent may still send something without another message from the client (A2A 1.0 §7.6.1 for authorization). */
export const needsListener = (state: ShownState): boolean => isActive(state) || state === 'TASK_STATE_AUTH_REQUIRED';

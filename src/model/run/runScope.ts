import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { SendMessageParams } from '../../protocol/message/operations.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isActive, type ShownState } from '../../protocol/message/taskState.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { Agent } from '../agents/agent.ts';
import type { TaskReducer } from '../fold/taskReducer.ts';
import type { HistoryWriter } from './historyWriter.ts';
import type { AgentStream } from './agentStream.ts';
import type { UpdateBatcher } from './updateBatcher.ts';
import type { RunTiming } from './runTiming.ts';
import type { RunConnection } from './taskConnection.ts';

/** What a run needs of the context it belongs to. */
export interface RunScope {
  readonly agent: Agent;
  /** What is spoken instead of what the agent's settings or its card say. */
  readonly wanted: InterfaceSelector | undefined;
  readonly journal: HistoryWriter;
  readonly timing: RunTiming;
  /** So much is kept of one task, in bytes. */
  readonly mostOfTask: () => number;
  /** The task as far as the history knows it. */
  readonly load: (taskId: string) => TaskReducer;
  /** Looks among the agent's tasks for the one that the message of this entry began. Rejects with a `Problem` where it cannot be asked. */
  readonly find: (seq: number, signal: AbortSignal) => Promise<FoundTask | undefined>;
  /** Follows the task anew when this run is over. */
  readonly follow: (taskId: string) => void;
  /** This process follows the task no longer; with `again`, another may pick it up. */
  readonly release: (taskId: string, again: boolean) => void;
  /** `running`, `stopping`, `over`, the connection or the task's state changed. */
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** A task, and the exchange that told it. */
export interface FoundTask {
  readonly task: Task;
  readonly exchangeId: string;
  /** Departures from the protocol that were noted while it was read. */
  readonly findings?: readonly Finding[];
}

/** What is sent: the message, written down already, and how. */
export interface Sending {
  readonly seq: number;
  readonly message: Message;
  /** The message as it is written down: without passwords. */
  readonly kept: Message;
  /** As the agent's card says where it is left out. */
  readonly streaming?: boolean;
  readonly params: Omit<SendMessageParams, 'message'>;
  /** The agent worked on the task when the message was sent, so somebody must go on listening should it be refused. */
  readonly takesOver: boolean;
  /** Nobody follows the task once the agent has answered. */
  readonly leaves?: boolean;
  /** The person sends data that the agent's card does not ask for. */
  readonly unchecked?: boolean;
}

/** What a run's sending and its following share. */
export interface RunCore {
  readonly scope: RunScope;
  readonly reception: UpdateBatcher;
  readonly listening: AgentStream;
  readonly connection: RunConnection;
  /** Writes to the history; a history that cannot be written ends the run. */
  readonly keep: (write: () => void) => void;
  /** Nobody wants to hear more. */
  readonly isClosing: () => boolean;
  readonly isOver: () => boolean;
  /** The agent has named the task. */
  readonly isTold: () => boolean;
  /** Ends the run with what went wrong; `result`: what its result says, where the transcript has said a part of that before. */
  readonly endWith: (error: unknown, result?: Problem) => void;
}

/** Something may still come without a message from the client (A2A 1.0 §7.6.1 for authorisation). */
export const needsListener = (state: ShownState): boolean => isActive(state) || state === 'TASK_STATE_AUTH_REQUIRED';

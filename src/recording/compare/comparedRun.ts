import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { SaidMessage } from '../saidMessage.ts';

/** A conversation as it went once, to be compared with others. */
export interface ComparedRun {
  /** Name for people: the agent's, with what sets this run apart. */
  readonly name: string;
  readonly turns: readonly ComparedTurn[];
}

/** A message of the person and what came of it. */
export interface ComparedTurn {
  readonly said: SaidMessage;
  /** Undefined for a message that was not sent. */
  readonly outcome?: TurnOutcome;
}

/** The end of a turn. Times are milliseconds since the epoch. The outcome of a request has these members. */
export interface TurnOutcome {
  /** The task as it was when the turn was over. */
  readonly task?: Task;
  /** The agent's answer where it is a message and no task. */
  readonly message?: Message;
  readonly problem?: Problem;
  readonly findings?: readonly Finding[];
  readonly startedAt: number;
  readonly firstEventAt?: number;
  readonly endedAt: number;
}

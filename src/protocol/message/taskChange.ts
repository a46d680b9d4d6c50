import type { Finding } from '../finding.ts';
import type { Message } from './message.ts';
import type { Part } from './part.ts';
import type { Artifact, TaskStatus } from './task.ts';

/**
 * One change of a task: what the store records and the panel shows. A stream event leads to one or a few of these; a snapshot of a task
 * only to those that differ from what is known. `at`: when its event arrived, as `Frame` has it, where that is known.
 */
export type TaskChange =
  | { readonly kind: 'task'; readonly taskId: string; readonly contextId?: string; readonly metadata?: Readonly<Record<string, unknown>> }
  /** `metadata`: from the event with the status, if any. `again`: the agent repeats a question that was already answered. */
  | {
      readonly kind: 'status';
      readonly taskId: string;
      readonly status: TaskStatus;
      readonly again?: true;
      readonly at?: number;
      readonly metadata?: Readonly<Record<string, unknown>>;
    }
  /**
   * A message outside any status: an agent's answer, or one in the task's history that was not known. `before`: id of the known message that
   * follows it there, if any.
   */
  | { readonly kind: 'message'; readonly taskId?: string; readonly message: Message; readonly before?: string; readonly at?: number }
  /**
   * The artifact now has exactly this content: it was created or completely replaced. `revises`: the content is different, so the previous
   * one is kept as a revision. `inTask`: it came in a task and not in an artifact update, so it is no chunk.
   */
  | {
      readonly kind: 'artifact';
      readonly taskId: string;
      readonly artifact: Artifact;
      readonly complete: boolean;
      readonly revises?: true;
      readonly at?: number;
      readonly inTask?: TaskSource;
    }
  /** These parts are appended to the artifact; none where only `complete` has changed. */
  | {
      readonly kind: 'append';
      readonly taskId: string;
      readonly artifactId: string;
      readonly parts: readonly Part[];
      readonly complete: boolean;
      readonly inTask?: TaskSource;
    }
  | { readonly kind: 'finding'; readonly taskId: string; readonly finding: Finding };

/** `answer`: the task was the answer to a message or in its stream; `apart`: it came by GetTask, CancelTask, ListTasks or a notification. */
export type TaskSource = 'answer' | 'apart';

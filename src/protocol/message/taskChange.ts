import type { Finding } from '../finding.ts';
import type { Message } from './message.ts';
import type { Part } from './part.ts';
import type { Artifact, TaskStatus } from './task.ts';

/**
 * One step of a task as it is folded into the model: what the store writes down and the panel shows. A stream event gives one or a
 * few of these; a snapshot gives only what differs from what was known.
 */
export type TaskChange =
  | { readonly kind: 'task'; readonly taskId: string; readonly contextId?: string; readonly metadata?: Readonly<Record<string, unknown>> }
  /** `metadata` is of the update that told the status, where it had any; `again`: the agent asks once more what it asked before, and was answered. */
  | {
      readonly kind: 'status';
      readonly taskId: string;
      readonly status: TaskStatus;
      readonly again?: true;
      readonly metadata?: Readonly<Record<string, unknown>>;
    }
  /** A message outside any status: an agent's answer, or one that the task's history holds and we did not know. */
  | { readonly kind: 'message'; readonly taskId?: string; readonly message: Message }
  /** The artifact is now exactly this: created, or everything it held replaced. `revises`: by other content, so that what it held is a revision of its own. */
  | { readonly kind: 'artifact'; readonly taskId: string; readonly artifact: Artifact; readonly complete: boolean; readonly revises?: true }
  /** These parts come after those the artifact has. `heldBy`: the number of the frame whose data holds them (`plainChunkIn`), where one does. */
  | {
      readonly kind: 'append';
      readonly taskId: string;
      readonly artifactId: string;
      readonly parts: readonly Part[];
      readonly complete: boolean;
      readonly heldBy?: number;
    }
  /** The artifact holds the whole text of the artifact `of` once more, under an id of its own; without `of` it does so no longer. */
  | { readonly kind: 'retold'; readonly taskId: string; readonly artifactId: string; readonly of?: string }
  /** The agent no longer has this artifact (a snapshot without it). */
  | { readonly kind: 'removed'; readonly taskId: string; readonly artifactId: string }
  | { readonly kind: 'finding'; readonly taskId: string; readonly finding: Finding };

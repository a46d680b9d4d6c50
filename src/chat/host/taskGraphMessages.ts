import type { ShownState } from '../../protocol/message/taskState.ts';

// The part of the contract between panel and host for the tasks tab.

/** A task in the graph of tasks. */
export interface ShownTask {
  readonly taskId: string;
  readonly state: ShownState;
  readonly title: string;
  /** Milliseconds since the epoch; absent where its start is not known. */
  readonly createdAt?: number;
  /** Number of its artifacts. */
  readonly artifacts: number;
  /** Seq of its first entry; absent where it has none here. */
  readonly seq?: number;
  /** Ids of the tasks that its messages refer to (`referenceTaskIds`, artifacts in part metadata); some may be unknown. */
  readonly references: readonly string[];
  /** Its changes of state with their times, milliseconds since the epoch, oldest first; absent where the times are unknown. */
  readonly states?: readonly { readonly state: ShownState; readonly at: number }[];
  /** It belongs to another context and is shown because a task here refers to it. */
  readonly elsewhere?: true;
}

export interface ShownTasks {
  /** In order of creation. */
  readonly tasks: readonly ShownTask[];
  /** Number of older tasks of the context that are left out. */
  readonly older: number;
  readonly nodes: readonly ShownNode[];
  readonly lines: readonly ShownLine[];
  /** Number of references to unknown tasks that are not drawn. */
  readonly left: number;
  /** Size of the whole picture, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A node of the graph: a task, an unknown task, or several finished tasks drawn as one. */
export interface ShownNode {
  /** Stable while tasks change and others are added. */
  readonly key: string;
  readonly taskId: string;
  /** Indexes into the list of tasks. */
  readonly tasks: readonly number[];
  /** Upper left corner, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** An edge: the second node refers to the first; both are indexes. */
export interface ShownLine {
  readonly from: number;
  readonly to: number;
  /** The `d` attribute of an SVG path. */
  readonly d: string;
  /** It closes a cycle. */
  readonly backward: boolean;
}

import type { ShownState } from '../../protocol/message/taskState.ts';

// The part of the contract between panel and host that is about the tasks tab.

/** A task among those it has to do with. */
export interface ShownTask {
  readonly taskId: string;
  readonly state: ShownState;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** How many it has made. */
  readonly artifacts: number;
  /** Its first entry; left out where it has none here. */
  readonly seq?: number;
  /** Ids of the tasks that its messages refer to (`referenceTaskIds`, artifacts in part metadata); of some of them nothing may be known. */
  readonly references: readonly string[];
  /** It is of another context, and here because it is referred to. */
  readonly elsewhere?: true;
}

export interface ShownTasks {
  /** In the order in which they began. */
  readonly tasks: readonly ShownTask[];
  /** How many older ones the context has that are left out. */
  readonly older: number;
  readonly nodes: readonly ShownNode[];
  readonly lines: readonly ShownLine[];
  /** References to unknown tasks that are not drawn. */
  readonly left: number;
  /** Of the whole picture, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** A task in the picture, one that nobody knows, or several finished ones that are drawn as one. */
export interface ShownNode {
  /** Stays the same while tasks change and others come. */
  readonly key: string;
  readonly taskId: string;
  /** Places in the list of tasks. */
  readonly tasks: readonly number[];
  /** Its upper left corner, in pixels. */
  readonly x: number;
  readonly y: number;
}

/** The second node refers to the first, both by their places. */
export interface ShownLine {
  readonly from: number;
  readonly to: number;
  /** The path of an SVG. */
  readonly d: string;
  /** It closes a circle. */
  readonly backward: boolean;
}

/** Most tasks that can be asked to be drawn each for itself. */
export const maxUnfolded = 1_000;

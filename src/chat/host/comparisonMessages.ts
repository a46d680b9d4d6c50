import * as z from 'zod';
import type { TaskState } from '../../protocol/message/taskState.ts';
import type { Aspect } from '../../recording/compare/comparison.ts';

/** Choice of differences that do not count; see `Normalization`. */
export const ChosenNormalization = z.object({
  ids: z.boolean(),
  times: z.boolean(),
  keyOrder: z.boolean(),
  tolerance: z.number().nonnegative(),
  without: z.array(z.string().max(500)).max(100),
});
export type ChosenNormalization = z.infer<typeof ChosenNormalization>;

/** The outcome of a message in one run as the page shows it. Texts are the agent's, and cut. */
export interface ShownCell {
  /** Undefined where the answer is a message, and where there is none. */
  readonly state?: TaskState;
  readonly firstEventMs?: number;
  readonly totalMs: number;
  readonly text: string;
  /** Names of artifacts. */
  readonly artifacts: readonly string[];
  readonly findings: number;
  /** Translated. */
  readonly problem?: string;
  readonly differs: readonly Aspect[];
}

export interface ShownTurn {
  readonly said: string;
  readonly cells: readonly (ShownCell | undefined)[];
  /** Number of runs after the first that are equal to it here. */
  readonly equal: number;
}

/** Sent by the host each time something of the page changes. */
export interface ComparisonView {
  readonly type: 'view';
  /** Keys of the contexts that are compared, to restore the page after a reload. */
  readonly contexts: readonly string[];
  readonly runs: readonly {
    readonly agent: string;
    /** Title of the conversation, cut; absent where all have the same. */
    readonly title?: string;
    /** Sets the run apart from others of its agent: interface and time. */
    readonly detail: string;
    readonly isRunning: boolean;
    /** Why it cannot be read, translated. */
    readonly remark?: string;
  }[];
  readonly turns: readonly ShownTurn[];
  /** Number of further turns that are not shown. */
  readonly more: number;
  readonly normalization: ChosenNormalization;
  readonly strings: Readonly<Record<string, string>>;
}

/** Sent by the page to the host. */
export const ComparisonPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Opens the chat of a run. */
  z.object({ type: z.literal('open'), run: z.int().min(0) }),
  /** Opens a turn of a run beside that of the first one. */
  z.object({ type: z.literal('diff'), turn: z.int().min(0), run: z.int().min(0) }),
  z.object({ type: z.literal('normalize'), normalization: ChosenNormalization }),
]);
export type ComparisonPageMessage = z.infer<typeof ComparisonPageMessage>;

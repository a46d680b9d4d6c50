import type { Part } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { inForeignState } from '../run/gap.ts';
import { moreTime } from './requestLimit.ts';

/**
 * Longest time of a task in an unknown state, in milliseconds: in one that A2A does not define (`foreign`), and in `TASK_STATE_UNSPECIFIED`
 * without other news.
 */
export const unknownWaits = { foreign: 10_000, unspecified: 60_000 };

/** Reports a task that stays in an unknown state: its end could never be seen. */
export class UnknownState {
  readonly #onStranded: (problem: Problem) => void;
  readonly #snapshot: () => unknown;
  readonly #waits: typeof unknownWaits;
  readonly #hasLimit: boolean;
  /** Name of the foreign state; undefined for `TASK_STATE_UNSPECIFIED`. */
  #name: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param snapshot everything known of the task, as a text to compare; called rarely. @param hasLimit the person has limited how
   * long a task may take: an unspecified state then has that time.
   */
  constructor({
    onStranded,
    snapshot,
    hasLimit,
    waits = unknownWaits,
  }: {
    readonly onStranded: (problem: Problem) => void;
    readonly snapshot: () => unknown;
    readonly hasLimit: boolean;
    readonly waits?: typeof unknownWaits | undefined;
  }) {
    this.#onStranded = onStranded;
    this.#snapshot = snapshot;
    this.#hasLimit = hasLimit;
    this.#waits = waits;
  }

  /** The task is in this state now. @param name the state as the agent spells it, where A2A has none of that name. */
  look(state: TaskState | undefined, name: string | undefined): void {
    if (state !== 'TASK_STATE_UNSPECIFIED' || (name === undefined && this.#hasLimit)) return this.dispose();
    if (this.#timer !== undefined && (name === undefined) === (this.#name === undefined)) return;
    this.dispose();
    this.#name = name;
    if (name !== undefined) this.#timer = setTimeout(() => this.#onStranded(inForeignState(name)), this.#waits.foreign);
    else this.#wait();
  }

  /** Stops the timer. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const before = this.#snapshot();
    this.#timer = setTimeout(() => {
      if (this.#snapshot() === before) this.#onStranded(unspecifiedFor(this.#waits.unspecified));
      else this.#wait();
    }, this.#waits.unspecified);
  }
}

/**
 * A short fingerprint of a task of any size, the same until there is news. Leaves out the timestamp: some agents put the time of the
 * response there.
 */
export const fingerprintOf = ({ status: { timestamp: _, ...status }, history = [], artifacts = [] }: Task): string =>
  JSON.stringify([status, history.length, artifacts.map(({ artifactId, parts }) => [artifactId, parts.length, lengthOf(parts.at(-1))])]);

const lengthOf = (part: Part | undefined): number => (part !== undefined && 'text' in part ? part.text.length : 0);

const unspecifiedFor = (ms: number): Problem =>
  new Problem(
    'unknown-state',
    sentence(
      'For {0} seconds the agent has reported only that the state of the task is unknown, so it is unknown whether the task has ended.',
      ms / 1000,
    ),
    {
      nextStep: moreTime,
    },
  );

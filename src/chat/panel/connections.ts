import { computed, type ReadonlySignal } from '@preact/signals';
import type { ChatState, ShownConnection } from '../host/chatState.ts';

/** Order by importance to the person. */
const order: readonly ShownConnection['kind'][] = ['lost', 'unknown-state', 'none', 'full', 'quiet', 'elsewhere', 'open'];

/**
 * The connections to the agent, with the time of the report by the page's monotonic clock, so that a change of the system time has no
 * effect.
 */
export class Connections {
  readonly #state: ReadonlySignal<ChatState | undefined>;
  readonly #received = computed(() => ({ list: this.#state.value?.connections ?? [], at: performance.now() }));

  constructor(state: ReadonlySignal<ChatState | undefined>) {
    this.#state = state;
  }

  /** The most important connection to report; undefined where all work normally. */
  get notable(): ShownConnection | undefined {
    return this.#received.value.list
      .filter(({ kind, reason }) => kind !== 'open' || reason !== undefined)
      .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))[0];
  }

  /** Milliseconds since the report. */
  get age(): number {
    return performance.now() - this.#received.value.at;
  }

  of(taskId: string | undefined): ShownConnection | undefined {
    return (
      this.#received.value.list.find(each => each.taskId === taskId) ??
      (taskId === undefined ? undefined : this.#received.value.list.find(each => each.taskId === undefined))
    );
  }

  /** True where more of an artifact of this task may arrive. */
  brings(taskId: string | undefined): boolean {
    const kind = this.of(taskId)?.kind;
    return kind === 'open' || kind === 'quiet' || kind === 'elsewhere';
  }
}

import { computed, type ReadonlySignal } from '@preact/signals';
import type { ChatState, ShownConnection } from '../host/messages.ts';

/** What matters more to the person comes first. */
const order: readonly ShownConnection['kind'][] = ['lost', 'none', 'full', 'quiet', 'elsewhere', 'open'];

/** How the agent is heard of, and when that was told by the page's own clock, which no change of the date turns. */
export class Connections {
  readonly #state: ReadonlySignal<ChatState | undefined>;
  readonly #told = computed(() => ({ list: this.#state.value?.connections ?? [], at: performance.now() }));

  constructor(state: ReadonlySignal<ChatState | undefined>) {
    this.#state = state;
  }

  /** The one to be told of first; undefined where all is well. */
  get notable(): ShownConnection | undefined {
    const found = this.#told.value.list.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))[0];
    return found?.kind === 'open' ? undefined : found;
  }

  /** Milliseconds since this was told. */
  get age(): number {
    return performance.now() - this.#told.value.at;
  }

  of(taskId: string | undefined): ShownConnection | undefined {
    return (
      this.#told.value.list.find(each => each.taskId === taskId) ??
      (taskId === undefined ? undefined : this.#told.value.list.find(each => each.taskId === undefined))
    );
  }

  /** More of an artifact of this task may come. */
  brings(taskId: string | undefined): boolean {
    const kind = this.of(taskId)?.kind;
    return kind === 'open' || kind === 'quiet' || kind === 'elsewhere';
  }
}

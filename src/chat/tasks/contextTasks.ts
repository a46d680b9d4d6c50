import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TaskSummary } from '../../protocol/transcript.ts';
import type { Channel } from '../channel.ts';
import type { ShownTask, ShownTasks } from '../messages.ts';
import { foldedNet } from './foldedNet.ts';
import { netOf } from './taskNet.ts';

/** So many are drawn before finished ones are taken together. */
const mostDrawn = 40;

/** The tasks of the context as they were last read from the host, and how the person looks at them. */
export class ContextTasks {
  readonly #read = signal<ShownTasks | undefined>(undefined);
  /** Tasks that the person wants to see each for itself. */
  readonly unfolded = signal<ReadonlySet<string>>(new Set());
  /** As a list instead of a picture. */
  readonly listed = signal(false);
  /** Everything. */
  readonly whole = computed(() => netOf(this.#read.value?.tasks ?? []));
  /** What is drawn. */
  readonly drawn = computed(() => foldedNet(this.whole.value, mostDrawn, this.unfolded.value));
  readonly #channel: Channel;
  readonly #onRead: (tasks: readonly ShownTask[]) => void;
  readonly #fail: (error: unknown) => void;

  /** `onRead` hears of the tasks before they are shown. */
  constructor(channel: Channel, onRead: (tasks: readonly ShownTask[]) => void, fail: (error: unknown) => void) {
    this.#channel = channel;
    this.#onRead = onRead;
    this.#fail = fail;
  }

  /** Undefined until they were read for the first time. */
  get read(): ReadonlySignal<ShownTasks | undefined> {
    return this.#read;
  }

  async refresh(): Promise<void> {
    try {
      const read = await this.#channel.request('tasks', null);
      this.#onRead(read.tasks.filter(({ elsewhere }) => elsewhere !== true));
      this.#read.value = read;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** States that came with an update are shown before everything is read again. */
  states(summaries: readonly Pick<TaskSummary, 'taskId' | 'state'>[]): void {
    const read = this.#read.peek();
    if (read === undefined) return;
    const states = new Map(summaries.map(({ taskId, state }) => [taskId, state]));
    const changed = read.tasks.some(({ taskId, state, elsewhere }) => elsewhere !== true && (states.get(taskId) ?? state) !== state);
    if (changed) this.#read.value = { ...read, tasks: read.tasks.map(task => (task.elsewhere === true ? task : { ...task, state: states.get(task.taskId) ?? task.state })) };
  }

  unfold(tasks: readonly ShownTask[]): void {
    this.unfolded.value = new Set([...this.unfolded.peek(), ...tasks.map(({ taskId }) => taskId)]);
  }
}

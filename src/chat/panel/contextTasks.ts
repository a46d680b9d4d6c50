import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import { maxUnfolded } from '../host/limits.ts';
import type { ShownNode, ShownTask, ShownTasks } from '../host/taskGraphMessages.ts';

/** A node with its tasks: none where the task is unknown, several where finished ones are drawn as one. */
export interface DrawnNode extends Omit<ShownNode, 'tasks'> {
  readonly tasks: readonly ShownTask[];
}

/** The tasks of the context as last read from the host, and how they are displayed. */
export class ContextTasks {
  readonly #read = signal<ShownTasks | undefined>(undefined);
  /** Undefined until first read. */
  readonly read: ReadonlySignal<ShownTasks | undefined> = this.#read;
  /** Ids of tasks that the person wants to see separately. */
  readonly unfolded = signal<readonly string[]>([]);
  /** Shown as a list rather than a picture. */
  readonly listed = signal(false);
  readonly nodes = computed((): readonly DrawnNode[] => {
    const { nodes = [], tasks = [] } = this.#read.value ?? {};
    return nodes.map(node => ({ ...node, tasks: node.tasks.flatMap(number => tasks[number] ?? []) }));
  });
  readonly #host: HostRequests;
  readonly #onRead: (read: { readonly tasks: readonly ShownTask[]; readonly taskCount: number }) => void;

  /** `onRead` is called with the context's own tasks, newest first, and the number of all that it has, before they are shown. */
  constructor(host: HostRequests, onRead: (read: { readonly tasks: readonly ShownTask[]; readonly taskCount: number }) => void) {
    this.#host = host;
    this.#onRead = onRead;
  }

  /** Draws these tasks, and only these, separately. */
  async unfold(tasks: readonly string[]): Promise<void> {
    this.unfolded.value = tasks.slice(-maxUnfolded);
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const read = await this.#host.answer('tasks', { unfolded: this.unfolded.peek() });
    if (read === undefined) return;
    const own = read.tasks.filter(isOwn);
    this.#onRead({ tasks: own.toReversed(), taskCount: own.length + read.older });
    this.#read.value = read;
  }

  /** Applies states from an update at once, before all tasks are read again. */
  states(summaries: readonly Pick<TaskSummary, 'taskId' | 'state'>[]): void {
    const read = this.#read.peek();
    const states = new Map(summaries.map(({ taskId, state }) => [taskId, state]));
    const now = read?.tasks.map(task => ({ ...task, state: (isOwn(task) ? states.get(task.taskId) : undefined) ?? task.state }));
    if (read !== undefined && now?.some(({ state }, number) => state !== read.tasks[number]?.state) === true)
      this.#read.value = { ...read, tasks: now };
  }
}

/** True where the task belongs to this context. */
export const isOwn = (task: ShownTask): boolean => task.elsewhere !== true;

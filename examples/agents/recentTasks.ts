import { deserialize, serialize } from 'node:v8';
import { TaskState, type ListTasksRequest, type ListTasksResponse, type Task } from '@a2a-js/sdk';
import { InMemoryTaskStore, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';

const maxTasks = 1_000;
/** Of all tasks together. */
const maxBytes = 64 * 1024 * 1024;

const ends: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_FAILED, TaskState.TASK_STATE_CANCELED, TaskState.TASK_STATE_REJECTED,
];

/**
 * Keeps 1,000 tasks and 64 MiB of them at most: the SDK's own store keeps all for ever. Those that ended go first, the one that changed last
 * never. There are no users, and so no tasks of others; each tenant has a list of its own, as in the SDK's store.
 */
export class RecentTasks implements TaskStore {
  /** By id; the task that changed last comes last. */
  readonly #tasks = new Map<string, { readonly bytes: Buffer; readonly ended: boolean; readonly tenant: string }>();
  readonly #forgotten: (id: string, context: ServerCallContext) => Promise<void>;
  #bytes = 0;

  /** @param forgotten called with each task that is no longer kept */
  constructor(forgotten: (id: string, context: ServerCallContext) => Promise<void>) {
    this.#forgotten = forgotten;
  }

  async load(id: string): Promise<Task | undefined> {
    const kept = this.#tasks.get(id);
    return kept === undefined ? undefined : deserialize(kept.bytes) as Task;
  }

  async save(task: Task, context: ServerCallContext): Promise<void> {
    this.#delete(task.id);
    const bytes = serialize(task);
    this.#tasks.set(task.id, { bytes, ended: ends.includes(task.status?.state), tenant: context.tenant ?? '' });
    this.#bytes += bytes.byteLength;
    while (this.#tasks.size > 1 && (this.#tasks.size > maxTasks || this.#bytes > maxBytes)) {
      const older = [...this.#tasks].slice(0, -1);
      const [id] = older.find(([, { ended }]) => ended) ?? older[0]!;
      this.#delete(id);
      await this.#forgotten(id, context);
    }
  }

  async list(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const all = new InMemoryTaskStore();
    for (const { bytes, tenant } of this.#tasks.values())
      if (tenant === (context.tenant ?? '')) await all.save(deserialize(bytes) as Task, context);
    return all.list(params, context);
  }

  #delete(id: string): void {
    this.#bytes -= this.#tasks.get(id)?.bytes.byteLength ?? 0;
    this.#tasks.delete(id);
  }
}

import type { Message } from '../protocol/message/message.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Task } from '../protocol/message/task.ts';
import { isTerminal, type TaskState } from '../protocol/message/taskState.ts';

/** Most bytes of messages whose tasks are kept. */
const maxBytes = 64 * 1024 * 1024;

/** A task whose lists grow in place: a copy for each chunk of an artifact would take seconds for 10,000 of them. */
interface KeptTask {
  readonly task: Task;
  /** Index of each artifact, by its id. */
  readonly places: Map<string, number>;
}

/** Tasks by id, with all events applied; the task that changed last comes last. */
export class TaskStore {
  readonly #tasks = new Map<string, KeptTask>();
  readonly #weights = new Map<string, number>();
  #weight = 0;

  /** The task as it is now: it does not change any more. */
  get(id: string): Task | undefined {
    const kept = this.#tasks.get(id);
    return kept && copyOf(kept.task);
  }

  stateOf(id: string): TaskState | undefined {
    return this.#tasks.get(id)?.task.status.state;
  }

  /** All tasks; the one that changed longest ago comes first. */
  all(): readonly Task[] {
    return [...this.#tasks.values()].map(({ task }) => task);
  }

  /** Counts the bytes of a message to its task. */
  weigh(id: string, bytes: number): void {
    this.#weights.set(id, (this.#weights.get(id) ?? 0) + bytes);
    this.#weight += bytes;
  }

  /** Forgets tasks beyond so many, or beyond 64 MiB of messages: first those that ended, never the one that changed last. Gives their ids. */
  shrink(maxTasks: number): readonly string[] {
    const forgotten: string[] = [];
    while (this.#tasks.size > 1 && (this.#tasks.size > maxTasks || this.#weight > maxBytes)) {
      const older = this.all().slice(0, -1);
      const { id } = older.find(({ status }) => isTerminal(status.state)) ?? older[0]!;
      this.#tasks.delete(id);
      this.#weight -= this.#weights.get(id) ?? 0;
      this.#weights.delete(id);
      forgotten.push(id);
    }
    return forgotten;
  }

  put(task: Task): void {
    const own = copyOf(task);
    const places = new Map<string, number>();
    for (const [index, { artifactId }] of (own.artifacts ?? []).entries()) if (!places.has(artifactId)) places.set(artifactId, index);
    this.#changed(task.id, { task: own, places });
  }

  /** Adds a message to the history of its task. */
  note(id: string, message: Message): void {
    const { task } = this.#known(id);
    (task.history ??= []).push(message);
  }

  /** Applies an event to its task, as far as a task snapshot can represent it. */
  apply(event: StreamResponse): void {
    if ('task' in event) this.put(event.task);
    if ('statusUpdate' in event) {
      const { taskId, status, metadata } = event.statusUpdate;
      const kept = this.#known(taskId);
      kept.task.status = status;
      if (metadata !== undefined) kept.task.metadata = { ...kept.task.metadata, ...metadata };
      this.#changed(taskId, kept);
    }
    if ('artifactUpdate' in event) {
      const { taskId, artifact, append } = event.artifactUpdate;
      const kept = this.#known(taskId);
      const artifacts = (kept.task.artifacts ??= []);
      const place = kept.places.get(artifact.artifactId) ?? artifacts.length;
      const known = artifacts[place];
      if (known !== undefined && append === true) for (const part of artifact.parts) known.parts.push(part);
      else artifacts[place] = { ...artifact, parts: [...artifact.parts] };
      kept.places.set(artifact.artifactId, place);
      this.#changed(taskId, kept);
    }
  }

  #known(id: string): KeptTask {
    return this.#tasks.get(id) ?? { task: { id, status: { state: 'TASK_STATE_SUBMITTED' } }, places: new Map() };
  }

  #changed(id: string, kept: KeptTask): void {
    this.#tasks.delete(id);
    this.#tasks.set(id, kept);
  }
}

/** A task with lists of its own. */
const copyOf = (task: Task): Task => ({
  ...task,
  ...(task.artifacts !== undefined && { artifacts: task.artifacts.map(artifact => ({ ...artifact, parts: [...artifact.parts] })) }),
  ...(task.history !== undefined && { history: [...task.history] }),
});

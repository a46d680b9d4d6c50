import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../protocol/message/task.ts';
import { isTerminal } from '../protocol/message/taskState.ts';

/** Most bytes of messages whose tasks are kept. */
const maxBytes = 64 * 1024 * 1024;

/** Tasks by id, with all events applied; the task that changed last comes last. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #weights = new Map<string, number>();
  #weight = 0;

  get(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** All tasks; the one that changed longest ago comes first. */
  all(): readonly Task[] {
    return [...this.#tasks.values()];
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
    this.#tasks.delete(task.id);
    this.#tasks.set(task.id, task);
  }

  /** Applies an event to its task, as far as a task snapshot can represent it. */
  apply(event: StreamResponse): void {
    if ('task' in event) this.put(event.task);
    if ('statusUpdate' in event) {
      const { taskId, status, metadata } = event.statusUpdate;
      const known = this.#known(taskId);
      this.put({ ...known, status, ...(metadata && { metadata: { ...known.metadata, ...metadata } }) });
    }
    if ('artifactUpdate' in event) {
      const { taskId, artifact, append } = event.artifactUpdate;
      const known = this.#known(taskId);
      this.put({ ...known, artifacts: joined(known.artifacts ?? [], artifact, append === true) });
    }
  }

  #known(id: string): Task {
    return this.#tasks.get(id) ?? { id, status: { state: 'TASK_STATE_SUBMITTED' } };
  }
}

function joined(artifacts: readonly Artifact[], artifact: Artifact, append: boolean): Artifact[] {
  const { artifactId, parts } = artifact;
  if (!artifacts.some(known => known.artifactId === artifactId)) return [...artifacts, artifact];
  return artifacts.map(known =>
    known.artifactId !== artifactId ? known : append ? { ...known, parts: [...known.parts, ...parts] } : artifact,
  );
}

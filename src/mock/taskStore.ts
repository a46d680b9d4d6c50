import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../protocol/message/task.ts';

/** Tasks by id, with all events applied; the task that changed last comes last. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();

  get(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** All tasks; the one that changed longest ago comes first. */
  all(): readonly Task[] {
    return [...this.#tasks.values()];
  }

  drop(id: string): void {
    this.#tasks.delete(id);
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

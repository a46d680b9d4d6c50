import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { TaskReducer } from './taskReducer.ts';

/** Most code units of events that are held: whether they are needed is known only when the stream has ended. */
const maxHeld = 16 * 1024 * 1024;

/** A task that a stream tells of besides its own, and of which nobody has heard: some agents go on under an id that they make up. */
export class OtherTask {
  readonly #folded: TaskReducer;
  #held = 0;

  constructor(taskId: string) {
    this.#folded = new TaskReducer(taskId);
  }

  get id(): string {
    return this.#folded.id;
  }

  /** False where there is no room for the event: it is not held. What says how the task stands always has room. */
  take(event: StreamResponse): boolean {
    const size = JSON.stringify(event).length;
    if (this.#held + size > maxHeld && !('statusUpdate' in event)) return false;
    this.#held += size;
    this.#folded.apply(event);
    return true;
  }

  /** Undefined while it is not over. */
  get endState(): TaskState | undefined {
    return isTerminal(this.#folded.state) ? this.#folded.state : undefined;
  }

  /** The task with all that it made. */
  get task(): Task {
    return this.#folded.task;
  }
}

import type { Message } from '../protocol/message.ts';
import { taskIdOf, type StreamResponse } from '../protocol/streamResponse.ts';
import type { TaskChange } from '../protocol/taskChange.ts';
import { syntheticIdPrefix } from '../protocol/versions/readTask.ts';
import { FoldedTask } from './foldedTask.ts';

/** One answer as it arrives: one task, or a message outside any task, or first the one and then the other. */
export class StreamFold {
  readonly #load: (taskId: string) => FoldedTask;
  #task: FoldedTask | undefined;
  #message: Message | undefined;

  /** `load` makes the fold of a task as far as it is known; `taskId` is the task that is expected, if any. */
  constructor(load: (taskId: string) => FoldedTask, taskId?: string) {
    this.#load = load;
    this.#task = taskId === undefined ? undefined : load(taskId);
  }

  get task(): FoldedTask | undefined {
    return this.#task;
  }

  /** The last message that came outside any task. */
  get message(): Message | undefined {
    return this.#message;
  }

  /**
   * `first`: no event of this answer came before, so that it may be about another task than was expected. `heldBy`: for each event the number
   * of the frame that holds it.
   */
  apply(events: readonly StreamResponse[], first = false, heldBy: readonly (number | undefined)[] = []): TaskChange[] {
    return events.flatMap((event, index) => {
      const taskId = taskIdOf(event);
      if (taskId === undefined && 'message' in event && this.#task === undefined) {
        this.#message = event.message;
        return [{ kind: 'message', message: event.message }];
      }
      const other = first && index === 0 && taskId !== undefined && taskId !== '' && taskId !== this.#task?.id;
      if (this.#task === undefined || other) this.#task = this.#load(taskId || `${syntheticIdPrefix}task`);
      return this.#task.apply(event, heldBy[index]);
    });
  }
}

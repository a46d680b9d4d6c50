/** Mark of a task: a number in the context (from 1, in the order they began) and one of six colors. */
export interface TaskMark {
  readonly number: number;
  /** 1 to 6; always shown together with the number. */
  readonly color: number;
}

const colors = 6;

/** A task with its place among those of the context, from 1, where that is known. */
export interface NumberedTask {
  readonly taskId?: string | undefined;
  readonly taskNumber?: number;
}

/** The newest tasks of a context, newest first, and how many it has. */
export interface NewestTasks {
  readonly tasks: readonly NumberedTask[];
  readonly taskCount: number;
}

/** Numbers the tasks of a context; numbers stay the same while the panel is open. */
export class TaskMarks {
  readonly #marks = new Map<string, TaskMark>();
  readonly #taken = new Set<number>();
  #last = 0;

  get size(): number {
    return this.#marks.size;
  }

  get(taskId: string): TaskMark | undefined {
    return this.#marks.get(taskId);
  }

  addNewest({ tasks, taskCount }: NewestTasks): void {
    this.add(tasks.map(({ taskId }, index) => ({ taskId, taskNumber: taskCount - index })).reverse());
  }

  /** Numbers the tasks that have no number yet: by their place in the context, or after all others where that is not known. */
  add(tasks: readonly NumberedTask[]): void {
    for (const { taskId, taskNumber } of tasks) {
      if (taskId === undefined || this.#marks.has(taskId)) continue;
      // Places move where tasks are deleted meanwhile.
      const number = taskNumber === undefined || this.#taken.has(taskNumber) ? this.#last + 1 : taskNumber;
      this.#taken.add(number);
      this.#last = Math.max(this.#last, number);
      this.#marks.set(taskId, { number, color: ((number - 1) % colors) + 1 });
    }
  }
}

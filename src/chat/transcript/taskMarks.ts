/** How tasks are distinguished: a number in the context (from 1, in the order they began) and one of six colors. */
export interface TaskMark {
  readonly number: number;
  /** 1 to 6; always shown together with the number. */
  readonly color: number;
}

const colors = 6;

/** Numbers the tasks of a context; numbers stay the same while the panel is open. */
export class TaskMarks {
  readonly #marks = new Map<string, TaskMark>();

  get size(): number {
    return this.#marks.size;
  }

  get(taskId: string): TaskMark | undefined {
    return this.#marks.get(taskId);
  }

  /** Numbers the tasks that have no number yet, in this order. */
  add(taskIds: readonly (string | undefined)[]): void {
    for (const taskId of taskIds) {
      if (taskId === undefined || this.#marks.has(taskId)) continue;
      const number = this.#marks.size + 1;
      this.#marks.set(taskId, { number, color: ((number - 1) % colors) + 1 });
    }
  }
}

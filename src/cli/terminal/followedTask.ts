import { foreignStateIn, toldOf } from '../../model/requests/unknownState.ts';
import type { Finding } from '../../protocol/finding.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { Values } from './options.ts';
import { Printer, type IdNames } from './printer.ts';

/** Called with each state of the task, and with the agent's spelling where it is not an A2A state. */
export type OnState = (state: TaskState | undefined, name: string | undefined) => void;

/** What the agent has told of the task that one command is about; all of it is printed as it comes. */
export class FollowedTask {
  readonly printer: Printer;
  readonly #values: Values;
  readonly #onState: OnState;
  #id: string | undefined;
  #state: TaskState | undefined;
  #contextId: string | undefined;
  /** The state as the agent spells it, where it is not an A2A state. */
  #foreign: string | undefined;
  /** Counts changes of the task. */
  #changes = 0;
  #lastTask = '';
  #lastStatus = '';
  /** JSON of the last polled task. */
  #polledTask = '';
  /** The answer is a message, not a task. */
  #answered = false;

  constructor(values: Values, onState: OnState, ids?: IdNames) {
    this.#values = values;
    this.#onState = onState;
    this.printer = new Printer({ values, ids });
  }

  /** Undefined until the agent has sent it, or it was given. */
  get id(): string | undefined {
    return this.#id;
  }

  set id(id: string) {
    this.#id = id;
  }

  get state(): TaskState | undefined {
    return this.#state;
  }

  /** The agent's id of the context; undefined until the agent has sent it. */
  get contextId(): string | undefined {
    return this.#contextId;
  }

  /** Changes so far: the same number means that nothing new was received. */
  get changes(): number {
    return this.#changes;
  }

  /** The agent has sent the task or a message. */
  get hasAnswered(): boolean {
    return this.#id !== undefined || this.printer.hasPrinted;
  }

  /** No more events are expected. */
  get isOver(): boolean {
    return this.#state === undefined ? this.#answered : isTerminal(this.#state);
  }

  apply(events: readonly StreamResponse[], inStream = false): void {
    for (const event of events) {
      if (inStream && (this.#isForeign(event) || this.#comesAfterEnd(event))) continue;
      this.printer.show(event);
      this.#contextId = contextIdOf(event) ?? this.#contextId;
      if ('message' in event) this.#answered = true;
      if ('task' in event) [this.#id, this.#state] = [event.task.id, event.task.status.state];
      if ('statusUpdate' in event) [this.#id, this.#state] = [event.statusUpdate.taskId, event.statusUpdate.status.state];
      if ('artifactUpdate' in event) this.#id ??= event.artifactUpdate.taskId;
      this.#count(event);
      if (this.#state !== 'TASK_STATE_UNSPECIFIED') this.#foreign = undefined;
      this.#onState(this.#state, this.#foreign);
    }
  }

  #count(event: StreamResponse): void {
    if ('task' in event) {
      const told = toldOf(event.task);
      if (told === this.#lastTask) return;
      this.#lastTask = told;
    } else if ('statusUpdate' in event) {
      const { state, message } = event.statusUpdate.status;
      const told = JSON.stringify([state, message?.parts]);
      if (told === this.#lastStatus) return;
      this.#lastStatus = told;
    }
    this.#changes++;
  }

  /** Prints a task unless it is unchanged. */
  applyTask(task: Task): void {
    const now = JSON.stringify(task);
    if (now !== this.#polledTask) this.apply([{ task }]);
    this.#polledTask = now;
  }

  findings(findings: readonly Finding[]): void {
    this.printer.findings(findings);
    const name = foreignStateIn(findings);
    if (name === undefined) return;
    this.#foreign = name;
    this.#onState(this.#state, name);
  }

  /** An event of another task is told and neither printed nor applied. */
  #isForeign(event: StreamResponse): boolean {
    const taskId = taskIdOf(event);
    if (taskId === undefined || taskId === '' || this.#id === undefined || taskId === this.#id) return false;
    const message = `An event of task ${quoted(taskId)} came in a stream of this task; it was not applied.`;
    this.printer.findings([{ rule: 'DATA-06', pointer: '', message }]);
    if (this.#values.json) this.printer.show(event);
    return true;
  }

  /** A task that has ended does not change (A2A 1.0 §3.1.2): a different later state is printed and ignored. */
  #comesAfterEnd(event: StreamResponse): boolean {
    const told =
      'task' in event
        ? { id: event.task.id, ...event.task.status }
        : 'statusUpdate' in event
          ? { id: event.statusUpdate.taskId, ...event.statusUpdate.status }
          : undefined;
    if (told === undefined || this.#state === undefined || !isTerminal(this.#state) || told.id !== this.#id || told.state === this.#state)
      return false;
    const message = `The task was ${taskStates[this.#state].label} and is told as ${taskStates[told.state].label}; that was not applied.`;
    this.printer.findings([{ rule: isTerminal(told.state) ? 'STRM-11' : 'STRM-03', pointer: '', message }]);
    if (this.#values.json) this.printer.show(event);
    return true;
  }
}

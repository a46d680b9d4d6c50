import type { StreamBatch } from '../../client/transport/transport.ts';
import type { Frame } from '../../protocol/exchange.ts';
import type { Message } from '../../protocol/message/message.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { TaskReducer } from './taskReducer.ts';

/** How events came, as far as that is known. */
export type EventsOnWire = Partial<Pick<StreamBatch, 'frames' | 'frameOf'>>;

/** One answer as it arrives: one task, or a message outside any task, or first the one and then the other. */
export class StreamReducer {
  readonly #load: (taskId: string) => TaskReducer;
  #task: TaskReducer | undefined;
  #message: Message | undefined;
  /** The last unknown task in the stream. */
  #other: UnknownTask | undefined;
  #ending: UnknownTask | undefined;
  #onlyMessages: boolean | undefined;
  /** The agent's id of the task in this response, where it differs from the requested one. */
  #alias: string | undefined;

  /** `load` makes the fold of a task as far as it is known; `taskId` is the task that is expected, if any. */
  constructor(load: (taskId: string) => TaskReducer, taskId?: string) {
    this.#load = load;
    this.#task = taskId === undefined ? undefined : load(taskId);
  }

  get task(): TaskReducer | undefined {
    return this.#task;
  }

  /** The last message that came outside any task. */
  get message(): Message | undefined {
    return this.#message;
  }

  /** By which id the agent can be asked for the task. */
  get agentId(): string | undefined {
    return this.#alias ?? this.#task?.id;
  }

  /** The response had only messages and no task. */
  get onlyMessages(): boolean {
    return this.#onlyMessages === true;
  }

  /** Begins the task that the message turned out to belong to. */
  adopt(taskId: string): TaskReducer {
    this.#task = this.#load(taskId);
    if (this.#message !== undefined) this.#task.addKnownMessage(this.#message);
    return this.#task;
  }

  /**
   * An unknown task, if the stream's last event ended it: agents built on an SDK that makes up an id, as one does where their code throws,
   * mean the task of the stream.
   */
  get ending(): Task | undefined {
    return this.#ending?.task;
  }

  /**
   * `first`: no event of this answer came before, so that it may be about another task than was expected. `wire`: how the events came.
   */
  apply(events: readonly StreamResponse[], first = false, wire: EventsOnWire = {}): TaskChange[] {
    return events.flatMap((told, index) => {
      const isFirst = first && index === 0;
      const changes = isFirst ? this.#findAlias(told) : [];
      const event =
        this.#alias !== undefined && taskIdOf(told) === this.#alias && this.#task !== undefined ? renamed(told, this.#task.id) : told;
      const taskId = taskIdOf(event);
      const other = isFirst && taskId !== undefined && taskId !== '' && taskId !== this.#task?.id;
      this.#onlyMessages = 'message' in event && this.#onlyMessages !== false;
      if ('message' in event && this.#isAnswer(taskId, other)) {
        this.#message = event.message;
        return placed([{ kind: 'message', message: event.message }], wire, index, events.length);
      }
      if (this.#task === undefined || other) this.#task = this.#load(taskId || `${syntheticIdPrefix}task`);
      const outsider = this.#otherIn(event);
      const held = outsider?.take(event) === true;
      this.#ending = outsider?.endState === undefined ? undefined : outsider;
      const applied = outsider === undefined || !held ? this.#task.apply(event) : this.#task.noteOtherTask(outsider.id, outsider.endState);
      return placed(changes.length === 0 ? applied : [...changes, ...applied], wire, index, events.length);
    });
  }

  /** Alias from the first event: an unknown task, in response to a message into an unfinished one, is that one. */
  #findAlias(event: StreamResponse): TaskChange[] {
    const taskId = taskIdOf(event);
    const task = this.#task;
    if (
      'message' in event ||
      task?.isKnown !== true ||
      isTerminal(task.state) ||
      taskId === undefined ||
      taskId === '' ||
      taskId === task.id ||
      this.#load(taskId).isKnown
    )
      return [];
    this.#alias = taskId;
    return task.noteAlias(taskId);
  }

  /** True for a message by itself: it has no task id, or an unknown one, since some agents make an id for each message. */
  #isAnswer(taskId: string | undefined, other: boolean): boolean {
    if (taskId === undefined || taskId === '') return this.#task === undefined;
    if (this.#task === undefined || other) return !this.#load(taskId).isKnown;
    return !this.#task.isKnown;
  }

  /** The task of an event, if it is another one than the stream's, in the same context or none, and unknown. */
  #otherIn(event: StreamResponse): UnknownTask | undefined {
    const taskId = taskIdOf(event);
    if (this.#task === undefined || taskId === undefined || taskId === '' || taskId === this.#task.id) return undefined;
    const contextId = contextIdOf(event);
    if (contextId !== undefined && this.#task.contextId !== undefined && contextId !== this.#task.contextId) return undefined;
    if (this.#other?.id === taskId) return this.#other;
    if (this.#load(taskId).isKnown) return undefined;
    this.#other = new UnknownTask(taskId);
    return this.#other;
  }
}

/** Findings are about the event of the stream that brought them, and entries began with it. Most events are appended, and left as they are. */
function placed(changes: TaskChange[], { frames = [], frameOf }: EventsOnWire, index: number, count: number): TaskChange[] {
  if (changes.every(({ kind }) => kind === 'append')) return changes;
  const frame =
    frameOf === undefined ? (frames.length === count ? frames[index] : undefined) : frames.find(({ seq }) => seq === frameOf[index]);
  return frame === undefined ? changes : changes.map(change => placedAt(change, frame));
}

function placedAt(change: TaskChange, { seq, at }: Frame): TaskChange {
  switch (change.kind) {
    case 'finding':
      return { ...change, finding: { frame: seq, ...change.finding } };
    case 'status':
    case 'message':
    case 'artifact':
      return { ...change, at };
    default:
      return change;
  }
}

/** The event, as if it were about the task of that id. */
function renamed(event: StreamResponse, taskId: string): StreamResponse {
  if ('task' in event) return { task: { ...event.task, id: taskId } };
  if ('message' in event) return { message: { ...event.message, taskId } };
  return 'statusUpdate' in event
    ? { statusUpdate: { ...event.statusUpdate, taskId } }
    : { artifactUpdate: { ...event.artifactUpdate, taskId } };
}

/** Most code units of events that are held: whether they are needed is known only when the stream has ended. */
const maxHeld = 16 * 1024 * 1024;

/** An unknown task in a stream of another one: some agents go on under an id that they make up. */
class UnknownTask {
  readonly #folded: TaskReducer;
  #held = 0;

  constructor(taskId: string) {
    this.#folded = new TaskReducer(taskId);
  }

  get id(): string {
    return this.#folded.id;
  }

  /** Applies an event. False without room for it; status updates always have room. */
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

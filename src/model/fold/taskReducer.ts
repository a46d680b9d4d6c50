import { isDeepStrictEqual } from 'node:util';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { Message } from '../../protocol/message/message.ts';
import { taskIdOf, type StreamResponse, type TaskStatusUpdateEvent } from '../../protocol/message/streamResponse.ts';
import type { Part } from '../../protocol/message/part.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { Task, TaskStatus } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isActive, isInterrupted, isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import { isSameContent } from '../../store/texts/partContent.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { ArtifactReducer } from './artifactReducer.ts';
import { TaskMessages } from './taskMessages.ts';
import { TaskFacts } from './taskFacts.ts';
import { type LocalizedMessage, sentence } from '../../protocol/problem.ts';
import { findingOf } from '../../protocol/finding.ts';

/** By how much the clocks of an agent's processes may differ, in milliseconds. */
const maxClockDifference = 1_000;

/**
 * One task, built from its events by the merging rules of A2A 1.0 §3.1.2, §3.5.2 and §4.2.2, read tolerantly; results are the changes. The
 * cost of an event depends on its own size and not on that of the task.
 */
export class TaskReducer {
  readonly id: string;
  readonly #facts: TaskFacts;
  #status: TaskStatus = { state: 'TASK_STATE_UNSPECIFIED' };
  /** Metadata of the update that brought the status. */
  #statusMetadata: Readonly<Record<string, unknown>> | undefined;
  readonly #artifacts: ArtifactReducer;
  readonly #messages = new TaskMessages();
  /** The agent had lost the task: its next status is a change even if it is the same. */
  #lost: boolean;
  /** The stream itself ended the task, so that whatever it brings afterwards is a fault. */
  #endedByStream = false;
  #skippedEvents = false;
  /** A message was sent into the finished task, and no response has come yet. */
  #sentWhenOver = false;
  /** The status that the person's message answered. */
  #answered: TaskStatus | undefined;
  #asksAgain = false;
  /** Earlier events may have been missed. */
  #joined = false;

  constructor(id: string, known?: { readonly task: Task; readonly complete: ReadonlySet<string>; readonly lost?: boolean }) {
    this.id = id;
    this.#facts = new TaskFacts(id, known?.task);
    this.#lost = known?.lost === true;
    this.#artifacts = new ArtifactReducer(id, known?.task.artifacts, known?.complete);
    if (known === undefined) return;
    const { task } = known;
    this.#status = task.status;
    for (const message of task.history ?? []) this.addKnownMessage(message);
    if (task.status.message !== undefined) this.addKnownMessage(task.status.message);
  }

  /** Listening begins in the middle of the task: that an event builds on what is not known here is no fault until a snapshot has come. */
  joinMidway(): void {
    this.#joined = true;
  }

  /**
   * The next answer is to a message that was sent into the task. Where the task is over the agent has to refuse it (A2A 1.0 §3.1.1); one that
   * does not is read all the same, as a task that begins again.
   * @param sent the message, which is known already
   */
  beginTurn(sent?: Message): void {
    this.#artifacts.beginTurn();
    // In the history it stands before the question that it answers, which the task's status still has.
    if (sent !== undefined) this.#messages.putLast(sent);
    this.#sentWhenOver = isTerminal(this.state);
    if (isInterrupted(this.state)) this.#answered = this.#status;
  }

  /** The task is in the history or in an event. */
  get isKnown(): boolean {
    return this.#facts.isKnown;
  }

  /** Since the person's message only the same question came again, in the same words and without an id. */
  get asksAgain(): boolean {
    return this.#asksAgain;
  }

  /** The question stands once more. */
  askAgain(): TaskChange[] {
    return [{ kind: 'status', taskId: this.id, status: this.#status, again: true }];
  }

  get state(): TaskState {
    return this.#status.state;
  }

  /** The same object until it changes. */
  get status(): TaskStatus {
    return this.#status;
  }

  get contextId(): string | undefined {
    return this.#facts.contextId;
  }

  /** True once an event was not applied: only a snapshot has the task's real state. */
  get hasSkippedEvents(): boolean {
    return this.#skippedEvents;
  }

  /** True once chunks came as a sound stream does not bring them: a snapshot had better confirm what they made. */
  get doubtful(): boolean {
    return this.#artifacts.doubtful;
  }

  /** The whole task: its history without the message of the status, parts as they came. */
  get task(): Task {
    const current = this.#status.message;
    const artifacts = this.#artifacts.list;
    const history = this.#messages.without(current);
    return withoutUndefined({
      id: this.id,
      contextId: this.#facts.contextId,
      status: this.#status,
      artifacts: artifacts.length === 0 ? undefined : artifacts,
      history: history.length === 0 ? undefined : history,
      metadata: this.#facts.metadata,
    });
  }

  /** The stream itself has reported the end of the task. */
  get endedByStream(): boolean {
    return this.#endedByStream;
  }

  get completeArtifacts(): ReadonlySet<string> {
    return this.#artifacts.complete;
  }

  /** A message of the task that is written down already. */
  addKnownMessage(message: Message): void {
    this.#messages.add(message);
  }

  /** Folds in one event of a stream, or the task that a stream or a send answered. */
  apply(event: StreamResponse): TaskChange[] {
    const taskId = taskIdOf(event);
    if (taskId !== undefined && taskId !== '' && taskId !== this.id) {
      return this.#reject('DATA-06', sentence("An event of task {0} arrived in this task's stream; it was ignored.", quoted(taskId)));
    }
    if (this.#sentWhenOver) return [...this.#acceptedWhenOver(event), ...this.apply(event)];
    if ('task' in event) return this.#snapshot(event.task, true);
    if (isTerminal(this.state) && !this.#repeatsEnd(event)) {
      const end = 'statusUpdate' in event && isTerminal(event.statusUpdate.status.state) ? event.statusUpdate : undefined;
      if (!this.#endedByStream) {
        if (end !== undefined) return [this.#otherEnd(end.status.state), ...this.#statusUpdate(end)];
        if (!this.#isAfterEnd(event)) {
          // The end came by another call, with everything before it; this event was on its way meanwhile.
          this.#skippedEvents = true;
          return [];
        }
      }
      if (end !== undefined) return this.#rejectEnd(end.status.state, textIn(event));
      return this.#reject(
        'STRM-03',
        sentence('An event arrived after the task was {0}; it was not applied.', taskStates[this.state].label),
        textIn(event),
      );
    }
    if ('message' in event) return [...this.#facts.take(event.message.contextId), ...this.#message(event.message)];
    if ('statusUpdate' in event) return this.#statusUpdate(event.statusUpdate);
    const facts = this.#facts.take(event.artifactUpdate.contextId);
    const changes = this.#artifacts.update(event.artifactUpdate, this.#joined);
    return facts.length === 0 ? changes : [...facts, ...changes];
  }

  /** The agent answers for this task under another id. */
  noteAlias(taskId: string): TaskChange[] {
    return [
      this.#finding(
        'DATA-06',
        sentence('A message to this task was answered with task {0}, which counts as the answer for this one.', quoted(taskId)),
      ),
    ];
  }

  /** Notes that a stream of this task had a task with another, unknown id; `state`: its final state, if it has one. */
  noteOtherTask(taskId: string, state: TaskState | undefined): TaskChange[] {
    if (state === undefined) {
      return this.#reject('DATA-06', sentence("An event of task {0} arrived in this task's stream; it was set aside.", quoted(taskId)));
    }
    return [
      ...this.#facts.take(undefined),
      this.#finding(
        'DATA-06',
        sentence(
          "This task's stream reported task {0} as {1}; if this task does not continue, that counts as its end.",
          quoted(taskId),
          taskStates[state].label,
        ),
      ),
    ];
  }

  /** How a task of another id ended is how this one ended, with what was said and made under that id. */
  endAs(task: Task): TaskChange[] {
    this.#endedByStream = true;
    const changes = this.#newMessages(task);
    for (const artifact of task.artifacts ?? []) {
      changes.push(...this.#artifacts.update({ taskId: this.id, contextId: this.#facts.contextId, artifact, lastChunk: true }, true));
    }
    return [...changes, ...this.#artifacts.close(), ...this.#setStatus(task.status)];
  }

  /** Folds in the task that GetTask or CancelTask answered. It replaces what was known; only the difference comes back. */
  merge(task: Task): TaskChange[] {
    const changes = this.#snapshot(task, false);
    this.#artifacts.confirm();
    return changes;
  }

  #acceptedWhenOver(event: StreamResponse): TaskChange[] {
    this.#sentWhenOver = false;
    const before = taskStates[this.state].label;
    const state = 'task' in event ? event.task.status.state : 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
    const restarts = state !== undefined && !isTerminal(state);
    // What repeats the end is the answer to that message.
    if (state === this.state) this.#endedByStream = false;
    const changes = this.#facts.take(undefined);
    changes.push(
      this.#finding(
        'CORE-02',
        restarts
          ? sentence(
              'The task was {0} when a message was sent; instead of refusing it, the agent started again: the task is {1}.',
              before,
              taskStates[state].label,
            )
          : sentence('The task was {0} when a message was sent; the agent answered instead of refusing it.', before),
      ),
    );
    if (restarts) this.#status = { state: 'TASK_STATE_UNSPECIFIED' };
    return changes;
  }

  #repeatsEnd(event: StreamResponse): boolean {
    if (!('statusUpdate' in event) || event.statusUpdate.status.state !== this.state) return false;
    return !this.#endedByStream || this.#contradictionOfEnd(event.statusUpdate) === undefined;
  }

  /** True for a status that is newer than the end by the agent's own clock, so that it was not merely on its way. */
  #isAfterEnd(event: StreamResponse): boolean {
    const time = 'statusUpdate' in event ? Date.parse(event.statusUpdate.status.timestamp ?? '') : NaN;
    return time - Date.parse(this.#status.timestamp ?? '') > maxClockDifference;
  }

  /** Content that contradicts what the task ended with; undefined where its end is only repeated (A2A 1.0 §11.7), or more is said of it. */
  #contradictionOfEnd({ status, artifacts = [] }: Pick<Task, 'status' | 'artifacts'>): readonly Part[] | undefined {
    const known = this.#status.message;
    const { message } = status;
    if (known !== undefined && message !== undefined && !isSameContent(known.parts, message.parts)) return message.parts;
    return this.#joined ? undefined : artifacts.find(artifact => this.#artifacts.isContradictedBy(artifact))?.parts;
  }

  #reject(rule: RuleId, what: LocalizedMessage, ignoredText = ''): TaskChange[] {
    this.#skippedEvents = true;
    return [...this.#facts.take(undefined), this.#finding(rule, what, ignoredText)];
  }

  /** Rejects an end other than the one that was received before. */
  #rejectEnd(state: TaskState, ignoredText?: string): TaskChange[] {
    const { label } = taskStates[this.state];
    return this.#reject(
      'STRM-11',
      state === this.state
        ? sentence('The task was {0} and is reported as {0} again with other content; that was ignored.', label)
        : sentence('The task was {0} and is reported as {1}; what GetTask answers counts.', label, taskStates[state].label),
      ignoredText,
    );
  }

  /** Notes a final state in the place of the one that was known. */
  #otherEnd(state: TaskState): TaskChange {
    return this.#finding(
      'STRM-11',
      sentence('The task was {0} and is now reported as {1}.', taskStates[this.state].label, taskStates[state].label),
    );
  }

  #finding(rule: RuleId, what: LocalizedMessage, ignoredText = ''): TaskChange {
    return { kind: 'finding', taskId: this.id, finding: findingOf(rule, '', what, ignoredText === '' ? {} : { ignoredText }) };
  }

  #message(message: Message): TaskChange[] {
    if (this.#messages.has(message)) return [];
    this.addKnownMessage(message);
    return [{ kind: 'message', taskId: this.id, message }];
  }

  /** Messages of the task that no stream has brought. */
  #newMessages(task: Task): TaskChange[] {
    return this.#messages
      .addUnknownIn(task)
      .map(({ message, before }) => withoutUndefined({ kind: 'message', taskId: this.id, message, before: before?.messageId }));
  }

  #statusUpdate({ contextId, status, metadata }: TaskStatusUpdateEvent): TaskChange[] {
    const changes = this.#facts.take(contextId);
    if (isTerminal(status.state)) {
      this.#endedByStream = true;
      changes.push(...this.#artifacts.close());
    }
    changes.push(...this.#setStatus(status, metadata));
    return changes;
  }

  #setStatus(status: TaskStatus, metadata?: Readonly<Record<string, unknown>>): TaskChange[] {
    const sameStatus = isDeepStrictEqual(status, this.#status);
    this.#asksAgain = isSameQuestion(status, this.#answered);
    if (!this.#asksAgain) this.#answered = undefined;
    if (sameStatus && !this.#lost && (metadata === undefined || isDeepStrictEqual(metadata, this.#statusMetadata))) return [];
    this.#lost = false;
    this.#statusMetadata = metadata;
    const repeated = status.message !== undefined && isDeepStrictEqual(status.message, this.#status.message);
    if (status.message !== undefined && !repeated) this.addKnownMessage(status.message);
    // The same object as in what was said, so that the history can leave it out.
    this.#status = repeated ? { ...status, message: this.#status.message } : status;
    return [withoutUndefined({ kind: 'status', taskId: this.id, status, metadata })];
  }

  /** The known status where an answer only repeats it: a list may leave its message out, and a task ends once. */
  #withKnownContent(status: TaskStatus): TaskStatus {
    const known = this.#status;
    if (status.state !== known.state) return status;
    const isSameTime = status.timestamp === undefined || known.timestamp === undefined || status.timestamp === known.timestamp;
    return isTerminal(status.state) || (status.message === undefined && isSameTime) ? { ...status, ...known } : status;
  }

  #snapshot(task: Task, fromStream: boolean): TaskChange[] {
    const { state } = task.status;
    if (isTerminal(this.state) && !isTerminal(state)) {
      return this.#reject(
        'STRM-03',
        sentence('The task was {0} and is reported as {1}; that was ignored.', taskStates[this.state].label, taskStates[state].label),
      );
    }
    const isOtherEnd = isTerminal(this.state) && this.state !== state;
    if (isTerminal(this.state) && fromStream && this.#endedByStream) {
      const other = isOtherEnd ? task.status.message?.parts : this.#contradictionOfEnd(task);
      if (isOtherEnd || other !== undefined) return this.#rejectEnd(state, shortText(other ?? []));
    }
    if (fromStream) this.#joined = false;
    const changes = this.#facts.take(task.contextId, task.metadata);
    if (isOtherEnd) changes.push(this.#otherEnd(state));
    changes.push(...this.#newMessages(task));
    // As it came about: a task works and makes artifacts; what ends it or lets it wait comes after them.
    const active = isActive(state);
    const status = fromStream ? task.status : this.#withKnownContent(task.status);
    if (active) changes.push(...this.#setStatus(status, progressIn(task)));
    if (task.artifacts !== undefined) changes.push(...this.#artifacts.replace(task.artifacts, active, fromStream ? 'answer' : 'apart'));
    if (isTerminal(state)) {
      this.#endedByStream ||= fromStream;
      changes.push(...this.#artifacts.close());
    }
    if (!active) changes.push(...this.#setStatus(status));
    return changes;
  }
}

/** Longest text that is kept of an event that is not applied, in UTF-16 code units. */
const maxIgnoredText = 2_000;

/** The text of an update or a message. */
function textIn(event: StreamResponse): string {
  if ('task' in event) return '';
  const { parts } =
    'message' in event
      ? event.message
      : 'statusUpdate' in event
        ? (event.statusUpdate.status.message ?? { parts: [] })
        : event.artifactUpdate.artifact;
  return shortText(parts);
}

/** Parts stand apart: here they are no chunks of one text. */
const shortText = (parts: readonly Part[]): string =>
  beginningOf(parts.flatMap(part => ('text' in part ? [part.text] : [])).join(' | '), maxIgnoredText, '…');

/** A task that is asked for tells its progress itself; in a stream the update does. */
const progressIn = ({ metadata }: Task): Readonly<Record<string, unknown>> | undefined =>
  typeof metadata?.['progress'] === 'number' ? { progress: metadata['progress'] } : undefined;

/** Versions whose messages have an id say themselves whether it is the same question. */
const isSameQuestion = ({ state, message }: TaskStatus, before: TaskStatus | undefined): boolean =>
  before?.state === state &&
  message !== undefined &&
  message.messageId.startsWith(syntheticIdPrefix) &&
  isDeepStrictEqual(message.parts, before.message?.parts);

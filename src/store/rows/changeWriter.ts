import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { TaskStatus } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import type { Entry, EntryUpdate, StatusEntry } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { appendsFrom } from './appendRun.ts';
import type { ArtifactRows } from './artifactRows.ts';
import { ArtifactWriter } from './artifactWriter.ts';
import type { ContextRows } from './contextRows.ts';
import type { EntryFacts, EntryRows } from './entryRows.ts';
import { decodeOptional } from '../texts/jsonText.ts';
import type { OwnerRows } from './ownerRows.ts';
import type { TaskRows } from './taskRows.ts';
import { titleOf } from './title.ts';

export interface RecordOptions {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the process that writes. */
  readonly owner: string;
  readonly exchangeId?: string;
  /** The process follows the tasks from now on: other processes do not write them. */
  readonly follow?: boolean;
  /** The tasks come from ListTasks: they are listed, and their transcript is empty until they are asked for. */
  readonly listed?: boolean;
  /** The agent was asked some time after the last sign of the task: a status may be older than the answer. */
  readonly late?: boolean;
  /** The agent was asked for the task: a status is as old as the answer, or older. */
  readonly polled?: boolean;
  /** The entry of the message that these changes answer: it was sent, and belongs to the task. */
  readonly answers?: number;
}

export interface Written {
  /** Updates for an open transcript, in order. */
  readonly updates: readonly EntryUpdate[];
  /** The context's revision after this write. */
  readonly rev: number;
}

export interface Recorded extends Written {
  /** Tasks whose changes were left out because another living process follows them, or because they were deleted. */
  readonly disowned: readonly string[];
}

export interface Rows {
  readonly contexts: ContextRows;
  readonly tasks: TaskRows;
  readonly entries: EntryRows;
  readonly artifacts: ArtifactRows;
  readonly owners: OwnerRows;
}

interface TaskAtWork {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  owner: string | undefined;
  /** Only listed so far: its messages and artifacts are older, and their times may not be known. */
  readonly untimed: boolean;
  findings: readonly Finding[];
}

/** Writes the changes of one call into one context. Used for one transaction. */
export class ChangeWriter {
  readonly #rows: Rows;
  readonly #context: number;
  readonly #options: RecordOptions;
  readonly #changes: readonly TaskChange[];
  readonly #rev: number;
  readonly #updates: EntryUpdate[] = [];
  readonly #tasks = new Map<string, TaskAtWork | 'disowned'>();
  readonly #artifacts: ArtifactWriter;

  /** `changes` are written by `write`: where there are none, as when the agent was only asked, the context becomes no younger. */
  constructor(rows: Rows, context: number, options: RecordOptions, changes: readonly TaskChange[]) {
    this.#rows = rows;
    this.#context = context;
    this.#options = options;
    this.#changes = changes;
    this.#rev = rows.contexts.touch(context, changes.length === 0 ? 0 : options.at);
    const facts = { context, at: options.at, exchangeId: options.exchangeId, rev: this.#rev };
    this.#artifacts = new ArtifactWriter(rows.entries, rows.artifacts, facts, this.#updates);
  }

  write(): Recorded {
    const changes = this.#changes;
    this.#markSent(changes);
    for (let index = 0; index < changes.length; ) index += this.#apply(changes, index);
    // A task counts as something that happened even without a message: its context gets a title and so appears in lists.
    const [taskId] = this.#tasks.keys();
    if (taskId !== undefined) this.#rows.contexts.setTaskAsTitle(this.#context, taskId);
    return {
      updates: this.#updates,
      rev: this.#rev,
      disowned: [...this.#tasks].filter(([, task]) => task === 'disowned').map(([taskId]) => taskId),
    };
  }

  /** Returns how many changes it used: neighboring appends to one artifact are one row and one update. */
  #apply(changes: readonly TaskChange[], index: number): number {
    const change = changes[index];
    if (change === undefined) return 1;
    const task = change.taskId === undefined ? undefined : this.#task(change.taskId);
    if (change.kind === 'append') {
      const run = appendsFrom(changes, index);
      if (task !== 'disowned') this.#artifacts.append(this.#known(task), change.taskId, change.artifactId, run);
      return run.changes;
    }
    if (task === 'disowned') return 1;
    switch (change.kind) {
      case 'message':
        this.#message(task, change);
        break;
      case 'task':
        this.#taskFacts(this.#known(task), change);
        break;
      case 'status':
        this.#status(this.#known(task), change);
        break;
      case 'artifact':
        if (this.#options.listed !== true) this.#artifacts.put(this.#known(task), change);
        break;
      case 'finding': {
        const known = this.#known(task);
        known.findings = this.#rows.tasks.addFinding(known.id, known.findings, change.finding);
      }
    }
    return 1;
  }

  #known(task: TaskAtWork | undefined): TaskAtWork {
    if (task === undefined) throw new Error('a change without its task');
    return task;
  }

  #task(taskId: string): TaskAtWork | 'disowned' {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const task = this.#openTask(taskId);
    this.#tasks.set(taskId, task);
    return task;
  }

  #openTask(taskId: string): TaskAtWork | 'disowned' {
    const { owner, at, follow } = this.#options;
    const row = this.#rows.tasks.row(this.#context, taskId);
    if (row === undefined) {
      return {
        id: this.#rows.tasks.insert(this.#context, taskId, { owner: follow === true ? owner : undefined, at }),
        createdAt: 0,
        owner,
        untimed: false,
        findings: [],
      };
    }
    // Deleted here or in another window: no run follows it any more.
    if (row.deleted !== null) return 'disowned';
    if (row.owner !== null && row.owner !== owner && this.#rows.owners.isAlive(row.owner, at)) return 'disowned';
    if (follow === true && row.owner !== owner) this.#rows.tasks.setOwner(row.id, owner);
    return {
      id: row.id,
      createdAt: row.created,
      owner: row.owner ?? undefined,
      untimed: row.remote_only === 1,
      findings: decodeOptional<Finding[]>(row.findings) ?? [],
    };
  }

  #markSent(changes: readonly TaskChange[]): void {
    const seq = this.#options.answers;
    if (seq === undefined) return;
    const taskId = changes.find(change => change.taskId !== undefined)?.taskId;
    const task = taskId === undefined ? undefined : this.#task(taskId);
    const entry = this.#rows.entries.bySeq(seq);
    if (entry?.kind !== 'message') return;
    if (task !== undefined && task !== 'disowned') {
      this.#rows.entries.setTask(seq, task.id, this.#rev);
      this.#rows.tasks.setTitle(task.id, titleOf(entry.message));
    }
    this.#rows.entries.setDelivery(seq, 'sent', this.#rev);
    if (this.#options.exchangeId !== undefined) this.#rows.entries.setExchange(seq, this.#options.exchangeId);
    this.#putStored(seq);
  }

  #taskFacts(task: TaskAtWork, change: Extract<TaskChange, { kind: 'task' }>): void {
    if (change.metadata !== undefined) this.#rows.tasks.setMetadata(task.id, change.metadata, this.#options.at);
    if (change.contextId !== undefined) {
      this.#rows.tasks.setContextId(task.id, change.contextId);
      this.#rows.contexts.setContextId(this.#context, change.contextId);
    }
  }

  #status(task: TaskAtWork, { taskId, status, metadata, again, at = this.#options.at }: Extract<TaskChange, { kind: 'status' }>): void {
    const last = this.#rows.entries.lastStatus(task.id);
    const { answers, listed } = this.#options;
    const wasOver = last !== undefined && last.status.state !== 'LOST' && isTerminal(last.status.state);
    // The agent said before that the task was over by then: when it came to another end is not known.
    const isOtherEnd = this.#options.late === true && wasOver && last.status.state !== status.state;
    const when = isOtherEnd ? { at, untimed: true as const } : this.#timeOf(task, status, at);
    this.#rows.tasks.setStatus(task.id, status, when.at);
    if (isTerminal(status.state)) this.#rows.tasks.setOwner(task.id, undefined);
    if (status.message !== undefined) this.#title(task.id, status.message);
    if (listed === true) return;
    if (last === undefined || again === true || !isSameTold(last.status, status, answers !== undefined)) {
      const own = { messageId: status.message?.messageId };
      const body = metadata === undefined ? status : { ...status, metadata };
      const seq = this.#rows.entries.insert('status', { ...this.#facts(task.id), ...when }, body, own);
      // Not the agent's own members of these names.
      this.#put({ ...body, untimed: undefined, polled: undefined, ...this.#entryFacts(seq, taskId), ...when, kind: 'status' });
      return;
    }
    // Repeated with a newer time or more progress; an update without progress does not remove the known one.
    const told = metadata ?? last.status.metadata;
    const body = told === undefined ? status : { ...status, metadata: told };
    if (isDeepStrictEqual(last.status, body)) return;
    this.#rows.entries.setBody(last.seq, body, this.#rev);
    this.#putStored(last.seq);
  }

  /** When a status came. Where only the agent's timestamp can tell, it counts unless it is in the future or from before the task began. */
  #timeOf({ untimed, createdAt }: TaskAtWork, { timestamp }: TaskStatus, at: number): Pick<StatusEntry, 'at' | 'untimed' | 'polled'> {
    const { late, polled, listed } = this.#options;
    if (listed === true || (late !== true && !untimed)) return { at, ...(polled === true && { polled }) };
    const time = Date.parse(timestamp ?? '');
    return time <= at && (untimed || time >= createdAt) ? { at: time } : { at, untimed: true };
  }

  #message(task: TaskAtWork | undefined, { taskId, message, at }: Extract<TaskChange, { kind: 'message' }>): void {
    const known = this.#rows.entries.byMessage(this.#context, message.messageId);
    // An agent without tasks gives the context id only in its messages.
    if (message.contextId !== undefined) this.#rows.contexts.adoptContextId(this.#context, message.contextId);
    if (task !== undefined && message.role === 'ROLE_USER') this.#rows.tasks.setTitle(task.id, titleOf(message));
    if (known !== undefined && message.role === 'ROLE_USER') {
      // Our own message, repeated in the agent's history.
      if (task !== undefined && known.task === null) {
        this.#rows.entries.setTask(known.seq, task.id, this.#rev);
        this.#putStored(known.seq);
      }
      return;
    }
    this.#title(task?.id, message);
    if (this.#options.listed === true) return;
    const untimed = task?.untimed === true;
    const seq = this.#rows.entries.insert('message', { ...this.#facts(task?.id, at), untimed }, message, { messageId: message.messageId });
    this.#put({ ...this.#entryFacts(seq, taskId, at), ...(untimed && { untimed }), kind: 'message', message });
  }

  #title(task: number | undefined, message: Message): void {
    const title = titleOf(message);
    if (task !== undefined) this.#rows.tasks.setTitle(task, title);
    this.#rows.contexts.setTitle(this.#context, title);
  }

  #facts(task: number | undefined, at = this.#options.at): EntryFacts {
    return { context: this.#context, task, at, exchangeId: this.#options.exchangeId, rev: this.#rev };
  }

  #entryFacts(
    seq: number,
    taskId: string | undefined,
    at = this.#options.at,
  ): { seq: number; at: number; taskId?: string; exchangeId?: string } {
    return { seq, at, taskId, exchangeId: this.#options.exchangeId };
  }

  #put(entry: Entry): void {
    this.#updates.push({ type: 'put', entry: withoutUndefined(entry) });
  }

  #putStored(seq: number): void {
    const entry = this.#rows.entries.bySeq(seq);
    if (entry !== undefined) this.#updates.push({ type: 'put', entry });
  }
}

/**
 * The end of a task is written once: an update and the task after it may have the same words under different ids, or none at first. `answers`:
 * the status answers a message, so that it is a second end.
 */
const isSameTold = (one: Pick<StatusEntry, 'state' | 'message'>, other: TaskStatus, answers: boolean): boolean =>
  one.state === other.state &&
  (isDeepStrictEqual(one.message, other.message) ||
    (isTerminal(one.state) && (isDeepStrictEqual(one.message?.parts, other.message?.parts) || (one.message === undefined && !answers))));

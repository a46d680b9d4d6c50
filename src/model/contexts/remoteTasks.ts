import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { TaskReducer } from '../fold/taskReducer.ts';

/**
 * The result for a task that the agent listed. `older`: what is known here is newer, or over; `followed`: a window listens to it; `deleted`:
 * the person deleted it here, and may undo that.
 */
type RemoteOutcome = 'added' | 'updated' | 'unchanged' | 'older' | 'followed' | 'deleted';

export interface RemoteTask {
  readonly taskId: string;
  readonly outcome: RemoteOutcome;
  /** Key of the context that has it. */
  readonly context?: string;
}

interface MergeOptions {
  readonly store: TaskStore;
  /** Name of the agent that listed the tasks. */
  readonly agent: string;
  /** Other names of the same agent: what a test created under one of them belongs to the test. */
  readonly twins?: readonly string[];
  /** Id of this process. */
  readonly owner: string;
  /** When the agent was asked: what arrived since is newer than its answer. Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly at: number;
  /** The response has the artifacts (`includeArtifacts`); otherwise known artifacts stay. */
  readonly artifacts: boolean;
  /** The exchange of the answer, which findings lead to. */
  readonly exchangeId?: string;
}

/** Most tasks of one answer that are read. */
const maxTasks = 1000;

/**
 * Applies a page of ListTasks (A2A 1.0 §3.1.4) to the history, by the tasks' ids, in one transaction: however often a task is listed it is
 * there once, and an older state does not replace a newer one. Returns the result for each task; throws a `Problem` if the history cannot be
 * written.
 */
export function mergeRemoteTasks(tasks: readonly Task[], options: MergeOptions): RemoteTask[] {
  const taken = tasks.slice(0, maxTasks).filter(task => task.id !== '');
  // A list begins with what changed last. It is applied from the oldest on, the order in which it happened.
  const outcomes = new Map<Task, RemoteTask>();
  options.store.together(() => {
    for (const task of taken.toSorted((one, other) => (timeOf(one) ?? 0) - (timeOf(other) ?? 0)))
      outcomes.set(task, mergeTask(task, options));
  });
  return taken.flatMap(task => outcomes.get(task) ?? []);
}

function mergeTask(remote: Task, options: MergeOptions): RemoteTask {
  const { store, agent, at } = options;
  const known = store.locate(agent, remote.id, at);
  if (known?.deleted === true) return { taskId: remote.id, outcome: 'deleted' };
  if (known === undefined) return add(remote, options);
  const { context } = known;
  store.noteListed(context, remote.id, at);
  const isNews = isOfTest(remote, options) && store.context(context)?.remoteOnly === true && store.setMaker(context, 'test');
  if (known.followed) return { taskId: remote.id, outcome: 'followed', context };
  const document = store.taskDocument(context, remote.id);
  if (document !== undefined && isOlder(remote, document.task, known.updatedAt, options.askedAt))
    return { taskId: remote.id, outcome: 'older', context };
  const listed = isListed(store, context, remote.id);
  // Until it is asked for, only lists show the task.
  const findings = store.task(context, remote.id)?.findings ?? [];
  const changes = new TaskReducer(remote.id, document)
    .merge(withoutUnlisted(remote, options))
    .filter(change =>
      change.kind === 'finding'
        ? !findings.some(known => isDeepStrictEqual(known, change.finding))
        : !listed || change.kind === 'task' || change.kind === 'status',
    );
  if (changes.length > 0) {
    const found = changes.some(({ kind }) => kind === 'finding') && options.exchangeId !== undefined;
    store.record(context, changes, {
      at: listed ? changedAt(remote, at) : at,
      owner: options.owner,
      listed,
      late: true,
      ...(found && { exchangeId: options.exchangeId }),
    });
  }
  return { taskId: remote.id, outcome: changes.length > 0 || isNews ? 'updated' : 'unchanged', context };
}

function add(remote: Task, options: MergeOptions): RemoteTask {
  const { store, agent, owner, at } = options;
  const when = changedAt(remote, at);
  const known = remote.contextId === undefined ? undefined : store.contextById(agent, remote.contextId);
  const context = known?.key ?? randomUUID();
  if (known === undefined)
    store.putContext({ key: context, agent, contextId: remote.contextId, at: when, madeBy: isOfTest(remote, options) ? 'test' : 'agent' });
  store.record(context, new TaskReducer(remote.id).merge(withoutUnlisted(remote, options)), { at: when, owner, listed: true });
  store.noteListed(context, remote.id, at);
  return { taskId: remote.id, outcome: 'added', context };
}

const isOfTest = ({ id, contextId }: Task, { store, twins = [] }: MergeOptions): boolean =>
  twins.some(
    twin =>
      (store.contextOfTask(twin, id) ?? (contextId === undefined ? undefined : store.contextById(twin, contextId)))?.madeBy === 'test',
  );

/** A task that is known only from the agent's list: its transcript has nothing but the reason why it could not be read. */
export function isListed(store: TaskStore, context: string, taskId: string): boolean {
  if (store.task(context, taskId)?.remoteOnly !== true) return false;
  const last = store.transcript.lastEntry(context, taskId);
  return last === undefined || last.kind === 'problem';
}

/**
 * True if the agent's task (`remote`) is older than the known one (`local`): by the agent's clock if both have a time, otherwise by what
 * arrived while the agent answered. Both times in milliseconds since the epoch.
 */
export function isOlder(remote: Pick<Task, 'status'>, local: Pick<Task, 'status'>, updatedAt: number, askedAt: number): boolean {
  const [theirs, ours] = [timeOf(remote), timeOf(local)];
  if (theirs !== undefined && ours !== undefined && theirs !== ours) return theirs < ours;
  return updatedAt > askedAt;
}

function timeOf({ status }: Pick<Task, 'status'>): number | undefined {
  const time = Date.parse(status.timestamp ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** By the agent's clock: the age of a task that is only listed is not that of the list. Never in the future. */
const changedAt = (remote: Task, at: number): number => Math.min(timeOf(remote) ?? at, at);

const withoutUnlisted = (remote: Task, { artifacts }: MergeOptions): Task => (artifacts ? remote : { ...remote, artifacts: undefined });

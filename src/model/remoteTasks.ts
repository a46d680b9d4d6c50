import { randomUUID } from 'node:crypto';
import type { Task } from '../protocol/task.ts';
import { isTerminal } from '../protocol/taskState.ts';
import type { TaskStore } from '../store/taskStore.ts';
import { FoldedTask } from './foldedTask.ts';

/**
 * What became of a task that the agent listed. `older`: what is known here is newer, or had come to an end; `followed`: a window hears
 * of it as it happens; `deleted`: the person deleted it here, and may take that back.
 */
export type RemoteOutcome = 'added' | 'updated' | 'unchanged' | 'older' | 'followed' | 'deleted';

export interface RemoteTask {
  readonly taskId: string;
  readonly outcome: RemoteOutcome;
  /** Key of the context that has it. */
  readonly context?: string;
}

export interface MergeOptions {
  readonly store: TaskStore;
  /** Name of the agent that listed the tasks. */
  readonly agent: string;
  /** This process. */
  readonly owner: string;
  /** When the agent was asked: what came in since is newer than its answer. Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly at: number;
  /** The answer has the artifacts (`includeArtifacts`); otherwise it says nothing about them. */
  readonly artifacts: boolean;
}

/** So many tasks of one answer are taken. */
const mostTasks = 1000;

/**
 * Folds a page of ListTasks (A2A 1.0 §3.1.4) into the history, by the tasks' ids, in one transaction: nothing is there twice however
 * often it is listed, and an older state replaces no newer one. Returns what became of each; throws a `Problem` where the history
 * cannot be written.
 */
export function mergeRemoteTasks(tasks: readonly Task[], options: MergeOptions): RemoteTask[] {
  return options.store.together(() => tasks.slice(0, mostTasks).filter(task => task.id !== '').map(task => mergeTask(task, options)));
}

function mergeTask(remote: Task, options: MergeOptions): RemoteTask {
  const { store, agent, at } = options;
  const known = store.whereabouts(agent, remote.id, at);
  if (known?.deleted === true) return { taskId: remote.id, outcome: 'deleted' };
  if (known === undefined) return add(remote, options);
  const { context } = known;
  store.sawRemotely(context, remote.id, at);
  if (known.followed) return { taskId: remote.id, outcome: 'followed', context };
  const document = store.taskDocument(context, remote.id);
  if (document !== undefined && isOlder(remote, document.task, known.updatedAt, options.askedAt)) return { taskId: remote.id, outcome: 'older', context };
  const changes = new FoldedTask(remote.id, document).merge(told(remote, options));
  if (changes.length > 0) store.record(context, changes, { at, owner: options.owner });
  return { taskId: remote.id, outcome: changes.length > 0 ? 'updated' : 'unchanged', context };
}

function add(remote: Task, options: MergeOptions): RemoteTask {
  const { store, agent, owner, at } = options;
  const when = Math.min(timeOf(remote) ?? at, at);
  const known = remote.contextId === undefined ? undefined : store.contextById(agent, remote.contextId);
  const context = known?.key ?? randomUUID();
  if (known === undefined) store.putContext({ key: context, agent, contextId: remote.contextId, at: when });
  store.record(context, new FoldedTask(remote.id).merge(told(remote, options)), { at: when, owner });
  store.sawRemotely(context, remote.id, at);
  return { taskId: remote.id, outcome: 'added', context };
}

/** By the agent's clock where both say when, otherwise by what came in while it answered. What is over does not begin again. */
function isOlder(remote: Task, local: Task, updatedAt: number, askedAt: number): boolean {
  if (isTerminal(local.status.state) && !isTerminal(remote.status.state)) return true;
  const [theirs, ours] = [timeOf(remote), timeOf(local)];
  if (theirs !== undefined && ours !== undefined && theirs !== ours) return theirs < ours;
  return updatedAt > askedAt;
}

function timeOf({ status }: Task): number | undefined {
  const time = Date.parse(status.timestamp ?? '');
  return Number.isNaN(time) ? undefined : time;
}

const told = (remote: Task, { artifacts }: MergeOptions): Task => (artifacts ? remote : { ...remote, artifacts: undefined });

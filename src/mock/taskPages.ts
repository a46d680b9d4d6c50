import type { ListTasksResponse, OperationParams } from '../protocol/message/operations.ts';
import type { Task } from '../protocol/message/task.ts';

const defaultPageSize = 50;
const maxPageSize = 100;

/** The task with at most `length` of its last messages; 0 removes the history (A2A 1.0 §3.2.4). */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history === undefined) return task;
  const { history, ...rest } = task;
  return length <= 0 ? rest : { ...rest, history: history.slice(-length) };
}

/**
 * A page of tasks, the last changed first, without artifacts unless requested (A2A 1.0 §3.1.4). The page token is the id of the last task
 * of the page before.
 * @param tasks the one that changed last comes last
 * @returns a sentence where the parameters are invalid
 */
export function pageOf(tasks: readonly Task[], params: OperationParams['ListTasks']): ListTasksResponse | string {
  const { contextId, status, statusTimestampAfter, historyLength, includeArtifacts, pageToken, pageSize = defaultPageSize } = params;
  if (pageSize < 1 || pageSize > maxPageSize) return `pageSize is not within 1 and ${maxPageSize}`;
  if (historyLength !== undefined && historyLength < 0) return 'historyLength is negative';
  const after = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) return 'statusTimestampAfter is not a time';
  const wanted = tasks
    .toReversed()
    .filter(
      task =>
        (contextId === undefined || task.contextId === contextId) &&
        (status === undefined || task.status.state === status) &&
        (after === undefined || Date.parse(task.status.timestamp ?? '') >= after),
    );
  const start = pageToken === undefined || pageToken === '' ? 0 : wanted.findIndex(({ id }) => tokenOf(id) === pageToken) + 1;
  if (start === 0 && pageToken) return 'pageToken is not of this list';
  const page = wanted.slice(start, start + pageSize);
  return {
    tasks: page.map(task => withHistory(includeArtifacts === true ? task : { ...task, artifacts: undefined }, historyLength)),
    nextPageToken: start + pageSize < wanted.length ? tokenOf(page.at(-1)!.id) : '',
    pageSize,
    totalSize: wanted.length,
  };
}

const tokenOf = (id: string): string => Buffer.from(id).toString('base64url');

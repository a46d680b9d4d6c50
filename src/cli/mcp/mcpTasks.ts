import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Id of MCP's tasks extension, of protocol version 2026-07-28 on. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** A call is answered at once where it takes no longer, in milliseconds. */
const quickMs = 1_000;
/** How often a client should ask, in milliseconds. */
const pollMs = 2_000;
/** How long a result is kept, in milliseconds. */
const keptMs = 3_600_000;
/** Most calls that are kept; beyond, a call is waited for. */
const maxTasks = 100;

interface McpTask {
  readonly taskId: string;
  readonly createdAt: string;
  readonly stop: AbortController;
  status: 'working' | 'completed' | 'cancelled';
  statusMessage?: string;
  lastUpdatedAt: string;
  result?: CallToolResult;
}

/** Calls that take long, as tasks of MCP's extension: the client looks after them, and the model sees the result alone. */
export class McpTasks {
  readonly #tasks = new Map<string, McpTask>();

  /**
   * The result of a call, or the task that it has become.
   * @param request aborted where the client takes the call back before it has an answer
   */
  async call(work: (signal: AbortSignal) => Promise<CallToolResult>, request: AbortSignal): Promise<CallToolResult> {
    const now = new Date().toISOString();
    const task: McpTask = { taskId: randomUUID(), createdAt: now, lastUpdatedAt: now, status: 'working', stop: new AbortController() };
    const end = (result: CallToolResult): void => {
      if (task.status === 'working') Object.assign(task, { status: 'completed', result, lastUpdatedAt: new Date().toISOString() });
    };
    const done = work(task.stop.signal).then(result => {
      end(result);
      return result;
    });
    const stop = (): void => task.stop.abort();
    request.addEventListener('abort', stop, { once: true });
    const waiting = new AbortController();
    const late = sleep(quickMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    const quick = await Promise.race([done, late]);
    waiting.abort();
    this.#forgetOld();
    if (quick !== undefined || request.aborted || this.#tasks.size >= maxTasks) return done;
    request.removeEventListener('abort', stop);
    this.#tasks.set(task.taskId, task);
    done.catch((error: unknown) => end({ content: [{ type: 'text', text: (error as Error).message }], isError: true }));
    // The SDK has no type for it, and hands it on.
    return { resultType: 'task', ...shown(task) } as unknown as CallToolResult;
  }

  get(taskId: string): object {
    const task = this.#require(taskId);
    return {
      resultType: 'complete',
      ...shown(task),
      ...(task.result !== undefined && { result: { resultType: 'complete', ...task.result } }),
    };
  }

  cancel(taskId: string): object {
    const task = this.#require(taskId);
    if (task.status === 'working') {
      task.status = 'cancelled';
      task.statusMessage = "The wait has ended. The agent's own task goes on: a2a_task cancels it.";
      task.lastUpdatedAt = new Date().toISOString();
      task.stop.abort();
    }
    return { resultType: 'complete' };
  }

  dispose(): void {
    for (const { stop } of this.#tasks.values()) stop.abort();
  }

  #require(taskId: string): McpTask {
    const task = this.#tasks.get(taskId);
    if (task === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task. Results are kept for an hour.');
    return task;
  }

  #forgetOld(): void {
    const before = new Date(Date.now() - keptMs).toISOString();
    for (const { taskId, status, lastUpdatedAt } of this.#tasks.values())
      if (status !== 'working' && lastUpdatedAt < before) this.#tasks.delete(taskId);
  }
}

const shown = ({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: McpTask): object => ({
  taskId,
  status,
  ...(statusMessage !== undefined && { statusMessage }),
  createdAt,
  lastUpdatedAt,
  ttlMs: keptMs,
  pollIntervalMs: pollMs,
});

import * as assert from 'node:assert/strict';
import { McpTasks } from '../../../src/cli/mcp/mcpTasks.ts';

const never = new AbortController().signal;
const result = (text: string) => ({ content: [{ type: 'text' as const, text }] });

suite('long calls of MCP', () => {
  const now = Date.now;
  let tasks: McpTasks;
  setup(() => {
    tasks = new McpTasks();
  });
  teardown(() => {
    Date.now = now;
    tasks.dispose();
  });
  /** A call that has become a task, and what ends its work. */
  async function long() {
    const work = Promise.withResolvers<ReturnType<typeof result>>();
    const request = new AbortController();
    let signal = never;
    const answer = await tasks.call(given => {
      signal = given;
      return work.promise;
    }, request.signal);
    const { taskId } = answer as unknown as { readonly taskId: string };
    return { taskId, work, request, signal, get: () => tasks.get(taskId) as { readonly status: string; readonly result?: object } };
  }

  test('one that takes longer is a task with its result, which stays what it was once it is canceled', async () => {
    const [done, canceled] = await Promise.all([long(), long()]);
    assert.equal(done.get().status, 'working');
    tasks.cancel(canceled.taskId);
    assert.equal(canceled.signal.aborted, true);
    for (const { work } of [done, canceled]) work.resolve(result('late'));
    await Promise.all([done.work.promise, canceled.work.promise]);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual([done.get().status, done.get().result], ['completed', { resultType: 'complete', ...result('late') }]);
    assert.deepEqual([canceled.get().status, canceled.get().result], ['cancelled', undefined]);
    tasks.cancel(done.taskId);
    assert.equal(done.get().status, 'completed');
  });

  test('one that fails has failed, and is no longer waited for', async () => {
    const failing = await long();
    failing.work.reject(new Error('The disk is full.'));
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(failing.get().status, 'completed');
    assert.deepEqual(failing.get().result, { resultType: 'complete', ...result('The disk is full.'), isError: true });
  });

  test('a request that is taken back stops its call until that is a task, and the end of the server all of them', async () => {
    const request = new AbortController();
    const quick = tasks.call(
      signal => new Promise(resolve => signal.addEventListener('abort', () => resolve(result('stopped')), { once: true })),
      request.signal,
    );
    request.abort();
    assert.deepEqual(await quick, result('stopped'));
    const task = await long();
    task.request.abort();
    assert.equal(task.signal.aborted, false);
    tasks.dispose();
    assert.equal(task.signal.aborted, true);
  });

  test('results are kept for an hour, and work for as long as it takes', async () => {
    const [old, working] = await Promise.all([long(), long()]);
    old.work.resolve(result('old'));
    await old.work.promise;
    await tasks.call(async () => result('quick'), never);
    assert.equal(old.get().status, 'completed');
    Date.now = () => now() + 3_700_000;
    await tasks.call(async () => result('quick'), never);
    assert.throws(() => old.get(), /There is no such task/);
    assert.equal(working.get().status, 'working');
  });

  test('beyond a hundred, a call is waited for', async () => {
    await Promise.all(Array.from({ length: 100 }, long));
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof result>>();
    const waited = tasks.call(() => promise, never);
    setTimeout(() => resolve(result('waited for')), 1_200);
    assert.deepEqual(await waited, result('waited for'));
  });
});

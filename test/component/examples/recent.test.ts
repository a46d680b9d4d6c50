import * as assert from 'node:assert/strict';
import { Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { LoopbackWebhooks } from '../../../examples/agents/loopbackWebhooks.ts';
import { Recent } from '../../../examples/agents/recent.ts';
import { RecentTasks } from '../../../examples/agents/recentTasks.ts';

suite('sample agents: what they keep is bounded', () => {
  const context = new ServerCallContext();
  let forgotten: string[];
  let tasks: RecentTasks;
  setup(() => {
    forgotten = [];
    tasks = new RecentTasks(async id => void forgotten.push(id));
  });
  const save = (id: string, state = TaskState.TASK_STATE_COMPLETED, text = ''): Promise<void> =>
    tasks.save(
      Task.fromJSON({
        id,
        contextId: 'c',
        status: { state, timestamp: '2026-01-01T00:00:00Z' },
        history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text }, { raw: 'AAH/' }] }],
      }),
      context,
    );
  const ids = async (tenant = ''): Promise<readonly string[]> => {
    const { tasks: listed } = await tasks.list(
      {
        tenant,
        contextId: '',
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: 2_000,
        pageToken: '',
        statusTimestampAfter: undefined,
      },
      new ServerCallContext({ tenant }),
    );
    return listed.map(({ id }) => id).toSorted();
  };

  test('1,000 tasks: of more, the oldest that ended goes', async () => {
    await save('waits', TaskState.TASK_STATE_INPUT_REQUIRED);
    for (let count = 0; count < 1_001; count++) await save(`t${count}`);
    assert.deepEqual(forgotten, ['t0', 't1']);
    assert.equal((await ids()).length, 1_000);
    assert.deepEqual([(await tasks.load('waits'))?.id, await tasks.load('t0'), (await tasks.load('t2'))?.id], ['waits', undefined, 't2']);
  });

  test('where none ended, the one that changed longest ago goes', async () => {
    for (let count = 0; count < 1_000; count++) await save(`t${count}`, TaskState.TASK_STATE_WORKING);
    await save('t0', TaskState.TASK_STATE_WORKING);
    await save('last', TaskState.TASK_STATE_WORKING);
    assert.deepEqual(forgotten, ['t1']);
  });

  test('64 MiB of tasks, and the one that changed last whatever its size', async () => {
    const large = 'x'.repeat(24 * 1024 * 1024);
    for (const id of ['a', 'b', 'c']) await save(id, TaskState.TASK_STATE_COMPLETED, large);
    assert.deepEqual(forgotten, ['a']);
    // The same task again counts once.
    await save('c', TaskState.TASK_STATE_COMPLETED, large);
    assert.deepEqual([forgotten, await ids()], [['a'], ['b', 'c']]);
  });

  test('a tenant has no tasks of others in its list', async () => {
    await save('one');
    assert.deepEqual([await ids(), await ids('v1')], [['one'], []]);
  });

  test('a task comes back as it was, and changes to it change nothing', async () => {
    await save('one', TaskState.TASK_STATE_COMPLETED, 'hi');
    const task = (await tasks.load('one'))!;
    const [text, raw] = task.history[0]!.parts.map(({ content }) => content);
    assert.deepEqual([text, raw?.$case === 'raw' && [...raw.value]], [{ $case: 'text', value: 'hi' }, [0, 1, 255]]);
    task.history.length = 0;
    assert.equal((await tasks.load('one'))!.history.length, 1);
  });

  test('20 webhooks of a task, which go with it', async () => {
    const webhooks = new LoopbackWebhooks();
    const add = (id: string, url = 'http://127.0.0.1:9/'): Promise<void> =>
      webhooks.save('t', context, { tenant: '', id, taskId: 't', url, token: '', authentication: undefined });
    for (let count = 0; count < 20; count++) await add(String(count));
    await add('19');
    await assert.rejects(add('20'), /at most 20 webhooks/);
    assert.equal((await webhooks.load('t', context)).length, 20);
    await webhooks.deleteAll('t', context);
    assert.deepEqual(await webhooks.load('t', context), []);
    await assert.rejects(add('0', `http://127.0.0.1:9/${'x'.repeat(17_000)}`), /16384 characters/);
  });

  test('1,000 contexts, the newest, with short ids', () => {
    const recent = new Recent<number>();
    for (let count = 0; count < 1_001; count++) recent.set(`c${count}`, count);
    recent.set('c1', 7).set('more', 8).set('x'.repeat(201), 9);
    assert.deepEqual([recent.size, recent.has('c0'), recent.get('c1'), recent.has('c2'), recent.get('more')], [1_000, false, 7, false, 8]);
  });
});

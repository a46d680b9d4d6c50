import * as assert from 'node:assert/strict';
import { TaskServer } from '../../../src/mock/taskServer.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';

suite('webhooks that a task server keeps', () => {
  let errors: unknown[];
  let server: TaskServer;
  setup(() => {
    errors = [];
    server = new TaskServer({
      // Its clients give tasks their ids, so that one can be asked about again.
      version: versionOf('0.1')!,
      work: ({ message, taskId, contextId }) => {
        const [part] = message.parts;
        const words = part !== undefined && 'text' in part ? part.text : '';
        if (words === 'fail') throw new Error('a defect');
        if (words === 'say') return [{ message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] } }];
        return [{ statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }];
      },
      onError: error => errors.push(error),
    });
  });
  teardown(() => server.stop());

  async function ask(operation: keyof TaskServer['script'] & string, params: object): Promise<unknown> {
    const step = server.script[operation as 'SendMessage'];
    const steps: object[] = [];
    const request = { params, body: '', signal: new AbortController().signal } as never;
    for await (const each of (typeof step === 'function' ? step(request) : []) as AsyncIterable<object>) steps.push(each);
    const [first] = steps;
    return first !== undefined && 'answer' in first ? first.answer : first;
  }
  const send = (text: string, url?: string): Promise<unknown> =>
    ask('SendMessage', {
      message: { messageId: 'm', taskId: 't', role: 'ROLE_USER', parts: [{ text }] },
      ...(url !== undefined && { configuration: { taskPushNotificationConfig: { url } } }),
    });
  const kept = async (): Promise<unknown> =>
    ((await ask('ListTaskPushNotificationConfigs', { taskId: 't' })) as { configs: unknown[] }).configs.length;

  test('are those of tasks: of a message that makes none, nothing is kept', async () => {
    assert.ok('message' in ((await send('say', 'http://127.0.0.1:9/')) as object));
    await send('work');
    assert.equal(await kept(), 0);
    await send('work', 'http://127.0.0.1:9/');
    assert.equal(await kept(), 1);
  });

  test('stay with a task that fails', async () => {
    await send('fail', 'http://127.0.0.1:9/');
    assert.equal(errors.length, 1);
    assert.equal(await kept(), 1);
  });

  test('are bounded in length', async () => {
    const url = `http://127.0.0.1:9/${'x'.repeat(17_000)}`;
    assert.deepEqual(await send('work', url), { error: { code: -32602, message: 'A configuration has at most 16384 characters' } });
    await send('work');
    assert.match(JSON.stringify(await ask('CreateTaskPushNotificationConfig', { taskId: 't', url })), /16384/);
    assert.equal(await kept(), 0);
  });
});

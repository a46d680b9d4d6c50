/* eslint-disable no-control-regex -- what a terminal is sent are control sequences */
import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

/** Asks for a name, then answers with it; works on "long" until it is canceled. Each new task has an id of its own. */
function concierge(): Script {
  let cancel: (() => void) | undefined;
  let tasks = 0;
  const called = <T>(what: T, id: string): T => JSON.parse(JSON.stringify(what).replaceAll('"t-1"', JSON.stringify(id))) as T;
  return {
    async *SendStreamingMessage(request) {
      const id = request.params!.message.taskId ?? `t-${++tasks}`;
      for await (const step of answered(request)) yield called(step, id);
    },
    CancelTask: ({ params }) => {
      cancel?.();
      return [{ answer: called(task('TASK_STATE_CANCELED'), params!.id) }];
    },
    GetTask: ({ params }) => [{ answer: called(task('TASK_STATE_INPUT_REQUIRED'), params!.id) }],
  };

  async function* answered({ params, signal }: ReceivedRequest<'SendStreamingMessage'>): AsyncGenerator<Step> {
    const message = params!.message;
    const text = message.parts.map(part => ('text' in part ? part.text : `[${part.filename}]`)).join(' ');
    if (text.startsWith('long')) {
      yield { event: { task: task('TASK_STATE_WORKING') } };
      yield { event: chunk('Once upon', false) };
      await new Promise<void>(resolve => {
        cancel = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      yield { event: statusUpdate('TASK_STATE_CANCELED') };
    } else if (text.startsWith('fail')) yield { event: statusUpdate('TASK_STATE_FAILED', says('no')) };
    else if (message.taskId === undefined && text.startsWith('hello')) {
      yield { event: { task: task('TASK_STATE_WORKING') } };
      yield { event: statusUpdate('TASK_STATE_INPUT_REQUIRED', says('Your name? \u001b]0;pwned\u0007')) };
    } else {
      yield { event: { task: task('TASK_STATE_WORKING') } };
      yield { event: chunk(`heard ${text} in ${message.taskId ?? 'no task'} of ${message.contextId ?? 'no context'}`, false, true) };
      yield { event: statusUpdate('TASK_STATE_COMPLETED') };
    }
  }
}

suite('a2a chat', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const piped = async (lines: readonly string[], url: string, ...options: string[]) =>
    program.run(['chat', url, ...options], {
      cwd: await program.workspace({ 'note.md': '# Note' }),
      stdin: lines.map(line => `${line}\n`).join(''),
    });

  test('without a terminal each line is a message; a question is answered in its task, and the context goes on', async () => {
    const agent = await open.agent(concierge());
    const { status, out, err } = await piped(['hello', 'Ada', '', '/attach note.md', '//slash', '/new', 'anew'], agent.url);
    assert.deepEqual(out.trim().split('\n'), [
      'heard Ada in t-1 of c-1',
      'heard /slash [note.md] in no task of c-1',
      'heard anew in no task of no context',
    ]);
    assert.match(err, /input-required: Your name\?/);
    assert.doesNotMatch(out + err, /\u001b/);
    assert.equal(status, 0);
  });

  test('ids of tasks and contexts are told by their beginnings, and whole with /task, which takes both', async () => {
    const ids = ['0b5e0d5e-5c1f-4d2f-8a35-0f4d2b2f7a01', '0b5e0d5e-77aa-4d2f-8a35-0f4d2b2f7a02'] as const;
    const contextId = 'c0ffee00-1111-4222-8333-444455556666';
    const asked: string[] = [];
    const taskOf = (id: string) => ({ ...task('TASK_STATE_COMPLETED'), id, contextId });
    let count = 0;
    const agent = await open.agent({
      SendStreamingMessage: () => [{ event: { task: taskOf(ids[count++]!) } }],
      GetTask: ({ params }) => {
        asked.push(params!.id);
        return [{ answer: taskOf(params!.id) }];
      },
    });
    const { err } = await piped(['one', 'two', '/task 0b5e0d5e', '/task'], agent.url);
    assert.deepEqual(
      err.split('\n').filter(line => line.startsWith('task ')),
      [
        'task 0b5e0d5e, context c0ffee00, completed',
        'task 0b5e0d5e-7, completed',
        `task ${ids[0]}, context ${contextId}, completed`,
        `task ${ids[0]}, context ${contextId}, completed`,
      ],
    );
    assert.deepEqual(asked.slice(-2), [ids[0], ids[0]]);
  });

  test('data stands on lines of its own, also where it comes in pieces and once more with the task', async () => {
    const parts = [{ text: 'Ten knots.' }, { data: { knots: 10 } }, { text: 'Fair wind.' }];
    const piece = (of: typeof parts, append: boolean): Step => ({
      event: { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'log', parts: of }, append } },
    });
    const agent = await open.agent({
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        piece(parts.slice(0, 1), false),
        piece(parts.slice(1, 2), true),
        piece(parts.slice(2), true),
        { event: { task: task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'log', parts }] }) } },
      ],
      SendMessage: [{ answer: { message: { ...says(''), parts: [{ text: 'Is it?' }, { data: [1] }] } } }],
    });
    assert.equal((await piped(['x'], agent.url)).out, 'Ten knots.\n{"knots":10}\nFair wind.\n');
    assert.equal((await program.run(['send', agent.url, 'x', '--no-wait'])).out, 'Is it?\n[1]\n');
  });

  test('an error in a stream ends its turn, and the next line is sent', async () => {
    const usual = concierge();
    const agent = await open.agent({
      ...usual,
      SendStreamingMessage: request => {
        const [part] = request.params!.message.parts;
        if (part === undefined || !('text' in part) || part.text !== 'break')
          return (usual.SendStreamingMessage as (of: typeof request) => AsyncIterable<Step>)(request);
        return [{ event: { task: task('TASK_STATE_WORKING') } }, { error: { code: -32603, message: 'quota exceeded' } }];
      },
      GetTask: [{ answer: task('TASK_STATE_WORKING') }],
      SubscribeToTask: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
    });
    const { status, out, err } = await piped(['break', 'again'], agent.url);
    assert.match(err, /quota exceeded/);
    assert.equal(out.trim(), 'heard again in no task of c-1');
    assert.equal(status, 3);
  });

  test('after a failure that a wrong card may explain, the next request reads the card first, at most once a minute', async () => {
    const agent = await open.agent(concierge());
    let reads = 0;
    const front: string = await open.web((request, response) => {
      if (request.url?.endsWith('agent-card.json') !== true) return void response.writeHead(404).end();
      const card = minimalCard(++reads < 2 ? `${front}moved` : agent.url, '1.0', 'JSONRPC');
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...card, capabilities: { streaming: true } }));
    });
    const trusting = ['--allow-origin', new URL(agent.url).origin];
    const { out, err, status } = await piped(['one', 'two', 'three'], front, ...trusting);
    assert.deepEqual(out.trim().split('\n'), ['heard two in no task of no context', 'heard three in no task of c-1']);
    assert.match(err, /HTTP 404[^]*\nThe agent card has changed\. Uses JSONRPC 1\.0 at http/);
    assert.deepEqual([reads, status], [2, 3]);

    reads = 0;
    const asked = await piped(['/task t-1', 'two'], front, ...trusting);
    assert.deepEqual([asked.out, reads, asked.status], ['heard two in no task of no context\n', 2, 3]);

    reads = -2;
    const never = await piped(['one', 'two', 'three'], `${front}`, ...trusting);
    assert.deepEqual([never.out, reads, never.status], ['', 0, 3]);
  });

  test('a context that the agent replaces is told in a stream, too', async () => {
    const agent = await open.agent(concierge());
    const typed = await piped(['one'], agent.url, '--context', 'mine');
    const sent = await program.run(['send', agent.url, 'one', '--context', 'mine', '--stream']);
    for (const { err } of [typed, sent]) assert.match(err, /^CORE-08 \S+ contextId should be "mine", not "c-1"\.$/m);
  });

  test('the exit status is that of the worst turn', async () => {
    const agent = await open.agent(concierge());
    assert.equal((await piped(['fail', '/nothing', 'x'], agent.url)).status, 1);
    const unknown = await piped(['/nope', '/attach', '/attach none', 'x', '/exit', 'never sent'], agent.url);
    assert.equal(unknown.status, 2);
    assert.match(unknown.err, /There is no \/nope\.[^]*\/attach needs the name[^]*File not found: none/);
    assert.equal(unknown.out, 'heard x in no task of no context\n');
    assert.equal((await piped(['x'], 'http://127.0.0.1:1')).status, 3);
    assert.equal((await piped(['x'], agent.url, '--port', '1')).status, 2);
  });
});

/* eslint-disable no-control-regex -- what a terminal is sent are control sequences */
import * as assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { ReceivedRequest, Script, Step } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { eventually } from '../support/eventually.ts';
import { hasPseudoTerminal, inTerminal } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

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
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('in a terminal a person types, answers, cancels with Ctrl+C and leaves with Ctrl+D', async function () {
    if (!hasPseudoTerminal) this.skip();
    const agent = await open.agent(concierge());
    const child = inTerminal([process.execPath, program.path, 'chat', agent.url], program.folder);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const closed = new Promise(resolve => child.once('close', resolve));
    const seen = (what: RegExp): Promise<void> => eventually(() => assert.match(text, what));
    await seen(/\/help shows[^]*> \u001b\[\d+G$/);
    child.stdin.write('/help\r');
    await seen(/cancel the running task[^]*> \u001b\[\d+G$/);
    child.stdin.write('hello\r');
    await seen(/Your name\?[^]*answer> \u001b\[\d+G$/);
    child.stdin.write('Ada\r');
    await seen(/heard Ada in t-1 of c-1[^]*> \u001b\[\d+G$/);
    child.stdin.write('long work\r');
    await seen(/long work[^]*Once upon/);
    child.stdin.write('\u0003');
    // On a line of its own, not in the middle of the agent's.
    await seen(/Once upon\r?\nCanceling the task\. Ctrl\+C again leaves\.[^]*canceled[^]*> \u001b\[\d+G$/);
    child.stdin.write('dropped\u0003');
    await setTimeout(100);
    child.stdin.write('/task t-1\r');
    await seen(/task t-1, [^\n]*input-required[^]*answer> \u001b\[\d+G$/);
    child.stdin.write('\u0004');
    await closed;
    assert.equal(child.exitCode, 0);
    assert.ok(!agent.requests.some(({ body }) => body.includes('dropped')));
    assert.doesNotMatch(text, /\u001b\]0;pwned/);
  });

  test('Ctrl+C a second time leaves, whatever the agent does', async function () {
    if (!hasPseudoTerminal) this.skip();
    const script = concierge();
    const agent = await open.agent({ ...script, CancelTask: [{ stall: true }] });
    const child = inTerminal([process.execPath, program.path, 'chat', agent.url], program.folder);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const closed = new Promise(resolve => child.once('close', resolve));
    await eventually(() => assert.match(text, /> \u001b\[\d+G$/));
    child.stdin.write('long\r');
    await eventually(() => assert.match(text, /working/));
    child.stdin.write('\u0003');
    await eventually(() => assert.match(text, /again leaves/));
    child.stdin.write('\u0003');
    await closed;
    assert.equal(child.exitCode, 130);
  });
});

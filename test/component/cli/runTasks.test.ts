import * as assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

/** An agent whose tasks are named after the message, and end when they are subscribed to, canceled, or asked for twice. */
function worker(): Script {
  const tasks = new Map<string, TaskState>();
  const asked = new Map<string, number>();
  const told = (id: string): Task => {
    const state = tasks.get(id) ?? 'TASK_STATE_FAILED';
    const ended = state === 'TASK_STATE_COMPLETED';
    const text = id === 'spoils' && ended ? 'wrong' : id === 'writes' ? (ended ? 'Done in part' : 'Done') : undefined;
    return task(state, { id, contextId: 'c', ...(text !== undefined && { artifacts: [{ artifactId: 'x', parts: [{ text }] }] }) });
  };
  const end = (id: string): TaskState => (id === 'fails' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED');
  return {
    SendMessage: ({ params }) => {
      const [part] = params?.message.parts ?? [];
      const id = part !== undefined && 'text' in part ? part.text : '';
      tasks.set(id, params?.configuration?.returnImmediately === true ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED');
      return [{ answer: { task: told(id) } }];
    },
    async *SendStreamingMessage({ params, signal }) {
      const [part] = params?.message.parts ?? [];
      const id = part !== undefined && 'text' in part ? part.text : '';
      tasks.set(id, 'TASK_STATE_WORKING');
      yield { event: { task: told(id) } };
      while (tasks.get(id) === 'TASK_STATE_WORKING') await setTimeout(10, undefined, { signal });
      yield { event: { statusUpdate: { taskId: id, contextId: 'c', status: { state: tasks.get(id)! } } } };
    },
    GetTask: ({ params }) => {
      const id = params?.id ?? '';
      asked.set(id, (asked.get(id) ?? 0) + 1);
      if (asked.get(id)! >= 2 && tasks.get(id) === 'TASK_STATE_WORKING') tasks.set(id, end(id));
      return [{ answer: told(id) }];
    },
    async *SubscribeToTask({ params }) {
      const id = params?.id ?? '';
      yield { event: { task: told(id) } };
      await setTimeout(100);
      tasks.set(id, end(id));
      yield { event: { task: told(id) } };
      yield { event: { statusUpdate: { taskId: id, contextId: 'c', status: { state: end(id) } } } };
    },
    CancelTask: ({ params }) => {
      tasks.set(params?.id ?? '', 'TASK_STATE_CANCELED');
      return [{ answer: told(params?.id ?? '') }];
    },
  };
}

const operationsOf = ({ requests }: ScriptedAgent): string[] => requests.flatMap(({ operation }) => operation ?? []);
const starts = (text: string, more: object = {}): object => ({
  name: text,
  params: { message: { parts: [{ text }] }, configuration: { returnImmediately: true } },
  ...more,
});
const raw = (text: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] }, configuration: { returnImmediately: true } },
});
const id = (name: string): { id: string } => ({ id: `{{${name}.task.id}}` });

interface Row {
  readonly requests: readonly object[];
  readonly args?: readonly string[];
  readonly out: RegExp;
  readonly status?: number;
  /** The first ones, in order. Where the task is not asked for at all, there are no others. */
  readonly operations: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  'a task that is left at work is not asked for': { requests: [starts('a')], out: /→ x\.a2a › a: working/, operations: ['SendMessage'] },
  'a task is canceled while it works': {
    requests: [starts('a'), { name: 'stop', method: 'CancelTask', params: id('a'), expect: { state: 'canceled' } }],
    out: /→ x\.a2a › a: working[^]*✓ x\.a2a › stop: canceled/,
    operations: ['SendMessage', 'CancelTask'],
  },
  'a task is subscribed to': {
    requests: [starts('a'), { name: 'listen', method: 'SubscribeToTask', params: id('a'), expect: { state: 'completed' } }],
    out: /→ x\.a2a › a: working[^]*✓ x\.a2a › listen: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'several tasks at work': {
    requests: [
      starts('a'),
      starts('b'),
      { name: 'stop b', method: 'CancelTask', params: id('b') },
      { name: 'look', method: 'GetTask', params: id('a'), expect: { state: 'working' } },
    ],
    args: ['--parallel', '4'],
    out: /✓ x\.a2a › look: working[^]*3 sent, 1 passed/,
    operations: ['SendMessage', 'SendMessage'],
  },
  'what is expected of the first answer holds at once': {
    requests: [starts('a', { expect: { state: 'working' } })],
    out: /✓ x\.a2a › a: working/,
    operations: ['SendMessage'],
  },
  'what is expected of the end is waited for': {
    requests: [starts('a', { expect: { state: 'completed' } })],
    out: /✓ x\.a2a › a: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  ...Object.fromEntries(
    Object.entries({
      'no artifact': { artifacts: [] },
      'so many artifacts': { artifacts: 0 },
      'nothing at a path': { paths: { 'task.artifacts': { exists: false } } },
      'not that text': { text: { not: 'wrong' } },
      'another state': { paths: { state: { not: 'completed' } } },
    }).map(([what, expect]): [string, Row] => [
      `what might still come is not judged before the end: ${what}`,
      {
        requests: [starts('spoils', { expect })],
        out: /✗ x\.a2a › spoils: completed/,
        status: 1,
        operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
      },
    ]),
  ),
  ...Object.fromEntries(
    [{ equals: 'Done' }, { in: ['Done'] }, { matches: '^Done$' }].map((text): [string, Row] => [
      `a text is not judged while it is written: ${Object.keys(text).join()}`,
      {
        requests: [starts('writes', { expect: { text } })],
        out: /✗ x\.a2a › writes: completed/,
        status: 1,
        operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
      },
    ]),
  ),
  'it is with --no-wait, too': {
    requests: [{ name: 'spoils', message: 'spoils', expect: { artifacts: [] } }],
    args: ['--no-wait'],
    out: /✗ x\.a2a › spoils: completed/,
    status: 1,
    operations: ['SendMessage', 'GetTask'],
  },
  'unless the moment is meant': {
    requests: [starts('spoils', { expect: { state: 'working', artifacts: [], paths: { 'task.id': { not: 'x' } } } })],
    out: /✓ x\.a2a › spoils: working/,
    operations: ['SendMessage'],
  },
  'the task of a raw body is not followed, and that is said': {
    requests: [
      { ...raw('a'), name: 'a' },
      { ...raw('b'), name: 'b', expect: {} },
    ],
    out: /→ x\.a2a › a: working[^]*not followed further[^]*✓ x\.a2a › b: working[^]*not followed further/,
    operations: ['SendMessage', 'SendMessage'],
  },
  'it is followed where its end is expected': {
    requests: [{ ...raw('a'), name: 'a', expect: { state: 'completed' } }],
    out: /✓ x\.a2a › a: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'or where something might still come': {
    requests: [{ ...raw('spoils'), name: 'a', expect: { artifacts: [] } }],
    out: /✗ x\.a2a › a: completed/,
    status: 1,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'or where another request needs it': {
    requests: [
      { ...raw('a'), name: 'a' },
      { name: 'b', after: 'a', method: 'SendMessage', message: 'b', expect: { state: 'completed' } },
    ],
    out: /✓ x\.a2a › b: completed[^]*→ x\.a2a › a: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'a raw look at a task is a look': {
    requests: [starts('a'), { jsonrpc: '2.0', id: 1, method: 'GetTask', params: id('a'), name: 'look', expect: { artifacts: [] } }],
    out: /✓ x\.a2a › look: working/,
    operations: ['SendMessage', 'GetTask'],
  },
  'what came of a task that others waited for is told as it ended': {
    requests: [
      starts('spoils', { expect: {} }),
      starts('fails', { expect: {} }),
      { name: 'b', message: '{{spoils.state}} {{fails.state}}', method: 'SendMessage' },
    ],
    out: /✓ x\.a2a › spoils: completed[^]*✗ x\.a2a › fails: failed/,
    status: 1,
    operations: ['SendMessage', 'SendMessage', 'GetTask'],
  },
  'what continues it waits until it is over': {
    requests: [starts('a'), { name: 'b', after: 'a', method: 'SendMessage', message: 'b', expect: { state: 'completed' } }],
    out: /✓ x\.a2a › b: completed[^]*→ x\.a2a › a: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'what refers to its end waits, too': {
    requests: [starts('a'), { name: 'b', method: 'SendMessage', message: '{{a.state}}', expect: { paths: { 'task.id': 'completed' } } }],
    out: /✓ x\.a2a › b: completed/,
    operations: ['SendMessage', 'GetTask', 'SubscribeToTask'],
  },
  'all messages return at once': {
    requests: [
      { name: 'a', message: 'a' },
      { name: 'b', message: 'b' },
      { name: 'stop', method: 'CancelTask', params: id('a') },
    ],
    args: ['--no-wait'],
    out: /› a: working[^]*› b: working[^]*› stop: canceled[^]*3 sent/,
    operations: ['SendMessage', 'SendMessage', 'CancelTask'],
  },
  'a stream that returns at once goes on beside what cancels it': {
    requests: [
      starts('a', { method: 'SendStreamingMessage' }),
      { name: 'stop', method: 'CancelTask', params: id('a'), expect: { state: 'canceled' } },
    ],
    out: /› a: working[^]*✓ x\.a2a › stop: canceled/,
    operations: ['SendStreamingMessage', 'CancelTask'],
  },
};

suite('a2a run: tasks that are left at work', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  for (const [title, { requests, args = [], out, status = 0, operations }] of Object.entries(rows)) {
    test(title, async () => {
      const agent = await open.agent(worker());
      const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests } });
      const ended = await program.run(['run', 'x.a2a', ...args, '--timeout', '10s'], { cwd });
      assert.match(ended.out, out);
      assert.deepEqual([ended.status, ended.err], [status, ''], ended.out);
      assert.deepEqual(operationsOf(agent).slice(0, operations.length), operations);
      if (!/› look/.test(ended.out) && !operations.includes('GetTask')) assert.equal(operationsOf(agent).length, operations.length);
    });
  }

  test('a task that another request cancels has not failed', async () => {
    const agent = await open.agent(worker());
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          starts('a', { method: 'SendStreamingMessage' }),
          { name: 'listen', method: 'SubscribeToTask', params: id('a') },
          { name: 'stop', method: 'CancelTask', params: id('a') },
        ],
      },
    });
    const { status, out } = await program.run(['run', 'x.a2a', '--parallel', '3', '--timeout', '10s'], { cwd });
    assert.match(out, /› listen: canceled[^]*3 sent, 0 passed in/);
    assert.equal(status, 0, out);
  });

  test('that a task is followed whose stream was cut is said', async () => {
    const working: Step = { event: { task: task('TASK_STATE_WORKING') } };
    let asked = 0;
    const script: Script = {
      SendStreamingMessage: [working, { delay: 100 }, { close: true }],
      GetTask: () => [{ answer: task(asked++ === 0 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED') }],
      SubscribeToTask: [working, { event: { task: task('TASK_STATE_COMPLETED') } }],
    };
    const agent = await open.agent(script);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'go' } });
    const goesOn = /Still following the task\. Ctrl\+C ends that\./g;
    for (const args of [
      ['run', 'x.a2a'],
      ['send', agent.url, 'go', '--stream'],
    ]) {
      asked = 0;
      const ended = await program.run(args, { cwd });
      assert.equal(ended.status, 0, ended.out + ended.err);
      assert.equal(ended.err.match(goesOn)?.length, 1, ended.err);
    }
  });
});

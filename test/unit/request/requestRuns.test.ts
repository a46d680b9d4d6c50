import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { RequestFault } from '../../../src/request/text/requestFault.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { writtenRows } from '../../../src/request/file/writtenRows.ts';
import { areRetained } from '../../support/retained.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

const fail = (error: unknown): void => {
  throw error;
};
const fileOf = (...requests: object[]): RequestFile => readRequestFile(JSON.stringify({ agent: 'A', requests }));

interface Setting {
  readonly model: FakeModel;
  readonly runs: RequestRuns;
  readonly file: RequestFile;
  send(key: string): Promise<RequestOutcome>;
  /** What was sent so far, each with its context. */
  sent(): string[];
}

function setting(...requests: object[]): Setting {
  const model = new FakeModel();
  const runs = new RequestRuns(model, fail);
  const file = fileOf(...requests);
  return {
    model,
    runs,
    file,
    send: key => runs.send(file.requests.find(entry => entry.key === key)!, file).done,
    sent: () => model.sent.map(({ what, context }) => `${what} @ ${context}`),
  };
}

suite('runs of a request file', () => {
  test("a request on its own: a new context, the agent's own way of answering", async () => {
    const { model, send, sent } = setting({ name: 'a', message: 'x' });
    const outcome = await send('a');
    assert.deepEqual(sent(), ['x @ context 1']);
    assert.equal(outcome.task?.id, 't1');
    assert.equal(outcome.problem, undefined);
    assert.deepEqual(outcome.exchangeIds, ['x1']);
    assert.equal((model.sent[0]?.options as { streaming: boolean }).streaming, true);
  });

  test('a request that is over keeps its result and not the run; one whose task was left at work keeps that', async () => {
    const { model, runs, file, send } = setting(
      { name: 'a', message: 'x', expect: { state: 'completed' } },
      { name: 'b', message: 'y', waitFor: 'working' },
      { name: 'c', message: 'z', each: [{ n: 1 }, { n: 2 }] },
    );
    model.answer = (words, context) => ({ task: model.task(words === 'y' ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED', context) });
    for (const name of ['a', 'b', 'c']) await send(name);
    assert.deepEqual(await areRetained(model.followed), [false, true, false, false]);
    assert.equal(runs.get(file.requests[0]!.key)?.outcome?.task?.id, 't1');
  });

  test('an agent that does not stream is not asked to', async () => {
    const { model, send } = setting({ name: 'a', message: 'x' }, { name: 'b', method: 'SendStreamingMessage', message: 'y' });
    model.streaming = false;
    await send('a');
    await send('b');
    assert.deepEqual(
      model.sent.map(({ options }) => (options as { streaming: boolean }).streaming),
      [false, true],
    );
  });

  test('what a request needs goes first, once; sending it again is explicit', async () => {
    const { send, sent } = setting(
      { name: 'draw', message: 'boat' },
      { name: 'refine', after: 'draw', message: 'red' },
      { name: 'look', method: 'GetTask', params: { id: '{{refine.task.id}}' } },
    );
    const outcome = await send('look');
    assert.deepEqual(sent(), ['boat @ context 1', 'red @ context 1', 'GetTask @ context 1']);
    assert.equal(outcome.task?.id, 't2');
    await send('look');
    await send('refine');
    assert.deepEqual(sent().slice(3), ['GetTask @ context 1', 'red @ context 1']);
    await send('draw');
    await send('refine');
    assert.deepEqual(sent().slice(5), ['boat @ context 2', 'red @ context 2']);
  });

  const continuations: readonly (readonly [
    title: string,
    state: 'TASK_STATE_COMPLETED' | 'TASK_STATE_INPUT_REQUIRED',
    target: unknown,
    references: unknown,
  ])[] = [
    ['a task that waits is answered', 'TASK_STATE_INPUT_REQUIRED', { taskId: 't1' }, undefined],
    ['a task that is over is referred to by a new one', 'TASK_STATE_COMPLETED', 'new-task', ['t1']],
  ];
  for (const [title, state, target, references] of continuations) {
    test(`after: ${title}`, async () => {
      const { model, send } = setting({ name: 'a', message: 'x' }, { name: 'b', after: 'a', message: 'y' });
      model.answer = (_words, context) => ({ task: model.task(state, context) });
      await send('b');
      const options = model.sent[1]?.options as { target: unknown; referenceTaskIds: unknown };
      assert.deepEqual(options.target, target);
      assert.deepEqual(options.referenceTaskIds, references);
    });
  }

  test('after: a task that went on elsewhere counts as it is now', async () => {
    const { model, send } = setting({ name: 'a', message: 'x' }, { name: 'b', after: 'a', message: 'y' });
    model.answer = (_words, context) => ({ task: model.task('TASK_STATE_INPUT_REQUIRED', context) });
    await send('a');
    model.task('TASK_STATE_COMPLETED', 'context 1', 't1');
    await send('b');
    assert.equal((model.sent[1]?.options as { target: unknown }).target, 'new-task');
  });

  test('after: a message is followed in its context', async () => {
    const { model, send, sent } = setting({ name: 'a', message: 'x' }, { name: 'b', after: 'a', message: 'y' });
    model.answer = () => ({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [], contextId: 'c' } });
    await send('b');
    assert.deepEqual(sent(), ['x @ context 1', 'y @ context 1']);
    assert.equal((model.sent[1]?.options as { target: unknown }).target, 'new-task');
  });

  test('after: another context that params name wins, and then the earlier task has no part in it', async () => {
    const { model, send } = setting(
      { name: 'a', message: 'x' },
      { name: 'b', after: 'a', params: { message: { parts: [{ text: 'y' }], contextId: 'other' } } },
    );
    await send('b');
    const { context, options } = model.sent[1]!;
    assert.equal(context, 'other');
    assert.deepEqual(
      [(options as { target: unknown }).target, (options as { referenceTaskIds: unknown }).referenceTaskIds],
      ['new-task', undefined],
    );
  });

  test('after a request to another agent is refused', async () => {
    const { send, sent } = setting({ name: 'a', agent: 'B', message: 'x' }, { name: 'b', after: 'a', message: 'y' });
    assert.equal((await send('b')).problem?.code, 'other-agent');
    assert.deepEqual(sent(), ['x @ context 1']);
  });

  test('what params say goes along', async () => {
    const { model, send } = setting({
      name: 'a',
      params: {
        message: {
          parts: [{ text: 'x' }],
          messageId: 'mine',
          taskId: 'mine too',
          contextId: 'c',
          referenceTaskIds: ['r'],
          extensions: ['e'],
        },
        configuration: { historyLength: 2 },
        metadata: { m: 1 },
        tenant: 'T',
      },
      interface: '0.3 JSONRPC',
    });
    await send('a');
    assert.deepEqual(model.sent[0], {
      agent: 'A',
      context: 'c',
      what: 'x',
      options: {
        parts: [{ text: 'x' }],
        streaming: true,
        configuration: { historyLength: 2 },
        metadata: { m: 1 },
        tenant: 'T',
        message: { messageId: 'mine', role: 'ROLE_USER', extensions: ['e'] },
        target: { taskId: 'mine too' },
        referenceTaskIds: ['r'],
        interface: { protocolVersion: '0.3', protocolBinding: 'JSONRPC' },
      },
    });
  });

  test('other operations', async () => {
    const { send, sent } = setting(
      { name: 'a', message: 'x' },
      { name: 'list', method: 'tasks/list' },
      { name: 'watch', method: 'SubscribeToTask', params: { id: '{{a.task.id}}' } },
      { name: 'cancel', method: 'CancelTask', params: { id: '{{list.value.tasks[0].id}}' } },
    );
    await send('a');
    assert.equal((await send('cancel')).task?.id, 't1');
    assert.deepEqual(sent(), ['x @ context 1', 'ListTasks @ context 2', 'CancelTask @ context 1']);
    await send('watch');
    assert.deepEqual(sent().slice(3), ['subscribe t1 @ context 1']);
  });

  test('a raw body goes as it is, and its answer is read as far as it can be', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{}}';
    const model = new FakeModel();
    const runs = new RequestRuns(model, fail);
    const file = readRequestFile(body);
    model.raw = [
      { events: [{ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }], results: [{ kind: 'task' }] },
      { events: [{ statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_COMPLETED' } } }], results: [{ kind: 'status-update' }] },
    ];
    const outcome = await runs.send(file.requests[0]!, file, { agent: 'A' }).done;
    assert.equal(model.sent[0]?.what, body);
    assert.equal(outcome.task?.status.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual(outcome.value, { kind: 'status-update' });
    assert.deepEqual(outcome.exchangeIds, ['x-raw']);
  });

  const failures: readonly (readonly [title: string, requests: readonly object[], code: string, sent: readonly string[]])[] = [
    ['an agent nobody knows', [{ name: 'a', agent: 'Nobody', message: 'x' }], 'unknown-agent', []],
    ['an agent that is not there', [{ name: 'a', agent: 'Dead', message: 'x' }], 'unreachable', []],
    [
      'a template without a value',
      [
        { name: 'b', message: 'y' },
        { name: 'a', message: '{{b.task.artifacts[0].name}}' },
      ],
      'no-value',
      ['y @ context 1'],
    ],
    [
      'what it needs failed',
      [
        { name: 'b', agent: 'Dead', message: 'y' },
        { name: 'a', after: 'b', message: 'x' },
      ],
      'needed-failed',
      [],
    ],
    [
      'a circle',
      [
        { name: 'a', message: '{{b.state}}' },
        { name: 'b', after: 'a', message: 'y' },
      ],
      'circle',
      [],
    ],
    [
      'what it needs is sent several times',
      [
        { name: 'b', message: 'y', repeat: 2 },
        { name: 'a', message: '{{b.task.id}}' },
      ],
      'several-answers',
      [],
    ],
    [
      'what it needs needs what is sent several times',
      [
        { name: 'c', message: 'y', repeat: 2 },
        { name: 'b', message: '{{c.task.id}}' },
        { name: 'a', after: 'b', message: 'x' },
      ],
      'several-answers',
      [],
    ],
    [
      'a row that there is not',
      [
        { name: 'b', message: 'y', repeat: 2 },
        { name: 'a', after: 'b[2]', message: 'x' },
      ],
      'no-value',
      ['y @ context 1', 'y @ context 2'],
    ],
    ['a task nobody has', [{ name: 'a', method: 'GetTask', params: { id: 'gone' } }], 'agent-error', ['GetTask @ context 1']],
  ];
  for (const [title, requests, code, expected] of failures) {
    test(`fails: ${title}`, async () => {
      const { send, sent } = setting(...requests);
      const outcome = await send('a');
      assert.equal(outcome.problem?.code, code);
      assert.deepEqual(sent(), expected);
      assert.ok(outcome.endedAt >= outcome.startedAt);
    });
  }

  test('an agent that is not known is a problem where it is named', async () => {
    const file = readRequestFile('{ "agent": "Nobody", "requests": [{ "message": "x", "expect": {} }] }');
    const { problem } = await new RequestRuns(new FakeModel(), fail).send(file.requests[0]!, file).done;
    assert.deepEqual(
      [problem?.code, problem instanceof RequestFault && problem.range.offset],
      ['unknown-agent', file.text.indexOf('"Nobody"')],
    );
  });

  test('after what is sent several times: all rows are waited for, and one of them is continued where it is meant', async () => {
    const { model, send, sent } = setting(
      { name: 'row', message: '{{n}}', each: [{ n: 'one' }, { n: 'two' }, { n: 'three' }] },
      { name: 'all', after: 'row', message: 'x' },
      { name: 'second', after: 'row[1]', message: 'y' },
      { name: 'last', after: 'row[-1]', message: 'z' },
    );
    model.answer = (words, context) => ({
      task: model.task(words === 'two' ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_COMPLETED', context),
    });
    for (const key of ['all', 'second', 'last']) assert.equal((await send(key)).problem, undefined);
    assert.deepEqual(sent(), [
      'one @ context 1',
      'two @ context 2',
      'three @ context 3',
      'x @ context 4',
      'y @ context 2',
      'z @ context 3',
    ]);
    const options = model.sent.map(sent => sent.options as { target: unknown; referenceTaskIds?: readonly string[] });
    assert.deepEqual(
      options.slice(3).map(({ target, referenceTaskIds }) => [target, referenceTaskIds]),
      [
        ['new-task', undefined],
        [{ taskId: 't2' }, undefined],
        ['new-task', ['t3']],
      ],
    );
  });

  test('after a row that went to another agent: its conversation goes on there, and nowhere else', async () => {
    const { send, sent } = setting(
      { name: 'ask', message: 'x', matrix: { agent: ['A', 'B'] } },
      { name: 'goes on', agent: 'A', after: 'ask[0]', message: 'y' },
      { name: 'strays', agent: 'A', after: 'ask[1]', message: 'z' },
    );
    assert.equal((await send('goes on')).problem, undefined);
    assert.equal((await send('strays')).problem?.code, 'other-agent');
    assert.deepEqual(sent(), ['x @ context 1', 'x @ context 2', 'y @ context 1']);
  });

  test('no agent anywhere is said, a chosen one is used', async () => {
    const model = new FakeModel();
    const runs = new RequestRuns(model, fail);
    const file = readRequestFile('{"message":"x"}');
    assert.equal((await runs.send(file.requests[0]!, file).done).problem?.code, 'no-agent');
    assert.equal((await runs.send(file.requests[0]!, file, { agent: 'C' }).done).problem, undefined);
    assert.equal(model.sent[0]?.agent, 'C');
  });

  test('what failed is sent again when it is needed; the words of the failure are passed on', async () => {
    const { model, send, sent } = setting({ name: 'b', message: 'y' }, { name: 'a', after: 'b', message: 'x' });
    model.answer = () => ({ problem: new Problem('agent-error', sentence('The agent said {0}.', 'no')) });
    const outcome = await send('a');
    assert.match(outcome.problem?.message ?? '', /"b", which runs first, failed: The agent said no\./);
    model.answer = (_words, context) => ({ task: model.task('TASK_STATE_COMPLETED', context) });
    assert.equal((await send('a')).problem, undefined);
    assert.deepEqual(sent(), ['y @ context 1', 'y @ context 2', 'x @ context 2']);
  });

  test('a request under way is not sent twice, and what needs it waits for it', async () => {
    const { model, send, sent } = setting({ name: 'b', message: 'y' }, { name: 'a', after: 'b', message: 'x' });
    const { promise, resolve } = Promise.withResolvers<void>();
    model.answer = async (_words, context) => {
      await promise;
      return { task: model.task('TASK_STATE_COMPLETED', context) };
    };
    const all = [send('b'), send('b'), send('a'), send('a')];
    await new Promise(setImmediate);
    assert.deepEqual(sent(), ['y @ context 1']);
    resolve();
    await Promise.all(all);
    assert.deepEqual(sent(), ['y @ context 1', 'x @ context 1']);
  });

  test('stop ends the request and what runs first for it; nothing else is sent', async () => {
    const { model, runs, file, sent } = setting({ name: 'b', message: 'y' }, { name: 'a', after: 'b', message: 'x' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopped: string[] = [];
    model.answer = async (_words, context) => {
      await promise;
      return { task: model.task('TASK_STATE_CANCELED', context) };
    };
    model.onStop = words => {
      stopped.push(words);
      resolve();
    };
    const run = runs.send(file.byName.get('a')!, file);
    await new Promise(setImmediate);
    run.stop();
    assert.equal(run.stopping, true);
    assert.equal((await run.done).problem?.code, 'stopped');
    assert.deepEqual(stopped, ['y']);
    assert.deepEqual(sent(), ['y @ context 1']);
    assert.equal(runs.get('b')?.outcome?.task?.status.state, 'TASK_STATE_CANCELED');
  });

  test('a request whose agent refuses to cancel is waited for, says so once, and can be stopped again', async () => {
    const { model, runs, file } = setting({ name: 'a', message: 'x' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopped: string[] = [];
    model.answer = async (_words, context) => {
      await promise;
      return { task: model.task('TASK_STATE_COMPLETED', context) };
    };
    model.onStop = words => stopped.push(words);
    model.refusal = new Problem('agent-error', sentence('Never.'));
    const told: string[] = [];
    runs.onRefusal(({ entry }, { code }) => told.push(`${entry.name} ${code}`));
    const run = runs.send(file.requests[0]!, file);
    await new Promise(setImmediate);
    run.stop();
    assert.equal(run.stopping, true);
    await new Promise(setImmediate);
    assert.deepEqual([run.stopping, run.running, run.refusal?.code, told], [false, true, 'agent-error', ['a agent-error']]);
    model.refusal = new Problem('agent-error', sentence('Never, never.'));
    run.stop();
    await new Promise(setImmediate);
    assert.deepEqual(
      [stopped, told],
      [
        ['x', 'x'],
        ['a agent-error', 'a agent-error'],
      ],
    );
    resolve();
    const { task, problem } = await run.done;
    assert.deepEqual([task?.status.state, problem, run.refusal], ['TASK_STATE_COMPLETED', undefined, undefined]);
  });

  test('a request whose time is up says that the agent refuses to cancel, too', async () => {
    const { model, runs, file } = setting({ name: 'a', message: 'x', timeoutMs: 20 });
    model.answer = async () => new Promise(() => {});
    model.refusal = new Problem('agent-error', sentence('Never.'));
    const { problem } = await runs.send(file.requests[0]!, file).done;
    assert.equal(problem?.code, 'time-limit');
    assert.match(problem.message, /continues: Never\./);
  });

  test('stopped before anything was sent', async () => {
    const { runs, file, sent } = setting({ name: 'a', message: 'x' });
    const run = runs.send(file.requests[0]!, file);
    run.stop();
    assert.equal((await run.done).problem?.code, 'stopped');
    assert.deepEqual(sent(), []);
  });

  test('stopped while the agent is looked for', async () => {
    const { model, runs, file, sent } = setting({ name: 'a', agent: 'Slow', message: 'x' });
    const run = runs.send(file.requests[0]!, file);
    await new Promise(setImmediate);
    assert.equal(model.connecting, 1);
    run.stop();
    assert.equal((await run.done).problem?.code, 'stopped');
    assert.deepEqual(sent(), []);
  });

  test('of a request with rows only those that are chosen are sent, each told as soon as it is over', async () => {
    const { runs, file, sent } = setting({ name: 'a', message: '{{city}}', each: [{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Turku' }] });
    const run = runs.sendOnce(file.requests[0]!, file, {}, new Set([0, 2]));
    const told: string[] = [];
    run.onDidChange(() =>
      told.push(run.rows.map(({ label, index, outcome }) => `${index} ${label} ${outcome === undefined ? '…' : 'over'}`).join(', ')),
    );
    await run.done;
    assert.deepEqual(
      sent().map(line => line.split(' ')[0]),
      ['Oslo', 'Turku'],
    );
    assert.deepEqual([...new Set(told)].slice(0, 3), ['0 Oslo …, 2 Turku …', '0 Oslo over, 2 Turku …', '0 Oslo over, 2 Turku over']);
  });

  test('rows are known by the text as far as it has them', () => {
    const labels = (request: object): string | undefined =>
      writtenRows(fileOf({ message: 'x', ...request }).requests[0]!)
        ?.map(({ label, index }) => `${index} ${label}`)
        .join(', ');
    assert.equal(labels({ each: [{ name: 'n', x: 1 }, { y: 'a b' }], repeat: 2 }), '0 n #1, 1 n #2, 2 a b #1, 3 a b #2');
    assert.equal(labels({ repeat: 3 }), '0 #1, 1 #2, 2 #3');
    assert.equal(labels({ each: '{{$file x.csv}}' }), undefined);
    assert.equal(writtenRows(fileOf({ message: 'x', repeat: 1e9 }).requests[0]!)?.length, 1000);
  });

  test('send all: in order, each once, earlier results do not count, a failure stops only what needs it', async () => {
    const { runs, file, send, sent } = setting(
      { name: 'c', after: 'a', message: '3' },
      { name: 'a', message: '1' },
      { name: 'dead', agent: 'Dead', message: '-' },
      { name: 'needs dead', after: 'dead', message: '-' },
      { message: 'last' },
    );
    await send('a');
    const outcomes = await runs.sendAll(file);
    assert.deepEqual(sent(), ['1 @ context 1', '1 @ context 2', '3 @ context 2', 'last @ context 3']);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, undefined, 'unreachable', 'needed-failed', undefined],
    );
  });

  test('send all: what failed is not sent again for those that need it', async () => {
    const { model, runs, file, sent } = setting(
      { name: 'a', message: 'A' },
      { name: 'b', after: 'a', message: 'B' },
      { name: 'c', after: 'a', message: 'C' },
      { name: 'd', after: 'b', message: 'D' },
    );
    model.answer = () => ({ problem: new Problem('agent-error', sentence('The agent said {0}.', 'no')) });
    const outcomes = await runs.sendAll(file);
    assert.deepEqual(sent(), ['A @ context 1']);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      ['agent-error', 'needed-failed', 'needed-failed', 'needed-failed'],
    );
    for (const { problem } of outcomes.slice(1)) assert.deepEqual(problem?.sentence.args, ['a', sentence('The agent said {0}.', 'no')]);
    await runs.sendAll(file);
    assert.equal(sent().length, 2);
  });

  test('what needs an answer is sent whatever was expected of that answer, and not where there is none', async () => {
    const needing = (name: string): object[] => [{ name: `after ${name}`, after: name, message: 'x' }, { message: `{{${name}.task.id}}` }];
    const { model, runs, file } = setting(
      { name: 'wrong', message: 'wrong', expect: { state: 'failed' } },
      ...needing('wrong'),
      { name: 'failed', message: 'failed' },
      ...needing('failed'),
      { name: 'late', agent: 'Slow', message: 'late', timeoutMs: 10 },
      ...needing('late'),
      { name: 'down', agent: 'Dead', message: 'down' },
      ...needing('down'),
      { name: 'skipped', message: '{{down.task.id}}' },
      ...needing('skipped'),
    );
    model.answer = (words, context) => ({ task: model.task(words === 'failed' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED', context) });
    const outcomes = await runs.sendAll(file);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code ?? 'answered'),
      [
        ...Array.from({ length: 6 }, () => 'answered'),
        'time-limit',
        'needed-failed',
        'needed-failed',
        'unreachable',
        'needed-failed',
        'needed-failed',
        'needed-failed',
        'needed-failed',
        'needed-failed',
      ],
    );
  });

  test('send all can be stopped', async () => {
    const { model, runs, file, sent } = setting({ message: '1' }, { message: '2' });
    const stop = new AbortController();
    model.answer = (_words, context) => {
      stop.abort();
      return { task: model.task('TASK_STATE_COMPLETED', context) };
    };
    assert.equal((await runs.sendAll(file, {}, stop.signal)).length, 1);
    assert.deepEqual(sent(), ['1 @ context 1']);
  });

  test('changes are told: begun, under way, over', async () => {
    const { runs, file } = setting({ name: 'a', message: 'x' });
    const seen: boolean[] = [];
    runs.onDidChange(run => seen.push(run.running));
    await runs.send(file.requests[0]!, file).done;
    assert.equal(seen[0], true);
    assert.equal(seen.at(-1), false);
    assert.equal(seen.filter(running => !running).length, 1);
  });

  test('contexts keep who makes them, a test or the file', async () => {
    const { model, runs, file } = setting(
      { name: 'a', message: 'x' },
      { name: 'b', method: 'ListTasks', params: {} },
      { name: 'c', params: { message: { contextId: 'new', parts: [{ text: 'x' }] } } },
    );
    const made: unknown[] = [];
    const { create, forContextId } = model.contexts;
    model.contexts.create = (agent, origin) => {
      made.push(origin?.madeBy);
      return create.call(model.contexts, agent);
    };
    model.contexts.forContextId = (agent, contextId, madeBy) => {
      made.push(madeBy);
      return forContextId.call(model.contexts, agent, contextId);
    };
    for (const entry of file.requests) await runs.sendOnce(entry, file, { testRun: true }).done;
    assert.deepEqual(made, ['test', 'test', 'test']);
    await runs.send(file.requests[0]!, file).done;
    assert.deepEqual(made.slice(3), ['file']);
  });

  test('a defect is reported and said, never swallowed', async () => {
    const errors: unknown[] = [];
    const model = new FakeModel();
    model.contexts.create = () => {
      throw new TypeError('broken');
    };
    const runs = new RequestRuns(model, error => errors.push(error));
    const file = fileOf({ name: 'a', message: 'x' });
    const outcome = await runs.send(file.requests[0]!, file).done;
    assert.equal(outcome.problem?.code, 'defect');
    assert.match(outcome.problem?.message ?? '', /broken/);
    assert.equal(errors.length, 1);
  });

  test('each row of data has its own times', async () => {
    const { runs, file } = setting({ name: 'a', method: 'ListTasks', params: {}, each: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    const { rows = [], startedAt } = await runs.send(file.requests[0]!, file).done;
    assert.equal(rows.length, 3);
    for (const [index, { outcome }] of rows.entries())
      assert.ok(outcome.startedAt >= (rows[index - 1]?.outcome.endedAt ?? startedAt), String(index));
  });

  test("a request that is not done in time has failed; its own limit is stronger than the file's, and that than the caller's", async () => {
    const { runs, file } = setting({ name: 'a', agent: 'Slow', message: 'x', timeoutMs: 20 }, { name: 'b', agent: 'Slow', message: 'x' });
    assert.equal(
      (await runs.sendOnce(file.requests[0]!, file, { timeoutMs: 100_000 }).done).problem?.message,
      'The agent gave no sign of life within 20 ms.',
    );
    assert.equal(
      (await runs.sendOnce(file.requests[1]!, file, { timeoutMs: 30 }).done).problem?.message,
      'The agent gave no sign of life within 30 ms.',
    );
    const own = readRequestFile('{ "agent": "Slow", "timeoutMs": 10, "requests": [{ "message": "x" }] }');
    assert.equal(
      (await runs.sendOnce(own.requests[0]!, own, { timeoutMs: 100_000 }).done).problem?.message,
      'The agent gave no sign of life within 10 ms.',
    );
  });

  test('a limit that is none is told', async () => {
    const { send } = setting({ name: 'a', message: 'x', timeoutMs: -1 });
    assert.match((await send('a')).problem?.message ?? '', /timeoutMs is invalid/);
  });
});

import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { sendWithRepeats } from '../../../src/model/requests/requestRepeats.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { cleanupsAfter, planOf } from '../../../src/request/file/control.ts';
import type { RequestEntry } from '../../../src/request/file/requestEntry.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { sendOrder } from '../../../src/request/file/sendOrder.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

const fail = (error: unknown): void => {
  throw error;
};
const fileOf = (...requests: object[]): RequestFile => readRequestFile(JSON.stringify({ agent: 'A', requests }));
const planned = (...requests: object[]): { sent: string[]; omitted: Record<string, string> } => {
  const { sent, omitted } = planOf(fileOf(...requests));
  return { sent: sent.map(({ key }) => key), omitted: Object.fromEntries([...omitted].map(([{ key }, why]) => [key, english(why)])) };
};
const message = (name: string, more: object = {}): object => ({ name, message: name, ...more });
const codes = (...requests: object[]): string[] => fileOf(...requests).problems.map(({ code }) => code);

suite('which requests of a file are sent', () => {
  test('skip leaves out a request and what needs it, with the reason', () => {
    assert.deepEqual(
      planned(message('a', { skip: 'no network' }), message('b', { after: 'a' }), message('c', { after: 'b' }), message('d')),
      {
        sent: ['d'],
        omitted: { a: 'Skipped: no network', b: 'It needs "a", which is skipped.', c: 'It needs "a", which is skipped.' },
      },
    );
    assert.deepEqual(planned(message('a', { skip: true }), message('b', { skip: false })), {
      sent: ['b'],
      omitted: { a: 'It is marked to be skipped.' },
    });
  });

  test('only leaves out the others, but not what is needed nor what cleans up', () => {
    const other = 'Left out: another request says "only".';
    assert.deepEqual(
      planned(
        message('a'),
        message('b'),
        message('c', { after: 'a', only: true }),
        message('d', { cleanup: true }),
        message('e', { only: false }),
      ),
      { sent: ['a', 'c', 'd'], omitted: { b: other, e: other } },
    );
    assert.deepEqual(planned(message('a', { only: true, skip: true }), message('b')).sent, []);
  });

  test('what cleans up goes last', () => {
    assert.deepEqual(planned(message('a', { cleanup: true }), message('b'), message('c')).sent, ['b', 'c', 'a']);
    const file = fileOf(message('a'), message('b'), message('x', { cleanup: true, after: 'a' }), message('y', { cleanup: true }));
    const after = (...names: string[]): string[] => cleanupsAfter(file, ({ key }) => names.includes(key)).map(({ key }) => key);
    assert.deepEqual([after('a'), after('b')], [['x', 'y'], ['y']]);
  });

  const chain = (length: number, more: (index: number) => object = () => ({})): RequestFile =>
    fileOf(...Array.from({ length }, (_, index) => message(`r${index}`, { ...(index > 0 && { after: `r${index - 1}` }), ...more(index) })));
  const works: Readonly<Record<string, readonly [file: RequestFile, work: (file: RequestFile) => unknown]>> = {
    'the plan of all': [chain(1000), file => planOf(file)],
    'the plan where one is skipped': [chain(1000, index => ({ ...(index === 500 && { skip: true }) })), file => planOf(file)],
    'the plan of those that say "only"': [chain(1000, () => ({ only: true })), file => planOf(file)],
    'what cleans up': [chain(1000, () => ({ cleanup: true })), file => cleanupsAfter(file, ({ key }) => key === 'r0')],
    'the order of all': [chain(1000), file => sendOrder(file.requests, file)],
  };
  for (const [what, [file, work]] of Object.entries(works)) {
    test(`in a chain, each need is looked at a few times: ${what}`, () => {
      let looks = 0;
      const needs = new Map(file.needs);
      const counted = Object.assign(new Map(needs), { get: (entry: RequestEntry) => (looks++, needs.get(entry)) });
      work({ ...file, needs: counted });
      assert.ok(looks < 10 * file.requests.length, `${looks} times`);
    });
  }

  test('what is easily forgotten or cannot be is told', () => {
    assert.deepEqual(codes(message('a', { only: true }), message('b')), ['only']);
    assert.deepEqual(codes(message('a', { only: true })), []);
    assert.deepEqual(codes({ method: 'GetTask', params: { id: 'x' }, waitFor: 'working' }), ['waits-for-nothing']);
    assert.deepEqual(codes(message('a', { waitFor: 'working' }), message('b', { waitFor: ['working', 'completed'] })), []);
    assert.deepEqual(codes(message('a', { retry: { times: 2, on: [500] } })), ['never-retried']);
    assert.deepEqual(
      codes(message('a', { retry: { times: 2, on: [500], unsafe: true } }), message('b', { retry: { times: 2, on: [500, 429] } })),
      [],
    );
    assert.deepEqual(codes({ method: 'GetTask', params: { id: 'x' }, retry: { times: 2, on: [500] } }), []);
    assert.deepEqual(codes(message('a', { cleanup: true }), message('b', { after: 'a' })), ['needs-cleanup']);
    const wrong: readonly object[] = [
      { waitFor: 'over' },
      { retry: 0 },
      { retry: { on: [500] } },
      { until: { times: 3 } },
      { until: { expect: { text: { contain: 'x' } } } },
      { tags: ['a b'] },
      { tags: [] },
      { skip: '' },
      { delay: -1 },
    ];
    for (const one of wrong) assert.equal(codes(message('a', one)).length, 1, JSON.stringify(one));
  });
});

const runsOf = (model: FakeModel, file: RequestFile) => {
  const runs = new RequestRuns(model, fail);
  return { runs, send: (key: string) => runs.send(file.requests.find(entry => entry.key === key)!, file).done };
};

suite('how often a request is sent', () => {
  const down = (reached: 'no' | 'unknown'): ConnectionProblem => new ConnectionProblem('unreachable', sentence('It is down.'), reached);
  const answering = (problems: readonly (Problem | undefined)[]): FakeModel => {
    const model = new FakeModel();
    let count = 0;
    model.answer = (_words, context) => {
      const problem = problems[count++];
      return problem === undefined ? { task: model.task('TASK_STATE_COMPLETED', context) } : { problem };
    };
    return model;
  };
  const limited = (): Problem => {
    const problem = new Problem('http-error', sentence('Too many requests.'));
    problem.cameWith(429);
    return problem;
  };

  const rows: readonly (readonly [
    what: string,
    request: object,
    problems: readonly Problem[],
    sent: number,
    ends: string | undefined,
    remark: boolean,
  ])[] = [
    ['a message that did not arrive', { retry: { times: 3, delay: 1 } }, [down('no'), down('no')], 3, undefined, false],
    ['no more often than it says', { retry: { times: 1, delay: 1 } }, [down('no'), down('no'), down('no')], 2, 'unreachable', false],
    ['not a message that may have arrived', { retry: { times: 3, delay: 1 } }, [down('unknown')], 1, 'unreachable', true],
    ['that as well where it is allowed', { retry: { times: 3, delay: 1, unsafe: true } }, [down('unknown')], 2, undefined, false],
    ['after HTTP 429', { retry: { times: 3, delay: 1 } }, [limited()], 2, undefined, false],
    ['not after another error', { retry: { times: 3, delay: 1 } }, [new Problem('other', sentence('No.'))], 1, 'other', false],
    [
      'after the errors that are named',
      { retry: { times: 3, delay: 1, on: ['other'], unsafe: true } },
      [new Problem('other', sentence('No.'))],
      2,
      undefined,
      false,
    ],
    ['not after others', { retry: { times: 3, delay: 1, on: ['other'] } }, [down('no')], 1, 'unreachable', false],
    [
      'not the error that is expected',
      { retry: { times: 3, delay: 1 }, expect: { error: 'unreachable' } },
      [down('no')],
      1,
      'unreachable',
      false,
    ],
  ];
  for (const [what, request, problems, sent, ends, remark] of rows)
    test(`retry: ${what}`, async () => {
      const model = answering(problems);
      const outcome = await runsOf(model, fileOf(message('a', request))).send('a');
      assert.deepEqual(
        [model.sent.length, outcome.sent ?? 1, outcome.problem?.code, outcome.remark !== undefined],
        [sent, sent, ends, remark],
      );
    });

  test('retry: it waits as long as the agent says, but not for hours', async () => {
    const pauses: number[] = [];
    const [entry] = fileOf(message('a', { retry: { times: 3, delay: 100 } })).requests;
    const problems = [2_000, 86_400_000, 1].map(waitMs => Object.assign(limited(), { waitMs }));
    await sendWithRepeats(entry!, undefined, {
      send: async () => {
        const problem = problems.shift();
        return { outcome: { startedAt: 0, endedAt: 0, exchangeIds: [], ...(problem && { problem }) }, released: true };
      },
      pause: async ms => void pauses.push(ms),
    });
    assert.deepEqual(pauses, [2_000, 30_000, 100]);
  });

  const working = (states: readonly TaskState[]): FakeModel => {
    const model = new FakeModel();
    let count = 0;
    model.answer = (_words, context) => ({ task: model.task(states[Math.min(count++, states.length - 1)]!, context) });
    return model;
  };

  test('until: as often as it takes, and the last answer is the answer', async () => {
    const model = working(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    const file = fileOf(
      message('a', { until: { expect: { state: 'completed' }, times: 5, delay: 1 }, expect: { paths: { 'task.id': 't3' } } }),
    );
    const { expectations = [], sent, exchangeIds } = await runsOf(model, file).send('a');
    assert.deepEqual([model.sent.length, sent, exchangeIds.length], [3, 3, 3]);
    assert.deepEqual(
      expectations.map(({ kind, ok }) => [kind, ok]),
      [
        ['state', true],
        ['paths', true],
      ],
    );
  });

  test('until: a limit that is reached has failed, at its place', async () => {
    const model = working(['TASK_STATE_INPUT_REQUIRED']);
    const file = fileOf(message('a', { until: { expect: { state: 'completed' }, times: 2, delay: 1 } }));
    const { expectations = [] } = await runsOf(model, file).send('a');
    assert.deepEqual(
      expectations.map(({ ok, message: said, range }) => [ok, english(said), file.text.slice(range.offset, range.offset + range.length)]),
      [[false, 'The task is input-required, not completed.', '"completed"']],
    );
  });

  test('until: an error ends it, unless it is what is waited for', async () => {
    const gone = new Problem('agent-error', sentence('Gone.'));
    const broken = answering([undefined, gone, undefined]);
    const outcome = await runsOf(broken, fileOf(message('a', { until: { expect: { state: 'failed' }, times: 9, delay: 1 } }))).send('a');
    assert.deepEqual([broken.sent.length, outcome.problem?.code], [2, 'agent-error']);
    const awaited = answering([undefined, gone]);
    const found = await runsOf(awaited, fileOf(message('a', { until: { expect: { error: 'agent-error' }, times: 9, delay: 1 } }))).send(
      'a',
    );
    assert.deepEqual([awaited.sent.length, found.expectations?.map(({ ok }) => ok)], [2, [true]]);
  });

  test('a wait is told, and ends with a stop before anything is sent', async () => {
    const model = new FakeModel();
    const file = fileOf(message('a', { delay: 60_000 }));
    const { runs } = runsOf(model, file);
    const run = runs.send(file.requests[0]!, file);
    while (run.pause === undefined) await new Promise(resolve => setImmediate(resolve));
    assert.equal(run.pause.why, 'delay');
    assert.ok(run.pause.until > Date.now() + 50_000);
    run.stop();
    const { problem } = await run.done;
    assert.deepEqual([problem?.code, model.sent.length, run.pause], ['stopped', 0, undefined]);
  });

  test('what cleans up is sent last, whatever failed and after a stop, and not where there is nothing to clean up', async () => {
    const model = new FakeModel();
    model.answer = (words, context) =>
      words === 'b' ? { problem: new Problem('agent-error', sentence('No.')) } : { task: model.task('TASK_STATE_COMPLETED', context) };
    const file = fileOf(
      { name: 'x', method: 'GetTask', params: { id: '{{a.task.id}}' }, cleanup: true },
      { name: 'y', method: 'GetTask', params: { id: '{{b.task.id}}' }, cleanup: true },
      message('a'),
      message('b'),
      message('c'),
    );
    const { runs } = runsOf(model, file);
    await runs.sendAll(file);
    assert.deepEqual(
      model.sent.map(({ what }) => what),
      ['a', 'b', 'c', 'GetTask'],
    );
    assert.deepEqual([runs.get('x')?.outcome?.problem, runs.get('y')?.outcome?.problem?.code], [undefined, 'nothing-to-clean-up']);
    const stop = new AbortController();
    const before = model.sent.length;
    const answer = model.answer;
    model.answer = (words, context) => {
      stop.abort();
      return answer(words, context);
    };
    await runs.sendAll(file, {}, stop.signal);
    assert.deepEqual(
      model.sent.slice(before).map(({ what }) => what),
      ['a', 'GetTask'],
    );
  });

  test('skipped requests are not sent with all, and are by themselves', async () => {
    const model = new FakeModel();
    const file = fileOf(message('a', { skip: 'later' }), message('b'));
    const { runs, send } = runsOf(model, file);
    await runs.sendAll(file);
    await send('a');
    assert.deepEqual(
      model.sent.map(({ what }) => what),
      ['b', 'a'],
    );
  });
});

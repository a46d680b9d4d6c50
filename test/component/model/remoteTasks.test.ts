import * as assert from 'node:assert/strict';
import { mergeRemoteTasks, type RemoteTask } from '../../../src/model/contexts/remoteTasks.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { artifact, at, exchangeOf, History, is, owner, said } from '../store/support/history.ts';

const time = (second: number): string => new Date(at + second * 1000).toISOString();
const remote = (id: string, word: string, second: number | undefined, more: Partial<Task> = {}): Task => ({
  id,
  contextId: 'c',
  status: { state: `TASK_STATE_${word}` as TaskState, ...(second !== undefined && { timestamp: time(second) }) },
  ...more,
});

suite('tasks that the agent lists', () => {
  let history: History;
  let key: string;
  setup(() => {
    history = new History();
    key = history.context('Ann', 'c');
  });
  teardown(() => history.close());

  const merge = (
    tasks: readonly Task[],
    options: { agent?: string; twins?: readonly string[]; askedAt?: number; at?: number; artifacts?: boolean; exchangeId?: string } = {},
  ): RemoteTask[] =>
    mergeRemoteTasks(tasks, {
      store: history.store,
      agent: 'Ann',
      owner,
      askedAt: at + 100_000,
      at: at + 100_000,
      artifacts: false,
      ...options,
    });
  const outcomes = (...args: Parameters<typeof merge>): string[] => merge(...args).map(({ outcome }) => outcome);
  const all = (): unknown => [
    history.store.contexts(),
    history.store.listTasks(),
    history.store.contexts().map(context => history.store.transcript.entries({ context: context.key })),
  ];

  test('new ones join their context or make one, at the time they had', () => {
    assert.deepEqual(
      outcomes([
        remote('t', 'COMPLETED', 5),
        { ...remote('u', 'WORKING', 6), contextId: 'other' },
        { ...remote('v', 'FAILED', undefined), contextId: undefined },
      ]),
      ['added', 'added', 'added'],
    );
    assert.deepEqual(
      history.store.listTasks().map(task => [task.taskId, task.updatedAt, task.seenRemotelyAt]),
      [
        ['v', at + 100_000, at + 100_000],
        ['u', at + 6000, at + 100_000],
        ['t', at + 5000, at + 100_000],
      ],
    );
    assert.equal(history.store.contextOfTask('Ann', 't')?.key, key);
    assert.equal(history.store.contextById('Ann', 'other')?.tasks, 1);
  });

  test('have no start, which no list gives, and a time of their last change where the agent gives one', () => {
    merge([remote('t', 'COMPLETED', 5), remote('u', 'COMPLETED', undefined), remote('tomorrow', 'COMPLETED', 86_400)]);
    const facts = (id: string): unknown[] => [history.store.task(key, id)?.createdAt, history.store.task(key, id)?.untimed];
    assert.deepEqual(['t', 'u', 'tomorrow'].map(facts), [
      [undefined, undefined],
      [undefined, true],
      [undefined, true],
    ]);
    history.store.record(key, [is('t', 'COMPLETED', undefined, time(9))], { at: at + 200_000, owner, late: true, exchangeId: 'x1' });
    const linked = history.store.linkedTasks(key).tasks.find(({ taskId }) => taskId === 't');
    assert.deepEqual([linked?.createdAt, linked?.states], [undefined, [{ state: 'TASK_STATE_COMPLETED', at: at + 9000 }]]);
    history.record(key, [{ kind: 'message', taskId: 'mine', message: { ...said('m', 'Go'), role: 'ROLE_USER' } }, is('mine', 'WORKING')]);
    merge([remote('mine', 'COMPLETED', 5)]);
    assert.equal(history.store.task(key, 'mine')?.createdAt, at);
  });

  test('stay as old as the agent says while they are only listed, also where the list has news', () => {
    merge([{ ...remote('t', 'WORKING', 5), contextId: 'other' }]);
    assert.deepEqual(outcomes([{ ...remote('t', 'COMPLETED', 8), contextId: 'other' }]), ['updated']);
    assert.equal(history.store.contextById('Ann', 'other')?.updatedAt, at + 8000);
  });

  test('have what their status says as a title, and their context has their id only until something is said', () => {
    const { store } = history;
    const id = '8a7349eb-6d67-4cd0-960d-dbcf111a2083';
    const done = { ...remote('done', 'COMPLETED', 5), contextId: 'answered' };
    const telling = { ...done, status: { ...done.status, message: said('m', 'A sailboat.\nOn the sea.') } };
    merge([telling, { ...remote(id, 'WORKING', 6), contextId: 'silent' }]);
    const titles = (): unknown => [
      store.listTasks().map(({ title }) => title),
      ['answered', 'silent'].map(contextId => store.contextById('Ann', contextId)?.title),
    ];
    assert.deepEqual(titles(), [
      ['', 'A sailboat.'],
      ['A sailboat.', id],
    ]);
    // GetTask has brought what was asked.
    const { key: silent } = store.contextById('Ann', 'silent')!;
    history.record(silent, [{ kind: 'message', taskId: id, message: { ...said('m2', 'Draw a whale'), role: 'ROLE_USER' } }]);
    assert.deepEqual(titles(), [
      ['Draw a whale', 'A sailboat.'],
      ['A sailboat.', 'Draw a whale'],
    ]);
    // Of what is told later nothing is taken.
    history.record(silent, [is('second', 'WORKING', said('m3', 'And a boat'))]);
    assert.equal(store.context(silent)?.title, 'Draw a whale');
  });

  test("those of a test are a test's under every name of the agent, also where they were listed before that was known", () => {
    const question = { ...remote('asked', 'INPUT_REQUIRED', 5), contextId: 'tested' };
    const other = { ...remote('mine', 'INPUT_REQUIRED', 5), contextId: 'chat' };
    const listed = (isTest: boolean): unknown =>
      history.store
        .listTasks({ agent: 'Ben', madeBy: [isTest ? 'test' : 'agent'] })
        .map(({ taskId }) => taskId)
        .sort();
    merge([question, other], { agent: 'Ben', twins: ['Ann'] });
    assert.deepEqual([history.store.waiting(), listed(true)], [2, []]);
    history.record(history.context('Ann', 'tested', true), [is('asked', 'INPUT_REQUIRED')]);
    merge([question], { agent: 'Ben', twins: [] });
    assert.equal(history.store.waiting(), 2, 'an agent at another address may give its tasks the same names');
    assert.deepEqual(outcomes([question, other], { agent: 'Ben', twins: ['Ann'] }), ['updated', 'unchanged']);
    assert.deepEqual([history.store.waiting(), listed(true), listed(false)], [1, ['asked'], ['mine']]);
    // Another task of the test's context.
    merge([{ ...question, id: 'again' }], { agent: 'Cid', twins: ['Ann', 'Ben'] });
    merge([{ ...question, id: 'third' }], { agent: 'Ben', twins: ['Ann'] });
    assert.deepEqual([history.store.waiting(), listed(true)], [1, ['asked', 'third']]);
  });

  test("a context that the person uses stays the person's", () => {
    const mine = history.context('Ben', 'tested');
    history.store.record(
      mine,
      [{ kind: 'message', taskId: 'asked', message: { ...said('u', 'Hello'), role: 'ROLE_USER' } }, is('asked', 'INPUT_REQUIRED')],
      { at, owner, exchangeId: 'e' },
    );
    history.record(history.context('Ann', 'tested', true), [is('asked', 'INPUT_REQUIRED')]);
    merge([{ ...remote('asked', 'INPUT_REQUIRED', 5), contextId: 'tested' }], { agent: 'Ben', twins: ['Ann'] });
    assert.deepEqual([history.store.context(mine)?.madeBy, history.store.waiting()], ['person', 1]);
  });

  test('said again they change nothing, after a restart neither', () => {
    const page = [
      remote('t', 'COMPLETED', 5, { history: [{ ...said('u', 'Hello'), role: 'ROLE_USER' }, said('w', 'well')] }),
      remote('s', 'WORKING', 5, { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }),
    ];
    merge(page, { artifacts: true });
    const before = all();
    assert.deepEqual(outcomes(page, { artifacts: true }), ['unchanged', 'unchanged']);
    history.reopen();
    assert.deepEqual(outcomes(page, { artifacts: true }), ['unchanged', 'unchanged']);
    assert.deepEqual(all(), before);
    merge(page, { artifacts: true, at: at + 130_000 });
    assert.deepEqual(all(), before, 'listed again within the minute: nothing is written');
    merge(page, { artifacts: true, at: at + 161_000 });
    assert.equal(history.store.task(key, 't')?.seenRemotelyAt, at + 161_000);
  });

  const merges: readonly (readonly [
    what: string,
    local: readonly [word: string, second?: number],
    theirs: Task,
    askedAt: number,
    outcome: string,
    state: string,
  ])[] = [
    ["a newer state by the agent's clock", ['WORKING', 5], remote('t', 'COMPLETED', 6), 100, 'updated', 'COMPLETED'],
    ["an older state by the agent's clock", ['INPUT_REQUIRED', 5], remote('t', 'WORKING', 4), 100, 'older', 'INPUT_REQUIRED'],
    ['an older end', ['FAILED', 5], remote('t', 'COMPLETED', 4), 100, 'older', 'FAILED'],
    ['a state of no time, asked for since', ['WORKING'], remote('t', 'COMPLETED', undefined), 100, 'updated', 'COMPLETED'],
    [
      'a state of no time, asked for before the last event',
      ['INPUT_REQUIRED'],
      remote('t', 'WORKING', undefined),
      -1,
      'older',
      'INPUT_REQUIRED',
    ],
    ['a newer state, asked for before the last event', ['WORKING', 5], remote('t', 'COMPLETED', 6), -1, 'updated', 'COMPLETED'],
    [
      'a time that is none',
      ['WORKING', 5],
      { ...remote('t', 'COMPLETED', 0), status: { state: 'TASK_STATE_COMPLETED', timestamp: 'soon' } },
      100,
      'updated',
      'COMPLETED',
    ],
    ['what was over and went on before', ['COMPLETED', 9], remote('t', 'WORKING', 8), 100, 'older', 'COMPLETED'],
  ];
  for (const [what, [word, second], theirs, askedAt, outcome, state] of merges) {
    test(what, () => {
      history.record(key, [is('t', word, undefined, second === undefined ? undefined : time(second))]);
      assert.deepEqual(outcomes([theirs], { askedAt: at + askedAt }), [outcome]);
      assert.equal(history.store.task(key, 't')?.state, `TASK_STATE_${state}`);
      assert.deepEqual(history.store.task(key, 't')?.findings, undefined);
    });
  }

  test('what was over and goes on, or ends otherwise, is noted once', () => {
    history.record(key, [is('t', 'COMPLETED', undefined, time(1))]);
    const rules = (): unknown => history.store.task(key, 't')?.findings?.map(({ rule }) => rule);
    const asking = remote('t', 'INPUT_REQUIRED', 9);
    assert.deepEqual([outcomes([asking]), outcomes([asking])], [['updated'], ['unchanged']]);
    assert.deepEqual([history.store.task(key, 't')?.state, rules()], ['TASK_STATE_COMPLETED', ['STRM-03']]);
    assert.deepEqual(outcomes([remote('t', 'CANCELED', 10)]), ['updated']);
    assert.deepEqual([history.store.task(key, 't')?.state, rules()], ['TASK_STATE_CANCELED', ['STRM-03', 'STRM-11']]);
  });

  test('what a list contradicts is a finding of that exchange, in the context of the first such task', () => {
    const other = history.context('Ann', 'd');
    history.record(key, [is('t', 'COMPLETED', undefined, time(1))]);
    history.record(other, [is('u', 'COMPLETED', undefined, time(1))]);
    history.store.putWire(undefined, { exchanges: [exchangeOf('x', { operation: 'ListTasks' })], frames: new Map() });
    merge([remote('t', 'FAILED', 9), { ...remote('u', 'WORKING', 10), contextId: 'd' }], { exchangeId: 'x' });
    const found = (context: string): unknown =>
      history.store
        .deviantExchanges(context)
        .map(({ exchangeId, taskId, findings }) => [exchangeId, taskId, ...findings.map(({ rule }) => rule)]);
    assert.deepEqual([found(key), found(other)], [[['x', 't', 'STRM-11']], []]);
    assert.deepEqual(
      history.store.task(other, 'u')?.findings?.map(({ rule }) => rule),
      ['STRM-03'],
    );
  });

  test("an end that a list brings has the agent's time, and none where that cannot be; repeated it is no other end", () => {
    const end = (word: string, timestamp: string | undefined, id: string): Task => ({
      ...remote('t', word, undefined),
      status: { state: `TASK_STATE_${word}` as TaskState, message: said(id), ...(timestamp !== undefined && { timestamp }) },
    });
    const ends = (): unknown =>
      history.store.transcript
        .entries({ context: key })
        .flatMap(entry => (entry.kind === 'status' ? [[entry.state, entry.untimed ? undefined : entry.at - at]] : []));
    history.record(key, [is('t', 'WORKING', undefined, time(1))]);
    merge([end('FAILED', time(24), 'm1')]);
    merge([end('FAILED', time(50), 'm2')]);
    merge([remote('t', 'FAILED', 24)]);
    const working = ['TASK_STATE_WORKING', 0];
    assert.deepEqual(ends(), [working, ['TASK_STATE_FAILED', 24_000]]);
    const { updatedAt, untimed } = history.store.task(key, 't')!;
    assert.deepEqual([updatedAt, untimed], [at + 24_000, undefined]);
    for (const timestamp of [undefined, time(3_000_000), 'yesterday at noon']) {
      history = new History();
      key = history.context('Ann', 'c');
      history.record(key, [is('t', 'WORKING')]);
      merge([end('FAILED', timestamp, 'm')]);
      assert.deepEqual(ends(), [working, ['TASK_STATE_FAILED', undefined]], timestamp);
      assert.equal(history.store.task(key, 't')?.untimed, true, timestamp);
    }
  });

  test('artifacts are left alone where the list has none, and merged where it has them', () => {
    history.record(key, [is('t', 'WORKING', undefined, time(1)), artifact('t', 'a', 'mine')]);
    merge([remote('t', 'WORKING', 2, { artifacts: [] })]);
    assert.equal(history.store.artifacts.ofTask(key, 't').length, 1);
    merge(
      [
        remote('t', 'COMPLETED', 3, {
          artifacts: [
            { artifactId: 'a', parts: [{ text: 'mine' }] },
            { artifactId: 'b', parts: [{ text: 'new' }] },
          ],
        }),
      ],
      { artifacts: true },
    );
    assert.deepEqual(
      history.store.taskDocument(key, 't')?.task.artifacts?.map(({ artifactId, parts }) => [artifactId, parts]),
      [
        ['a', [{ text: 'mine' }]],
        ['b', [{ text: 'new' }]],
      ],
    );
    assert.equal(history.store.transcript.entries({ context: key }).filter(entry => entry.kind === 'artifact').length, 2);
  });

  test('a task that a window follows is left to it', () => {
    history.store.leases.enter(owner, { at });
    history.store.record(key, [is('t', 'WORKING')], { at, owner, follow: true });
    assert.deepEqual(outcomes([remote('t', 'COMPLETED', 9)]), ['followed']);
    assert.equal(history.store.task(key, 't')?.state, 'TASK_STATE_WORKING');
    history.store.leases.release(key, 't', owner, false);
    assert.deepEqual(outcomes([remote('t', 'COMPLETED', 9)]), ['updated']);
  });

  test('what the person deleted does not come back by being listed, nor in another context', () => {
    history.record(key, [is('t', 'COMPLETED')]);
    history.store.edits.delete([{ context: key, taskId: 't' }], at);
    const page = [{ ...remote('t', 'COMPLETED', 9), contextId: 'another' }];
    assert.deepEqual(outcomes(page), ['deleted']);
    assert.deepEqual(history.store.listTasks(), []);
  });

  test("an agent's own tasks only: ids of two agents may be the same", () => {
    const other = history.context('Bob', 'c');
    history.record(other, [is('t', 'WORKING')]);
    assert.deepEqual(
      merge([remote('t', 'COMPLETED', 1)]).map(({ outcome, context }) => [outcome, context]),
      [['added', key]],
    );
    assert.equal(history.store.task(other, 't')?.state, 'TASK_STATE_WORKING');
  });

  test('takes no more than a bound, and no task without an id', () => {
    assert.equal(merge(Array.from({ length: 1200 }, (_, index) => remote(index === 0 ? '' : `t${index}`, 'COMPLETED', 1))).length, 999);
  });
});

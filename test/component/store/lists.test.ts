import * as assert from 'node:assert/strict';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { Database } from '../../../src/store/database/database.ts';
import type { ListFilter } from '../../../src/store/lists/listFilter.ts';
import type { ListedTask } from '../../../src/store/lists/taskList.ts';
import { TaskStore } from '../../../src/store/taskStore.ts';
import { artifact, at, History, is, said } from './support/history.ts';

const state = (word: string): TaskState => `TASK_STATE_${word}` as TaskState;

suite('lists of the history', () => {
  const history = History.ofEachTest();

  /** Three contexts: Ann's with t0 and t1, Ann's with t2, Bob's with t3; the later the number, the later the change. */
  function fill(): readonly [string, string, string] {
    const keys = [history.context('Ann', 'c-one'), history.context('Ann'), history.context('Bob')] as const;
    for (const [index, [key, word, text]] of (
      [
        [keys[0], 'COMPLETED', 'Draw a sailboat'],
        [keys[0], 'WORKING', 'Draw a canoe'],
        [keys[1], 'COMPLETED', '赫尔辛基天气'],
        [keys[2], 'FAILED', 'Sail away'],
      ] as const
    ).entries())
      history.record(key, [is(`t${index}`, word, said(`m${index}`, text))], at + index);
    return keys;
  }
  const tasks = (filter: ListFilter = {}): string[] => history.store.listTasks(filter).map(task => task.taskId);

  const filters: readonly (readonly [what: string, filter: ListFilter, tasks: readonly string[], contexts: readonly number[]])[] = [
    ['nothing', {}, ['t3', 't2', 't1', 't0'], [2, 1, 0]],
    ['an agent', { agent: 'Ann' }, ['t2', 't1', 't0'], [1, 0]],
    ['a state', { states: [state('COMPLETED')] }, ['t2', 't0'], [1, 0]],
    ['two states, one of them twice', { states: [state('FAILED'), state('WORKING'), state('FAILED')] }, ['t3', 't1'], [2, 0]],
    ['a state of an agent', { agent: 'Ann', states: [state('WORKING')] }, ['t1'], [0]],
    ['a state that no agent is in', { agent: 'Bob', states: [state('COMPLETED')] }, [], []],
    ['no state at all', { states: [] }, [], []],
    ['a time', { since: at + 1, until: at + 3 }, ['t2', 't1'], [1, 0]],
    ['a word', { text: 'sail' }, ['t3', 't0'], [2, 0]],
    ['two words', { text: 'boat DRAW' }, ['t0'], [0]],
    ['two characters', { text: '天气' }, ['t2'], [1]],
    ['one character', { text: 's' }, ['t3', 't0'], [2, 0]],
    ["a task's id", { text: 't1' }, ['t1'], [0]],
    ["a context's id", { text: 'c-one' }, [], [0]],
    ['a word and an agent', { text: 'sail', agent: 'Bob' }, ['t3'], [2]],
    ['a word and a state', { text: 'draw', states: [state('WORKING')] }, ['t1'], [0]],
    ['a word and a time', { text: 'sail', until: at + 3 }, ['t0'], [0]],
    ['a word that is nowhere', { text: 'submarine' }, [], []],
    ['hostile text', { text: '" OR t*' }, [], []],
  ];
  for (const [what, filter, ids, contexts] of filters) {
    test(`narrowed down to ${what}`, () => {
      const keys = fill();
      assert.deepEqual(tasks(filter), ids);
      assert.deepEqual(
        history.store.contexts(filter).map(context => keys.indexOf(context.key)),
        contexts,
      );
    });
  }

  test('a filter that fits much, and one that fits little, page alike', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 2600 }, (_, index) => is(`t${index}`, 'COMPLETED', said(`m${index}`, index % 100 === 7 ? 'rare boat' : 'boat'))),
    );
    for (let index = 0; index < 20; index++) history.record(key, [is(`t${index * 130}`, 'WORKING')], at + index);
    history.store.edits.pin(
      [
        { context: key, taskId: 't1307' },
        { context: key, taskId: 't4' },
      ],
      true,
    );
    for (const [filter, count] of [
      [{ text: 'boat' }, 2600],
      [{ text: 'rare' }, 26],
      [{}, 2600],
      [{ states: [state('WORKING')] }, 20],
    ] as const) {
      const seen: ListedTask[] = [];
      for (;;) {
        const page = history.store.listTasks({ ...filter, before: seen.at(-1), limit: 97 });
        seen.push(...page);
        if (page.length < 97) break;
      }
      assert.equal(seen.length, count);
      assert.equal(new Set(seen.map(task => task.taskId)).size, count);
      const order = seen.map(task => [task.pinned === true ? 1 : 0, task.updatedAt] as const);
      assert.deepEqual(
        order,
        order.toSorted(([one, when], [other, then]) => other - one || then - when),
      );
    }
  });

  test('names that are not indexed yet are found all the same', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 1500 }, (_, index) => is(`t${index}`, 'COMPLETED', said(`m${index}`, `boat ${index}`))),
    );
    assert.equal(history.store.listTasks({ text: '"boat 3"', limit: 200 }).length, 111);
  });

  test('pinned ones come first, over pages too', () => {
    const keys = fill();
    history.store.edits.pin([{ context: keys[0] }, { context: keys[0], taskId: 't0' }], true);
    assert.deepEqual(tasks(), ['t0', 't3', 't2', 't1']);
    const pages: string[] = [];
    for (let before; ; ) {
      const [context] = history.store.contexts({ before, limit: 1 });
      if (context === undefined) break;
      pages.push(context.key);
      before = context;
    }
    assert.deepEqual(pages, [keys[0], keys[2], keys[1]]);
    assert.equal(history.store.context(keys[0])?.pinned, true);
    history.store.edits.pin([{ context: keys[0] }], false);
    assert.deepEqual(
      history.store.contexts().map(context => context.key),
      [keys[2], keys[1], keys[0]],
    );
  });

  test("a title of one's own stays, is found, and goes back", () => {
    const [key] = fill();
    history.store.edits.rename({ context: key, taskId: 't0' }, ' My boat\0 ');
    history.store.edits.rename({ context: key }, 'All boats');
    history.record(key, [is('t0', 'COMPLETED', said('n', 'The agent says something else'))], at + 9);
    assert.deepEqual([history.store.task(key, 't0')?.title, history.store.context(key)?.title], ['My boat\0', 'All boats']);
    assert.deepEqual(tasks({ text: 'my boat' }), ['t0']);
    history.store.edits.rename({ context: key, taskId: 't0' }, '');
    assert.equal(history.store.task(key, 't0')?.title, 'Draw a sailboat');
    assert.deepEqual(tasks({ text: 'my boat' }), []);
  });

  test('a deleted task is nowhere, and comes back whole', () => {
    const [key] = fill();
    history.record(key, [artifact('t0', 'a', 'a picture of a boat')], at + 9);
    const before = [history.store.transcript.entries({ context: key }), history.store.taskDocument(key, 't0'), history.store.context(key)];
    history.store.edits.delete([{ context: key, taskId: 't0' }], at);
    history.reopen();
    assert.deepEqual(tasks(), ['t3', 't2', 't1']);
    assert.deepEqual(
      history.store.tasks({ context: key }).map(task => task.taskId),
      ['t1'],
    );
    assert.deepEqual(
      history.store.transcript.entries({ context: key }).map(entry => entry.taskId),
      ['t1'],
    );
    assert.deepEqual(
      [history.store.task(key, 't0'), history.store.taskDocument(key, 't0'), history.store.artifacts.ofTask(key, 't0')],
      [undefined, undefined, []],
    );
    assert.equal(history.store.contextOfTask('Ann', 't0'), undefined);
    assert.equal(history.store.context(key)?.tasks, 1);
    assert.deepEqual(history.store.search.find({ text: 'picture' }).hits, []);
    assert.deepEqual(history.store.record(key, [is('t0', 'WORKING')], { at, owner: 'me' }).disowned, ['t0']);
    history.store.edits.restore([{ context: key, taskId: 't0' }]);
    assert.deepEqual(
      [history.store.transcript.entries({ context: key }), history.store.taskDocument(key, 't0'), history.store.context(key)],
      before,
    );
    assert.equal(history.store.search.find({ text: 'picture' }).hits.length, 1);
  });

  test('a deleted context takes its tasks along and brings them back, but not those deleted before', () => {
    const [key] = fill();
    history.record(key, [is('t0', 'INPUT_REQUIRED')]);
    history.store.edits.delete([{ context: key, taskId: 't1' }], at);
    history.store.edits.delete([{ context: key }], at + 1);
    history.store.edits.delete([{ context: key }], at + 2);
    history.reopen();
    assert.equal(history.store.context(key), undefined);
    assert.equal(history.store.contextById('Ann', 'c-one'), undefined);
    assert.deepEqual([tasks(), history.store.waiting(), history.store.leases.unfinished('x', { at, all: true })], [['t3', 't2'], 0, []]);
    assert.throws(() => history.record(key, [is('t9', 'WORKING')]), { code: 'no-context' });
    history.store.edits.restore([{ context: key }]);
    assert.deepEqual(
      history.store.tasks({ context: key }).map(task => task.taskId),
      ['t0'],
    );
    assert.equal(history.store.waiting(), 1);
  });

  test('what was deleted long enough ago goes for good, in steps', () => {
    const [key, other] = fill();
    history.record(
      key,
      Array.from({ length: 130 }, (_, index) => is(`u${index}`, 'COMPLETED')),
    );
    history.store.putWire(other, { exchanges: [exchange('mine'), exchange('shared'), exchange('none')], frames: new Map() });
    history.store.record(other, [is('t2', 'WORKING')], { at, owner: 'me', exchangeId: 'mine' });
    history.store.record(other, [is('t2', 'COMPLETED'), is('v', 'WORKING')], { at, owner: 'me', exchangeId: 'shared' });
    history.store.edits.delete([{ context: key }, { context: other, taskId: 't2' }], at);
    assert.equal(history.store.edits.purge(at - 1), false);
    let steps = 0;
    while (history.store.edits.purge(at)) steps++;
    assert.ok(steps >= 3, `${steps}`);
    history.store.edits.restore([{ context: key }, { context: other, taskId: 't2' }]);
    assert.deepEqual(tasks(), ['t3', 'v']);
    assert.deepEqual(
      ['mine', 'shared', 'none'].map(id => history.store.exchange(id) !== undefined),
      [false, true, true],
    );
  });

  test("an agent's tasks go with its new name", () => {
    fill();
    history.store.identities.rename('Ann', 'Anna');
    assert.deepEqual(tasks({ agent: 'Anna' }), ['t2', 't1', 't0']);
    assert.deepEqual(history.store.agentNames(), ['Anna', 'Bob']);
    assert.deepEqual(
      history.store.listTasks({ limit: 2 }).map(task => task.agent),
      ['Bob', 'Anna'],
    );
  });

  test('what tests made is listed apart, and waits for nobody', () => {
    const [mine] = fill();
    const test = history.context('Ann', undefined, true);
    history.record(test, [is('test', 'INPUT_REQUIRED', said('mt', 'Which currency?'))], at + 9);
    assert.deepEqual(tasks({ agent: 'Ann', madeBy: ['test'] }), ['test']);
    assert.deepEqual(tasks({ agent: 'Ann', madeBy: ['person'] }), ['t2', 't1', 't0']);
    assert.deepEqual(tasks({ text: 'currency', madeBy: ['person', 'file', 'agent'] }), []);
    assert.deepEqual(tasks({ text: 'currency' }), ['test']);
    assert.deepEqual(
      history.store.contexts({ agent: 'Ann', madeBy: ['test'] }).map(({ key, madeBy }) => [key, madeBy]),
      [[test, 'test']],
    );
    assert.ok(history.store.contexts({ madeBy: ['person', 'file', 'agent'] }).every(({ madeBy }) => madeBy === 'person'));
    assert.deepEqual(history.store.contexts({ text: 'currency', madeBy: ['person', 'file', 'agent'] }), []);
    assert.equal(history.store.waiting(), 0);
    history.record(mine, [is('t1', 'INPUT_REQUIRED')], at + 10);
    assert.equal(history.store.waiting(), 1);
  });

  test('a context says the state of its newest task', () => {
    const key = history.context();
    assert.equal(history.store.context(key)?.newestState, undefined);
    history.record(key, [is('one', 'WORKING'), is('two', 'WORKING')]);
    history.record(key, [is('two', 'FAILED')], at + 1);
    history.record(key, [is('one', 'COMPLETED')], at + 2);
    assert.equal(history.store.context(key)?.newestState, 'TASK_STATE_FAILED');
    history.store.edits.delete([{ context: key, taskId: 'two' }], at + 3);
    assert.equal(history.store.context(key)?.newestState, 'TASK_STATE_COMPLETED');
  });

  test('no statement reads a whole table', () => {
    history.store.close();
    const database = new Database(history.path);
    const statements: string[] = [];
    const prepare = database.prepare.bind(database);
    database.prepare = <Row>(sql: string) => {
      statements.push(sql);
      return prepare<Row>(sql);
    };
    history.store = new TaskStore(database);
    const steps = statements.flatMap(sql =>
      sql.startsWith('PRAGMA')
        ? []
        : prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
            .all()
            .map(({ detail }) => `${detail} <- ${sql.replaceAll(/\s+/g, ' ')}`),
    );
    const bad = steps.filter(
      step => /^SCAN (?!CONSTANT)|AUTOMATIC|TEMP B-TREE FOR ORDER BY.*LIMIT/.test(step) && !allowed.some(known => known.test(step)),
    );
    assert.ok(statements.length > 60);
    assert.deepEqual(bad, []);
    assert.deepEqual(allowed.filter(known => !steps.some(step => known.test(step))).map(String), [], 'an exception that nothing needs');
  });
});

/** What may look through all there is, because that is little or because it happens once. */
const allowed: readonly RegExp[] = [
  /^SCAN \w+_words(_terms)? VIRTUAL TABLE INDEX/, // An index itself, asked for words.
  /^SCAN unindexed <- SELECT kind FROM unindexed LIMIT 1/,
  /^SCAN \(subquery-1\).*LIMIT \d+\)$/, // So many rows, which the line before seeks.
  /^SCAN tasks USING COVERING INDEX .*SELECT count/, // Once, before retention deletes anything.
  /^SCAN names/, // Agents found so far.
  /^SCAN e USING INDEX entries_sending/, // Messages on their way, of which the index has no others.
  /^SCAN newest <- SELECT EXISTS/, // The fifty that the line before seeks.
  /^SCAN (lists|finding|\(subquery-\d+\)).* <- SELECT EXISTS \(SELECT 1 FROM \(SELECT findings/, // The findings of at most 500 exchanges.
  /^SCAN checks <- DELETE FROM checks WHERE id <=/, // Of which some hundred are kept.
  /^SCAN (contexts|tasks) <- UPDATE \w+ SET agent/, // Once, when the person renames an agent.
  /^USE TEMP B-TREE.*task_id = \? AND deleted IS NULL\) ORDER BY updated/, // Contexts that have a task of one id.
  /^USE TEMP B-TREE.*t\.task_id = \? AND t\.agent = \? ORDER BY/, // The agent's tasks of one id.
  /^USE TEMP B-TREE.*t\.context = \? AND t\.state IN \('TASK_STATE_INPUT/, // Tasks of one context that wait.
];

const exchange = (id: string) => ({
  id,
  operation: 'GetTask',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
  startedAt: at,
  findings: [],
});

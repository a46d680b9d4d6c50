import * as assert from 'node:assert/strict';
import { at, exchangeOf, History, is, said } from './support/history.ts';

suite('runs of conformance in the history', () => {
  const history = History.ofEachTest();
  const run = (index: number) => ({ at: at + index, failed: index % 3, warned: 1, whole: index % 2 });

  test('the last twenty of each agent are kept, with their reports', () => {
    const { checks } = history.store;
    for (let index = 0; index < 25; index++) checks.add('Ann', run(index), { format: 1, index, text: 'x\u0000\ud800é'.repeat(100) });
    checks.add('Bob', run(1), { format: 1, index: 99 });
    const runs = checks.of('Ann');
    assert.deepEqual(
      runs.map(each => each.at - at),
      Array.from({ length: 20 }, (_, index) => 24 - index),
    );
    assert.deepEqual({ ...runs[0], id: 0 }, { id: 0, ...run(24) });
    assert.deepEqual(checks.report('Ann', runs[0]!.id), { format: 1, index: 24, text: 'x\u0000\ud800é'.repeat(100) });
    assert.equal(checks.of('Bob').length, 1);
    // Of another agent, and of one that is not kept any more.
    assert.equal(checks.report('Bob', runs[0]!.id), undefined);
    assert.equal(checks.report('Ann', 1), undefined);
  });

  test('they go with the agent to its new name, and stay over a restart', () => {
    history.store.checks.add('Ann', run(2), { format: 1 });
    history.store.identities.rename('Ann', 'Cecily');
    history.reopen();
    assert.deepEqual(history.store.checks.of('Ann'), []);
    assert.equal(history.store.checks.of('Cecily')[0]?.failed, 2);
  });

  test('whether traffic with an agent deviates is known without its contexts', () => {
    const { store } = history;
    const key = history.context('Ann', 'c-one');
    assert.equal(store.deviates('Ann'), false);
    history.record(key, [is('t-1', 'COMPLETED', said('m-1', 'Hi'))], at);
    assert.equal(store.deviates('Ann'), false);
    const finding = { rule: 'DATA-04', pointer: '/x', message: 'm' } as const;
    const put = (id: string, more: object): void =>
      void store.putWire(key, { exchanges: [exchangeOf(id, { findings: [{ ...finding, ...more }] })], frames: new Map() });
    // No agent is wrong where the official texts disagree, and its tooltip has nothing to name.
    put('e-1', { disputed: true });
    assert.equal(store.deviates('Ann'), false);
    put('e-2', {});
    assert.equal(store.deviates('Ann'), true);
    assert.equal(store.deviates('Bob'), false);
  });
});

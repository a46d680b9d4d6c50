import * as assert from 'node:assert/strict';
import { intersection, periods, rangeOf, startOf } from '../../../src/workbench/agentsView/periods.ts';

suite('periods', () => {
  const now = new Date(2026, 2, 30, 15, 20).getTime();
  const local = (month: number, date: number): number => new Date(2026, month, date).getTime();

  test('begin at midnight of the local clock, also over a change of the clock', () => {
    assert.deepEqual(
      periods.map(period => rangeOf(period, now).since),
      [local(2, 30), local(2, 29), local(2, 24), local(2, 1), undefined],
    );
    assert.equal(startOf('week', now), local(2, 24));
  });

  test('follow upon each other: each moment is in exactly one', () => {
    const inside = (at: number): string[] =>
      periods.filter(period => {
        const { since = -Infinity, until = Infinity } = rangeOf(period, now);
        return at >= since && at < until;
      });
    for (let hours = 0; hours < 24 * 40; hours++) assert.equal(inside(now - hours * 3_600_000).length, 1, `${hours} hours ago`);
    assert.deepEqual([now, local(2, 30) - 1, local(2, 24), local(2, 24) - 1, local(2, 1) - 1].map(inside), [
      ['today'],
      ['yesterday'],
      ['week'],
      ['month'],
      ['older'],
    ]);
  });

  const ranges: readonly (readonly [
    one: Parameters<typeof intersection>[0],
    other: Parameters<typeof intersection>[1],
    expected: ReturnType<typeof intersection>,
  ])[] = [
    [{}, {}, {}],
    [{ since: 1 }, { since: 2 }, { since: 2 }],
    [{ since: 1, until: 9 }, { until: 5 }, { since: 1, until: 5 }],
    [{ until: 5 }, { since: 5 }, undefined],
  ];
  for (const [one, other, expected] of ranges) {
    test(`${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => assert.deepEqual(intersection(one, other), expected));
  }
});

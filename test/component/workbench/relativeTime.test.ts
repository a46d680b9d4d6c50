import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { checkedText, relativeTime } = await import('../../../src/workbench/platform/relativeTime.ts');

test('a time is told in the largest unit that fits, and by its date after thirty days', () => {
  const day = 86_400_000;
  const ago = (ms: number): string => relativeTime(1_000 * day - ms, 1_000 * day);
  assert.deepEqual([ago(0), ago(59_999), ago(60_000), ago(3_599_999)], ['now', 'now', '1m ago', '59m ago']);
  assert.deepEqual([ago(3_600_000), ago(day), ago(30 * day)], ['1h ago', 'yesterday', '30d ago']);
  assert.match(ago(31 * day), /^\d+\/\d+\/1972$/);
});

test('a time in the future is shown as it is, unless clocks may differ by that', () => {
  const now = Date.UTC(2026, 0, 2, 12);
  assert.equal(relativeTime(now + 60_000, now), 'now');
  assert.match(relativeTime(now + 61_000, now), /^1\/2\/26, \d+:\d\d/);
  assert.match(relativeTime(now + 40 * 86_400_000, now), /^2\/11\/26, \d+:\d\d/);
});

test('an age in Chinese has a space after its number', () => {
  const restore = inPlaceOf('env', { language: 'zh-cn' });
  try {
    assert.deepEqual([relativeTime(0, 300_000), relativeTime(0, 3 * 86_400_000)], ['5 分钟前', '3 天前']);
  } finally {
    restore();
  }
});

test('when an agent was last reachable is told after two minutes, while it is', () => {
  const checked = (ago: number, reachability: 'reachable' | 'unreachable' = 'reachable'): string =>
    checkedText({ reachability, standing: { reachableAt: 1_000_000 - ago } }, 1_000_000);
  assert.deepEqual([checked(119_999), checked(120_000), checked(120_000, 'unreachable')], ['', 'checked 2m ago', '']);
  assert.equal(checkedText({ reachability: 'reachable', standing: {} }), '');
});

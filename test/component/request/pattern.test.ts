import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { matches } from '../../../src/request/expect/pattern.ts';

suite('search of an expectation', () => {
  const slow = (): boolean => matches('^(a+)+$', `${'a'.repeat(40)}!`);
  teardown(() => mock.restoreAll());

  test('one that took its time is slow, and not begun again', () => {
    const usage = mock.method(process, 'cpuUsage', (before?: NodeJS.CpuUsage) => ({ user: before === undefined ? 0 : 250_000, system: 0 }));
    assert.throws(slow, { code: 'slow-pattern' });
    assert.equal(usage.mock.callCount(), 2);
  });

  test('one that a busy machine did not let run is begun again, a few times', () => {
    const usage = mock.method(process, 'cpuUsage', () => ({ user: 1_000, system: 0 }));
    assert.throws(slow, { code: 'slow-pattern' });
    // Two looks at each of four attempts.
    assert.equal(usage.mock.callCount(), 8);
  });
});

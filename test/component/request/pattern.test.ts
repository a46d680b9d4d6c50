import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { matches } from '../../../src/request/expect/pattern.ts';
import { checkExpectations } from '../../../src/request/expect/expectations.ts';

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

  test('many slow searches for one answer are given up together', () => {
    // A clock on which each search takes 6 ms: real ones may take as long as a busy machine likes.
    let now = 0;
    mock.method(performance, 'now', () => (now += 6));
    const many = <T>(make: (index: number) => T): T[] => Array.from({ length: 400 }, (_, index) => make(index));
    const wanted = { paths: Object.fromEntries(many(index => [`message.parts[${index}].text`, { not: { matches: '^(a|a)+$' } }])) };
    const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: many(() => ({ text: 'aab' })) };
    const request = { members: new Map(), nameRange: { offset: 0, length: 0 } };
    const results = checkExpectations(request, wanted, { message, startedAt: 0, endedAt: 0 });
    assert.deepEqual(
      results.map(({ ok, message: { template, args } }) => [ok, template, args[1]]),
      // That is the time of all together and not the 250 ms that one may take.
      [[false, 'The search for /{0}/ was stopped after {1} ms.', 2_000]],
    );
  });
});

import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { readTimestamp } from '../../../src/protocol/versions/shared/timestamp.ts';

suite('timestamps', () => {
  function noted(value: unknown, zoned = true): readonly [string | undefined, ...string[]] {
    const notes: string[] = [];
    const read = readTimestamp(value, '/timestamp', (rule, _pointer, what) => notes.push(`${rule} ${english(what)}`), zoned);
    return [read, ...notes];
  }

  test('a time of another zone is read as it is, and noted where the version wants UTC', () => {
    const there = '2026-01-02T03:04:05.678+05:30';
    assert.deepEqual(noted(there), [there, `DATA-04 The timestamp "${there}" is not in UTC.`]);
    assert.deepEqual(noted(there, false), [there]);
  });

  test('UTC may be written as an offset of nothing', () => {
    for (const utc of ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05-0000'])
      assert.deepEqual(noted(utc), [utc]);
  });

  test('a day that its month does not have is no time, and is read as it is', () => {
    for (const day of ['2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']) {
      const value = `${day}T10:00:00.000Z`;
      assert.deepEqual(noted(value), [value, `DATA-04 "${value}" is not an ISO 8601 timestamp.`]);
    }
    for (const day of ['2024-02-29', '2024-12-31', '0001-01-01', '1999-12-31'])
      assert.deepEqual(noted(`${day}T10:00:00.000Z`), [`${day}T10:00:00.000Z`]);
  });

  test('a time without a zone counts as UTC', () => {
    const bare = '2026-01-02T03:04:05';
    assert.deepEqual(noted(bare), [`${bare}Z`, `DATA-04 The timestamp "${bare}" has no time zone; UTC is assumed.`]);
    assert.deepEqual(noted(bare, false), [`${bare}Z`]);
  });

  test('in the future is noted, and read as it is; clocks may differ by a minute', () => {
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const [soon, tomorrow] = [at(30_000), at(86_400_000)];
    assert.deepEqual(noted(soon), [soon]);
    assert.deepEqual(noted(tomorrow), [tomorrow, `DATA-09 The timestamp "${tomorrow}" is in the future by this machine's clock.`]);
  });
});

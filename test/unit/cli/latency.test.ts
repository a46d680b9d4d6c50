import * as assert from 'node:assert/strict';
import { percentiles } from '../../../src/cli/run/reporters/latency.ts';

suite('percentiles of latencies', () => {
  test('by nearest rank, whatever the order', () => {
    const times = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual(percentiles(times), { count: 100, p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
    assert.deepEqual(percentiles([3, 1, 2]), { count: 3, p50: 2, p90: 3, p95: 3, p99: 3, max: 3 });
    assert.deepEqual(percentiles([7.126]), { count: 1, p50: 7.13, p90: 7.13, p95: 7.13, p99: 7.13, max: 7.13 });
  });

  test('none of nothing', () => assert.equal(percentiles([]), undefined));
});

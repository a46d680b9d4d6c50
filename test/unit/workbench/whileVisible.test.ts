import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { VisibleInterval } from '../../../src/workbench/platform/visibleInterval.ts';

suite('what goes on while it is visible', () => {
  setup(() => mock.timers.enable({ apis: ['setTimeout'] }));
  teardown(() => mock.timers.reset());

  test('one call a pause, none while nobody looks, one when it comes into sight again', () => {
    let calls = 0;
    const ticking = new VisibleInterval(
      () => {
        calls++;
      },
      () => 60_000,
    );
    mock.timers.tick(600_000);
    assert.equal(calls, 0);
    ticking.visible = true;
    assert.equal(calls, 0);
    mock.timers.tick(60_000);
    mock.timers.tick(60_000);
    assert.equal(calls, 2);
    ticking.visible = false;
    mock.timers.tick(600_000);
    assert.equal(calls, 2);
    ticking.visible = true;
    assert.equal(calls, 3);
    ticking.dispose();
    mock.timers.tick(600_000);
    assert.equal(calls, 3);
  });

  test('a pause that became shorter counts at once', () => {
    let calls = 0;
    let pause = 60_000;
    const ticking = new VisibleInterval(
      () => {
        calls++;
      },
      () => pause,
    );
    ticking.visible = true;
    pause = 1_000;
    ticking.restart();
    mock.timers.tick(1_000);
    assert.equal(calls, 1);
    ticking.dispose();
  });
});

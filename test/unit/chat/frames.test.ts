import assert from 'node:assert/strict';
import { type Schedule, pacedFrames } from '../../../src/chat/transcript/frames.ts';

/** A page whose clock stands until it is moved. */
class FakePage {
  now = 10_000;
  hidden = false;
  readonly frames: (() => void)[] = [];
  readonly timers: { readonly at: number; readonly run: () => void }[] = [];
  readonly #before = {
    document: globalThis.document,
    requestAnimationFrame: globalThis.requestAnimationFrame,
    setTimeout: globalThis.setTimeout,
    now: performance.now,
  };

  constructor() {
    const page = this;
    Object.assign(globalThis, {
      document: {
        get hidden() {
          return page.hidden;
        },
      },
      requestAnimationFrame: (run: () => void) => this.frames.push(run),
      setTimeout: (run: () => void, ms = 0) => this.timers.push({ at: this.now + ms, run }),
    });
    performance.now = () => this.now;
  }

  pass(ms: number): void {
    this.now += ms;
    for (
      let index = this.timers.findIndex(({ at }) => at <= this.now);
      index !== -1;
      index = this.timers.findIndex(({ at }) => at <= this.now)
    )
      this.timers.splice(index, 1)[0]?.run();
  }

  /** A drawing of so many milliseconds in the next frame; says whether there was one. */
  draw(schedule: Schedule, ms: number, took?: (ms: number) => void): boolean {
    schedule(() => {
      this.now += ms;
    }, took);
    const frame = this.frames.shift();
    frame?.();
    if (frame !== undefined) this.pass(0);
    return frame !== undefined;
  }

  restore(): void {
    const { now, ...globals } = this.#before;
    Object.assign(globalThis, globals);
    performance.now = now;
  }
}

suite('chat: frames', () => {
  let page: FakePage;
  setup(() => {
    page = new FakePage();
  });
  teardown(() => page.restore());

  test('what is short is drawn frame after frame, and told', () => {
    const schedule = pacedFrames();
    const told: number[] = [];
    for (let round = 0; round < 5; round++) assert.ok(page.draw(schedule, 20, ms => told.push(ms)));
    assert.deepEqual(told, [20, 20, 20, 20, 20]);
  });

  test('a long drawing after a rest goes on at once, one after another leaves half of the time', () => {
    const schedule = pacedFrames();
    assert.ok(page.draw(schedule, 80));
    assert.ok(page.draw(schedule, 80));
    for (let round = 0; round < 4; round++) {
      assert.ok(!page.draw(schedule, 80), 'it rests');
      page.pass(79);
      assert.equal(page.frames.length, 0);
      page.pass(1);
      page.frames.shift()?.();
      page.pass(0);
    }
  });

  test('the rest is never longer than a quarter of a second', () => {
    const schedule = pacedFrames();
    page.draw(schedule, 2000);
    page.draw(schedule, 2000);
    assert.ok(!page.draw(schedule, 1));
    page.pass(250);
    assert.equal(page.frames.length, 1);
  });

  test('a page that is not drawn goes on without frames', () => {
    page.hidden = true;
    let ran = false;
    pacedFrames()(() => {
      ran = true;
    });
    assert.equal(page.frames.length, 0);
    page.pass(250);
    assert.ok(ran);
  });
});

import * as assert from 'node:assert/strict';
import { pacedFrames } from '../../../src/chat/frames.ts';

/** A page whose time goes on when the test says so. */
class Page {
  readonly frames: (() => void)[] = [];
  readonly timers: (() => void)[] = [];
  readonly drawn: string[] = [];
  readonly pace: (run: () => void) => void;
  clock = 0;
  readonly #before = ['document', 'requestAnimationFrame', 'setTimeout', 'performance'].map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

  constructor() {
    const put = (name: string, value: unknown): void => { Object.defineProperty(globalThis, name, { value, configurable: true, writable: true }); };
    put('document', { hidden: false });
    put('requestAnimationFrame', (run: () => void) => this.frames.push(run));
    put('setTimeout', (run: () => void) => this.timers.push(run));
    put('performance', { now: () => this.clock });
    this.pace = pacedFrames();
  }

  /** Asks for a drawing that takes so long. */
  draw(name: string, took = 0): void {
    this.pace(() => {
      this.drawn.push(name);
      this.clock += took;
    });
  }

  /** Runs what waits for a frame and after it for a timer. */
  frame(): void {
    for (const waiting of [this.frames, this.timers]) for (const run of waiting.splice(0)) run();
  }

  close(): void {
    for (const [name, descriptor] of this.#before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

suite('chat: paced frames', () => {
  let page: Page;
  setup(() => { page = new Page(); });
  teardown(() => page.close());

  test('the first after a while is drawn at once, the next with the frame', () => {
    page.draw('first');
    assert.deepEqual(page.drawn, ['first']);
    page.clock += 5;
    page.draw('second');
    assert.deepEqual(page.drawn, ['first']);
    page.frame();
    assert.deepEqual(page.drawn, ['first', 'second']);
    page.clock += 40;
    page.draw('third');
    assert.deepEqual(page.drawn, ['first', 'second', 'third']);
  });

  test('after one that took long the page rests as long, at once or not', () => {
    page.draw('long', 100);
    page.frame();
    page.clock += 60;
    page.draw('next');
    assert.deepEqual([page.drawn, page.frames.length, page.timers.length], [['long'], 0, 1], 'it waits for the rest of the rest');
    page.frame();
    page.clock += 40;
    page.frame();
    assert.deepEqual(page.drawn, ['long', 'next']);
  });
});

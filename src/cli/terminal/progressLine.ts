/** From the beginning of the line, and nothing behind it. */
const clear = '\r\u001b[K';

/** Shortest wait that is told, in milliseconds. */
const firstMs = 2_000;

/**
 * A line on standard error that says what is waited for and how long that has taken, written over itself each second. Only where standard error is
 * a terminal that can clear a line; whoever prints anything else clears it first.
 */
export class ProgressLine {
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #held = false;

  /** @param words what is waited for, such as the state of a task. */
  start(words: () => string): void {
    if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return;
    const begun = performance.now();
    this.#timer = setInterval(() => {
      const ms = performance.now() - begun;
      if (this.#held || ms < firstMs) return;
      process.stderr.write(`${clear}${words()} … ${Math.round(ms / 1000)} s`);
      this.#isShown = true;
    }, 1_000).unref();
  }

  /** The terminal stands in the middle of a line of something else. */
  hold(isHeld: boolean): void {
    this.#held = isHeld;
  }

  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    process.stderr.write(clear);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }
}

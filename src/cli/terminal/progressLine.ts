/** Moves to the start of the line and clears it. */
const clear = '\r\u001b[K';

/** Waits shorter than this are not shown, in milliseconds. */
const firstMs = 2_000;

/**
 * A line on standard error with what is awaited and for how long, rewritten each second. Only where standard error is a terminal that can
 * clear a line; other output clears it first.
 */
export class ProgressLine {
  readonly #host: Pick<NodeJS.Process, 'stderr' | 'env'>;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #held = false;

  constructor(host: Pick<NodeJS.Process, 'stderr' | 'env'>) {
    this.#host = host;
  }

  /** @param words what is awaited, such as the state of a task */
  start(words: () => string): void {
    const { stderr, env } = this.#host;
    if (!stderr.isTTY || env['TERM'] === 'dumb') return;
    const begun = performance.now();
    this.#timer = setInterval(() => {
      const ms = performance.now() - begun;
      if (this.#held || ms < firstMs) return;
      stderr.write(`${clear}${words()} … ${Math.round(ms / 1000)} s`);
      this.#isShown = true;
    }, 1_000).unref();
  }

  /** The terminal is in the middle of a line of other output. */
  hold(isHeld: boolean): void {
    this.#held = isHeld;
  }

  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#host.stderr.write(clear);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }
}

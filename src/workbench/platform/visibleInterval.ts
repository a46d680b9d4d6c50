/** Calls a function repeatedly while something is visible, and at once when it becomes visible again. */
export class VisibleInterval {
  readonly #tick: () => void;
  /** Milliseconds to the next call; read before each. */
  readonly #pause: () => number;
  #timer: NodeJS.Timeout | undefined;
  #seen = false;

  constructor(tick: () => void, pause: () => number) {
    this.#tick = tick;
    this.#pause = pause;
  }

  set visible(visible: boolean) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!visible) return;
    if (this.#seen) this.#tick();
    this.#seen = true;
    this.#later();
  }

  /** Restarts the timer, for when the pause has changed. */
  restart(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#later();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#tick();
      this.#later();
    }, this.#pause());
  }
}

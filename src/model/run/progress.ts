/** Lets callers wait for a condition on something that changes step by step. */
export class Progress {
  #next = Promise.withResolvers<void>();

  /** Something changed: waiting callers check their condition again. */
  advance(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Resolves when the condition holds, or after so many milliseconds. */
  async until(isSo: () => boolean, longest: number): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#next.resolve();
    }, longest);
    while (!isSo() && !late) await this.#next.promise;
    clearTimeout(timer);
  }
}

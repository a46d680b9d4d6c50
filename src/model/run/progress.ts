/** What changes step by step, for those who wait until it is as they want it. */
export class Progress {
  #next = Promise.withResolvers<void>();

  /** Something happened: whoever waits looks again. */
  advance(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Resolves when it is so, or after so many milliseconds. */
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

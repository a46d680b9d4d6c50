import { format } from 'node:util';

const methods = ['error', 'warn'] as const;

/** Keeps what is said on the console, to be printed when something went wrong. */
export class Muted {
  readonly #lines: string[] = [];
  readonly #original = { error: console.error, warn: console.warn };

  start(): void {
    for (const method of methods) console[method] = (...args: unknown[]) => void this.#lines.push(format(...args));
  }

  stop(): void {
    Object.assign(console, this.#original);
  }

  forget(): void {
    this.#lines.length = 0;
  }

  print(): void {
    for (const line of this.#lines.splice(0)) this.#original.error(line);
  }
}

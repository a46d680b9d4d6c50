import { closeSync, fdatasync, writeSync } from 'node:fs';

/** A file of texts that is being written, to its end only. */
export class OpenTextFile {
  /** Its row's. */
  readonly id: number;
  readonly #handle: number;
  #end = 0;
  #unsettled = false;
  #settling = false;
  #closed = false;

  /** `handle`: of a new file, opened to append. */
  constructor(id: number, handle: number) {
    this.id = id;
    this.#handle = handle;
  }

  /** Returns where the bytes begin. Throws what the system says; the file is of no use then. */
  append(bytes: Uint8Array): number {
    const start = this.#end;
    for (let written = 0; written < bytes.byteLength;) written += writeSync(this.#handle, bytes, written);
    this.#end += bytes.byteLength;
    this.#unsettled = true;
    return start;
  }

  /** Has the disk take what was written, while other work goes on. */
  settle(): void {
    if (!this.#unsettled || this.#settling || this.#closed) return;
    this.#unsettled = false;
    this.#settling = true;
    // A disk that fails is told of by SQLite, which writes on the same one.
    fdatasync(this.#handle, () => {
      this.#settling = false;
      if (this.#closed) closeSync(this.#handle);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // A number that is given to another file meanwhile must not be settled in its place.
    if (!this.#settling) closeSync(this.#handle);
  }
}

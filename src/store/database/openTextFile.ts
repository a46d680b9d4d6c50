import { closeSync, fdatasync, writeSync } from 'node:fs';

/** A file of texts that is being written; only its end grows. */
export class OpenTextFile {
  /** The id of its row. */
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

  /** Returns the offset at which the bytes begin. Throws the system's error; the file cannot be used then. */
  append(bytes: Uint8Array): number {
    const start = this.#end;
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(this.#handle, bytes, written);
    this.#end += bytes.byteLength;
    this.#unsettled = true;
    return start;
  }

  /** Flushes what was written to the disk while other work goes on. */
  settle(): void {
    if (!this.#unsettled || this.#settling || this.#closed) return;
    this.#unsettled = false;
    this.#settling = true;
    // SQLite reports a failing disk, since it writes to the same one.
    fdatasync(this.#handle, () => {
      this.#settling = false;
      if (this.#closed) closeSync(this.#handle);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The number of the handle may be given to another file meanwhile, which must not be flushed instead.
    if (!this.#settling) closeSync(this.#handle);
  }
}

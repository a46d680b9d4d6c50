import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** The first bytes of every database file (https://www.sqlite.org/fileformat2.html#the_database_header). */
const magic = 'SQLite format 3\0';
const headerLength = 100;
/** Offsets in the header of the page size (1 stands for 65536) and of the number of pages. */
const pageSizeAt = 16;
const pageCountAt = 28;
/**
 * Offsets in the write-ahead log's index, in the byte order of the machine, of the page size and of the log's last frame
 * (https://www.sqlite.org/walformat.html).
 */
const indexLength = 48;
const indexPageSizeAt = 14;
const lastFrameAt = 16;
const walHeader = 32;
const frameHeader = 24;
/** Two numbers that the log's header and each of its frames have in common: where they are in the header, and in a frame. */
const saltsAt = 16;
const frameSaltsAt = 8;
const saltsLength = 8;
/** A file that another process is writing may look cut for a moment: it counts as cut when so many checks in a row find it cut. */
const looks = 2;

/** The files of an open history: checks whether they are still in place, and whole. A history in memory has none, and always counts as whole. */
export class HistoryFile {
  readonly #path: string;
  readonly #own: Stats | undefined;
  readonly #handles = new Map<string, OpenFile>();
  #log: Stats | undefined;
  #cut = 0;

  constructor(path: string) {
    this.#path = path;
    this.#own = path === ':memory:' ? undefined : statSync(path, { throwIfNoEntry: false });
  }

  /** Call this only after the connection to the history is closed: see `OpenFile`. */
  close(): void {
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  /** True if the file at the history's path is the one that was opened. Takes a few microseconds. */
  get isThere(): boolean {
    return this.#own === undefined || isSame(this.#own, statOf(this.#path));
  }

  /** Checks the contents, too: false if the files are gone, replaced, or shorter than their headers say. Takes some tens of microseconds. */
  look(): boolean {
    if (this.#own === undefined) return true;
    if (!this.isThere) return false;
    const log = statOf(`${this.#path}-wal`);
    if (this.#log !== undefined && !isSame(this.#log, log)) return false;
    this.#log = log;
    this.#cut = this.#isWhole() && this.#isLogWhole(log?.size) ? 0 : this.#cut + 1;
    return this.#cut < looks;
  }

  #isWhole(): boolean {
    const header = this.#beginningOf('', headerLength);
    if (header === undefined || header.length < headerLength || header.toString('latin1', 0, magic.length) !== magic) return false;
    const size = header.readUInt16BE(pageSizeAt);
    return header.readUInt32BE(pageCountAt) * (size === 1 ? 65_536 : size) <= (statOf(this.#path)?.size ?? 0);
  }

  /**
   * A log that was deleted before the first check is noticed by its index, which still counts frames. One that was emptied and written to
   * since is long again, with a hole of zeros where it began. A hole farther behind is not noticed here.
   */
  #isLogWhole(length: number | undefined): boolean {
    const index = this.#beginningOf('-shm', indexLength);
    if (index === undefined || index.length < indexLength) return length === undefined;
    const { 0: size = 0 } = new Uint16Array(index.buffer.slice(index.byteOffset + indexPageSizeAt, index.byteOffset + indexPageSizeAt + 2));
    const { 0: frames = 0 } = new Uint32Array(index.buffer.slice(index.byteOffset + lastFrameAt, index.byteOffset + lastFrameAt + 4));
    if (frames === 0) return true;
    return (length ?? 0) >= walHeader + frames * (frameHeader + (size === 1 ? 65_536 : size)) && this.#beginsLog();
  }

  #beginsLog(): boolean {
    const log = this.#beginningOf('-wal', walHeader + frameHeader);
    if (log === undefined || log.length < walHeader + frameHeader) return false;
    const first = log.subarray(walHeader + frameSaltsAt, walHeader + frameSaltsAt + saltsLength);
    const salts = log.subarray(saltsAt, saltsAt + saltsLength);
    return salts.equals(first) && salts.some(byte => byte !== 0);
  }

  /** The first bytes of the file with that ending, as it is now; undefined if it cannot be read. */
  #beginningOf(ending: string, length: number): Buffer | undefined {
    const path = this.#path + ending;
    const there = statOf(path);
    if (there === undefined) return undefined;
    try {
      const known = this.#handles.get(ending);
      const handle = known?.is(there) === true ? known : OpenFile.at(path);
      if (handle !== known) {
        known?.close();
        this.#handles.set(ending, handle);
      }
      return handle.beginning(length);
    } catch {
      return undefined;
    }
  }
}

/**
 * A file of a history that is kept open. Closing any handle of a file releases all locks that the process has on it, including those of SQLite
 * (https://www.sqlite.org/howtocorrupt.html §2.2): the next program that closes the history would then believe to be its last user, and delete
 * the log. So a process has one handle for each file, and closes it with the last connection.
 */
class OpenFile {
  static readonly #open = new Map<string, OpenFile>();
  readonly #key: string;
  readonly #handle: number;
  #users = 0;

  private constructor(key: string, handle: number) {
    this.#key = key;
    this.#handle = handle;
  }

  /** Throws the file system's error. */
  static at(path: string): OpenFile {
    const key = keyOf(statSync(path));
    let file = OpenFile.#open.get(key);
    if (file === undefined) {
      const handle = openSync(path, 'r');
      // The path may lead to another file by now, so the key is that of the open one.
      file = new OpenFile(keyOf(fstatSync(handle)), handle);
      OpenFile.#open.set(file.#key, file);
    }
    file.#users++;
    return file;
  }

  is(stats: Stats): boolean {
    return keyOf(stats) === this.#key;
  }

  beginning(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.#handle, bytes, 0, length, 0));
  }

  close(): void {
    if (--this.#users > 0) return;
    OpenFile.#open.delete(this.#key);
    closeSync(this.#handle);
  }
}

const keyOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

const isSame = (one: Stats, other: Stats | undefined): boolean => other !== undefined && one.ino === other.ino && one.dev === other.dev;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder of the path is missing, is not a folder, or may not be entered.
    return undefined;
  }
}

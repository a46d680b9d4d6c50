import { accessSync, constants, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseExactly, writeExactly } from '../protocol/json/exactJson.ts';
import { isObject } from '../protocol/json.ts';
import { Problem, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import type { SecretValues } from '../protocol/secrets/secretValues.ts';
import { utf8Text } from '../request/text/utf8Text.ts';
import { leadsOut } from '../request/values/sandboxedFiles.ts';
import { requireBounded } from '../request/values/wholeFile.ts';
import { writeAtOnce } from './writtenFile.ts';

interface SnapshotFileOptions {
  /** Folder outside of which nothing is read or written. */
  readonly root: string;
  /** Answers that become snapshots: those without one (`new`), also those that differ from theirs (`all`), or `none`. */
  readonly writes: 'new' | 'all' | 'none';
  /** Masked in every snapshot. */
  readonly secrets: Pick<SecretValues, 'maskIn' | 'spansIn'>;
}

/**
 * The snapshots of a request file by name: one JSON file in `__snapshots__` beside it. It is read again when it has changed, and written at
 * once, so that an interrupted run keeps what it wrote. Neither it nor its folder may be a link. All methods throw a `Problem`.
 */
export class SnapshotFile {
  /** The path for people. */
  readonly shown: string;
  readonly options: SnapshotFileOptions;
  readonly #path: string;
  readonly #asked = new Set<string>();
  #read: { readonly stamp: string; readonly values: ReadonlyMap<string, unknown> } | undefined;

  /** @param requestFile whole path of the request file */
  constructor(requestFile: string, options: SnapshotFileOptions) {
    this.options = options;
    this.#path = join(dirname(requestFile), '__snapshots__', `${basename(requestFile)}.snap.json`);
    this.shown = relative(options.root, this.#path).replaceAll('\\', '/');
  }

  /** Undefined where there is none. The request counts as asking for it, even where its answer failed. */
  get(name: string): unknown {
    this.#asked.add(name);
    return this.#values().get(name);
  }

  set(name: string, value: unknown): void {
    this.#write(new Map(this.#values()).set(name, value));
  }

  /** Names that were not asked for, but for those of requests that asked for none: they were not sent. @param requests that expect a snapshot */
  obsolete(requests: readonly string[]): readonly string[] {
    const rest = [...this.#values().keys()].filter(name => !this.#asked.has(name));
    if (rest.length === 0) return [];
    const isOf = (request: string, name: string): boolean => name === request || name.startsWith(`${request} [`);
    const unsent = requests.filter(request => ![...this.#asked].some(name => isOf(request, name)));
    return rest.filter(name => !unsent.some(request => isOf(request, name)));
  }

  remove(names: readonly string[]): void {
    this.#write(new Map([...this.#values()].filter(([name]) => !names.includes(name))));
  }

  #values(): ReadonlyMap<string, unknown> {
    return this.#try(
      why => sentence('The snapshots in {0} cannot be read: {1}', this.shown, why),
      () => {
        this.#refuseLinks();
        const stat = lstatSync(this.#path, { throwIfNoEntry: false });
        if (stat === undefined) return new Map();
        // A pipe would never be read to its end.
        if (!stat.isFile()) throw new Error('It is not a file.');
        const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
        if (this.#read?.stamp === stamp) return this.#read.values;
        requireBounded(stat.size, this.shown);
        const value = parseExactly(utf8Text(this.shown, readFileSync(this.#path)));
        if (!isObject(value)) throw new SyntaxError('It is not a JSON object.');
        const values = new Map(Object.entries(value));
        this.#read = { stamp, values };
        return values;
      },
    );
  }

  /** In the order of their names, whichever request ends first. */
  #write(values: ReadonlyMap<string, unknown>): void {
    this.#try(
      why => sentence('The snapshots in {0} cannot be written: {1}', this.shown, why),
      () => {
        const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
        const text = `${writeExactly(Object.fromEntries(sorted))}\n`;
        requireBounded(Buffer.byteLength(text), this.shown);
        mkdirSync(dirname(this.#path), { recursive: true });
        this.#refuseLinks();
        if (lstatSync(this.#path, { throwIfNoEntry: false }) !== undefined) accessSync(this.#path, constants.W_OK);
        if (values.size === 0) rmSync(this.#path);
        else writeAtOnce(this.#path, text);
      },
    );
  }

  #refuseLinks(): void {
    const { root } = this.options;
    const folder = dirname(this.#path);
    const link = [folder, this.#path].find(path => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true);
    if (link === undefined && !leadsOut(realpathSync(root), realpathSync(dirname(folder)))) return;
    throw new Problem('file-outside', sentence('{0} is a link or behind one, so no snapshot is read or written there.', this.shown), {
      nextStep: sentence('Put a folder in the place of the link.'),
    });
  }

  #try<T>(failed: (why: string) => LocalizedMessage, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw cause instanceof Problem ? cause : new Problem('snapshots', failed((cause as Error).message), { cause });
    }
  }
}

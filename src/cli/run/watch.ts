import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { excerpt } from '../terminal/excerpt.ts';
import { oneLine } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FileError, UsageError } from '../terminal/usage.ts';

/** Interval of polling files, in milliseconds. Polling works on every file system, whichever way an editor saves. */
const everyMs = 300;

/** Clears the screen and what was scrolled out of it, and begins at its top. */
const clear = '\u001b[2J\u001b[3J\u001b[H';

/** The files that a run has read or looked for, as they were then. */
export class WatchedFiles {
  readonly #known = new Map<string, string>();

  /** To be called before a file is read; also for one that is not there. */
  see(path: string): void {
    if (!this.#known.has(path)) this.#known.set(path, stampOf(path));
  }

  /** The paths of files that have changed since they were read. */
  get changed(): readonly string[] {
    return [...this.#known].filter(([path, stamp]) => stampOf(path) !== stamp).map(([path]) => path);
  }

  clear(): void {
    this.#known.clear();
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

interface WatchOptions extends Pick<Terminal, 'host' | 'output' | 'signal'> {
  readonly files: WatchedFiles;
  /** The files that the arguments match at present: a new one counts as a change, too. */
  readonly find: () => readonly string[];
  readonly run: () => Promise<number>;
}

/** Runs again whenever something that was read has changed, until the signal. Resolves to the reason of the signal. */
export async function watchRuns({ host, output, signal, files, find, run }: WatchOptions): Promise<number> {
  while (!signal.aborted) {
    files.clear();
    const before = found(find);
    try {
      await run();
    } catch (error) {
      // A file that is half written, or a mistyped name: the next save may mend it.
      if (!(error instanceof UsageError) && !(error instanceof FileError)) throw error;
      output.printError(excerpt(error.message));
    }
    if (signal.aborted) break;
    output.printError('Waiting for changes. Ctrl+C ends it.');
    const change = await nextChange(files, before, find, signal);
    if (change === undefined) break;
    if (host.stdout.isTTY) host.stdout.write(clear);
    output.print(`${new Date().toLocaleTimeString('en-GB')} ${oneLine(change)} has changed.`);
  }
  return signal.reason as number;
}

async function nextChange(
  files: WatchedFiles,
  before: string,
  find: () => readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const [changed] = files.changed;
    if (changed !== undefined) return changed;
    const now = found(find);
    if (now !== before) return now.split('\n').find(path => !before.includes(path)) ?? 'The list of files';
    await setTimeout(everyMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function found(find: () => readonly string[]): string {
  try {
    return find().join('\n');
  } catch (error) {
    if (error instanceof UsageError) return '';
    throw error;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hint, Problem, sentence } from '../protocol/problem.ts';

/** Longest wait for another process, and the age at which its file counts as left behind; in milliseconds. */
const maxWaitMs = 30_000;
const staleMs = 60_000;
/** Interval in which a process that still works updates its file, in milliseconds. */
const touchMs = 10_000;
/** Between two attempts, in milliseconds. */
const pauseMs = 40;

/**
 * Runs work about the same one after the other in all processes that name the same file. A process that ended in between is waited for no
 * longer than its file is young. Rejects with a `Problem` `sign-in-busy`.
 */
export function exclusiveBy(path: string): <T>(work: () => Promise<T>, about?: string) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (work, about) => {
    const file = about === undefined ? path : `${path}-${createHash('sha256').update(about).digest('hex').slice(0, 24)}`;
    const done = (last.get(file) ?? Promise.resolve()).then(() => locked(file, work));
    const over = done
      .catch(() => {})
      .then(() => {
        if (last.get(file) === over) last.delete(file);
      });
    last.set(file, over);
    return done;
  };
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  await lock(path, owner);
  const touching = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => {});
  }, touchMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    // Another process may have taken over from one that stood still.
    if ((await ownerOf(path)) === owner) await rm(path, { force: true });
  }
}

/** Undefined where there is no file. */
const ownerOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

async function lock(path: string, owner: string): Promise<void> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(owner);
      } finally {
        await file.close();
      }
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = await ownerOf(path);
    // It may be gone by now.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleMs) await takeAway(path, other);
    else if (performance.now() > until)
      throw new Problem('sign-in-busy', sentence('Another window has been signing in for {0} seconds.', maxWaitMs / 1000), {
        nextStep: hint(sentence('Finish it there, and try again.'), 'Wait until it has ended, and run the command again.'),
      });
    else await delay(pauseMs);
  }
}

/** Takes a file that was left behind away, and gives it back where another process was faster and it is that one's. */
async function takeAway(path: string, owner: string | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await ownerOf(aside)) !== owner) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

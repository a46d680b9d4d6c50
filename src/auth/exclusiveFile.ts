import { open, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { hint, Problem, sentence } from '../protocol/problem.ts';

/** Longest wait for another process, and the age at which its file counts as left behind; in milliseconds. */
const maxWaitMs = 30_000;
const staleMs = 60_000;
/** Between two attempts, in milliseconds. */
const pauseMs = 40;

/**
 * Runs work one after the other in all processes that name the same file. A process that ended in between is waited for no longer than its
 * file is young. Rejects with a `Problem` `sign-in-busy`.
 */
export function exclusiveBy(path: string): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const done = last.then(async () => {
      await lock(path);
      try {
        return await work();
      } finally {
        await rm(path, { force: true });
      }
    });
    last = done.catch(() => {});
    return done;
  };
}

async function lock(path: string): Promise<void> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // It may be gone by now.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleMs) await rm(path, { force: true });
    else if (performance.now() > until)
      throw new Problem('sign-in-busy', sentence('Another window has been signing in for {0} seconds.', maxWaitMs / 1000), {
        nextStep: hint(sentence('Finish it there, and try again.'), 'Wait until it has ended, and run the command again.'),
      });
    else await setTimeout(pauseMs);
  }
}

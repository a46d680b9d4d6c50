import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const busy = 5;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

const sentences: Readonly<Record<number, readonly [code: string, what: LocalizedMessage, nextStep: LocalizedMessage]>> = {
  [busy]: ['history-busy', sentence('Another window kept the task history busy for too long.'), sentence('Try again.')],
  [readOnly]: [
    'history-read-only',
    sentence('The task history cannot be written.'),
    sentence("Check the permissions of the extension's storage folder."),
  ],
  [ioError]: [
    'history-io',
    sentence('The disk failed while the task history was read or written.'),
    sentence('Check the disk, then reload the window.'),
  ],
  [corrupt]: [
    'history-damaged',
    sentence('The task history is damaged.'),
    sentence('Reload the window: the damaged file is set aside and a new history begins.'),
  ],
  [full]: [
    'history-full',
    sentence('The disk is full, so the task history could not be written.'),
    sentence('Free some space, then try again.'),
  ],
  [cannotOpen]: [
    'history-unopened',
    sentence('The task history could not be opened.'),
    sentence("Check that the extension's storage folder exists and can be written."),
  ],
  [notADatabase]: [
    'history-damaged',
    sentence('The task history is not a database.'),
    sentence('Reload the window: the damaged file is set aside and a new history begins.'),
  ],
};

/** FTS5 reports its damage under the code of an error in a statement. */
const damagedIndex = /^(?:invalid fts5 file format|vtable constructor failed)/;

/** SQLite's primary result code of an error that `node:sqlite` threw. */
function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return undefined;
  return error instanceof Error && damagedIndex.test(error.message) ? corrupt : code & 0xff;
}

/** SQLite's error as a `Problem`, if a person can do something about it; every other error is returned as it is. */
export function storeProblem(error: unknown): unknown {
  const row = sentences[resultCode(error) ?? -1];
  if (row === undefined) return error;
  const [code, what, nextStep] = row;
  return new Problem(code, what, { nextStep, cause: error, details: error instanceof Error ? error.message : undefined });
}

/** The error for a history that cannot be opened or written because of the folder that it is in. */
export function unopened(folder: string, cause: unknown): Problem {
  return new Problem('history-unopened', sentence('The task history cannot be written in the folder {0}.', folder), {
    nextStep: sentence('Check that this folder exists and that you may write in it, then reload the window.'),
    cause,
    details: cause instanceof Error ? cause.message : undefined,
  });
}

/** True for an error because another process is writing. */
export const isBusy = (error: unknown): boolean => error instanceof Problem && error.code === 'history-busy';

/** The error for a write that would overtake waiting writes. */
export const storeIsHeld = (): Problem => storeProblem(Object.assign(new Error('writes are waiting'), { errcode: busy })) as Problem;

/** True for an error because the file is damaged. */
export function saysDamaged(error: unknown): boolean {
  const problem = storeProblem(error);
  return problem instanceof Problem && problem.code === 'history-damaged';
}

/**
 * Error codes for a value that its column does not allow, or that JavaScript cannot hold; SQLite's are primary result codes. It is out of
 * memory (7) where a spoilt page names a size that no machine has.
 */
const spoiltValue: ReadonlySet<unknown> = new Set([1, 7, 18, 19, 20, 'ERR_OUT_OF_RANGE']);

/** True for an error that a row or page of a damaged file may cause; any other concerns the disk. */
export function saysUnreadable(error: unknown): boolean {
  return saysDamaged(error) || spoiltValue.has(resultCode(error) ?? (error as { code?: unknown } | null)?.code);
}

/** The result of an integrity check. */
export function foundDamaged(details: string): Problem {
  return storeProblem(Object.assign(new Error(details), { errcode: corrupt })) as Problem;
}

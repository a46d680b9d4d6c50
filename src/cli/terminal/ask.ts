import { createInterface } from 'node:readline';
import { secretValues, quoted } from './output.ts';

/** Asks the user at the terminal; resolves to undefined where they give no answer. */
export type AskUser = (question: string) => Promise<string | undefined>;

/**
 * A function that asks the user; undefined where there is no terminal. Questions are asked one at a time and each only once: an answer
 * holds for the whole command. `signal` cancels a question.
 */
export function askUser(signal: AbortSignal): AskUser | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const answers = new Map<string, Promise<string | undefined>>();
  let last: Promise<unknown> = Promise.resolve();
  return question => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = last.then(() => answerTo(question, signal));
    last = answer;
    answers.set(question, answer);
    return answer;
  };
}

/** Asks on standard error, so that standard output has only what reporters write. */
async function answerTo(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  // Without `terminal`, the terminal itself edits the line, and Ctrl+C still interrupts.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  lines.once('close', () => resolve(undefined));
  lines.question(`${quoted(secretValues.mask(question))} `, resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}

/** True for the answers `y` and `yes`. */
export const isYes = async (ask: AskUser, question: string): Promise<boolean> =>
  /^\s*y(es)?\s*$/i.test((await ask(`${question} [y/N]`)) ?? '');

import { createInterface } from 'node:readline';
import { secretValues, told } from './output.ts';

/** Asks the person at a terminal; undefined where they give no answer. */
export type Ask = (question: string) => Promise<string | undefined>;

/**
 * How the person can be asked; undefined where nobody sits at a terminal. One question after the other, each only once: an answer holds for
 * the whole command. `signal` ends the waiting.
 */
export function asking(signal: AbortSignal): Ask | undefined {
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

/** On standard error, so that standard output holds what reporters write and nothing else. */
async function answerTo(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  // Without `terminal`, lines are edited by the terminal itself, and an interrupt stays one.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  lines.once('close', () => resolve(undefined));
  lines.question(`${told(secretValues.mask(question))} `, resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}

/** A question that `y` or `yes` answers with yes. */
export const isYes = async (ask: Ask, question: string): Promise<boolean> => /^\s*y(es)?\s*$/i.test((await ask(`${question} [y/N]`)) ?? '');

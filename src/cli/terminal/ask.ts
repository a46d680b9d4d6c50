import { createInterface } from 'node:readline';
import { HiddenLine } from './hiddenLine.ts';
import { oneLine, quoted } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The parts of a terminal that a question needs. `signal` cancels it. */
type Asking = Pick<Terminal, 'host' | 'output' | 'signal'>;

/** Asks the user at the terminal; resolves to undefined where they give no answer. `hidden`: the terminal does not show what is typed. */
export type AskUser = (question: string, hidden?: boolean) => Promise<string | undefined>;

/**
 * A function that asks the user; undefined where there is no terminal. Questions are asked one at a time and each only once: an answer
 * holds for the whole command.
 */
export function askUser(asking: Asking): AskUser | undefined {
  const { stdin, stderr } = asking.host;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const answers = new Map<string, Promise<string | undefined>>();
  let last: Promise<unknown> = Promise.resolve();
  return (question, hidden = false) => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = last.then(() => (hidden ? typeHidden(question, asking) : answerTo(question, asking)));
    last = answer;
    answers.set(question, answer);
    return answer;
  };
}

/** Asks on standard error, so that standard output has only what reporters write. */
async function answerTo(question: string, { host, output, signal }: Asking): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  // Without `terminal`, the terminal itself edits the line, and Ctrl+C still interrupts.
  const lines = createInterface({ input: host.stdin, output: host.stderr, terminal: false });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  lines.once('close', () => resolve(undefined));
  lines.question(`${quoted(output.mask(question))} `, resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}

/** Reads a line that the terminal does not show; undefined where it was canceled. Standard input is a terminal. */
export async function typeHidden(question: string, { host, output, signal }: Asking): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { stdin, stderr } = host;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const typed = new HiddenLine();
  const onAbort = (): void => resolve(undefined);
  const onData = (chunk: Buffer): void => {
    const end = typed.add(chunk);
    // The signal is aborted then, as anywhere.
    if (end === 'interrupt') process.kill(process.pid, 'SIGINT');
    else if (end !== undefined) resolve(end === 'line' ? typed.text : undefined);
  };
  // Before the question: what is typed the moment it shows, or was pasted, must not be shown by a terminal that still echoes.
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', onData);
  // It has names that a card gives.
  stderr.write(`${oneLine(output.mask(question))} `);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** True for the answers `y` and `yes`. */
export const isYes = async (ask: AskUser, question: string): Promise<boolean> =>
  /^\s*y(es)?\s*$/i.test((await ask(`${question} [y/N]`)) ?? '');

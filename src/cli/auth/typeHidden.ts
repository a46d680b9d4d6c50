import { oneLine, secretValues } from '../terminal/output.ts';

/** Longest value that is typed, in characters. */
const maxLength = 16_384;

/** Reads a line that the terminal does not show; undefined where it was canceled. Standard input is a terminal. */
export async function typeHidden(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { stdin, stderr } = process;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let typed = '';
  const onAbort = (): void => resolve(undefined);
  const onData = (chunk: Buffer): void => {
    for (const character of chunk.toString('utf8')) {
      // Ctrl+C and Ctrl+D.
      if (character === '\u0003' || character === '\u0004') return resolve(undefined);
      if (character === '\r' || character === '\n') return resolve(typed);
      if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
      else if (character >= ' ' && typed.length < maxLength) typed += character;
    }
  };
  // Before the question: what is typed the moment it shows, or was pasted, must not be shown by a terminal that still echoes.
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', onData);
  // It has names that a card gives.
  stderr.write(`${oneLine(secretValues.mask(question))}: `);
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

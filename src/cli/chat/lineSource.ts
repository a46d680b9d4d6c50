import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Host } from '../terminal/output.ts';

/** Longest line that is read, in UTF-16 code units. */
const maxLine = 1024 * 1024;

/** The lines that a person types, or that a program writes. */
export interface LineSource {
  /** The next line; undefined at the end of the input, or where the person leaves. Shows `prompt` where a person types. */
  next(prompt: string): Promise<string | undefined>;
  /** Called when Ctrl+C is pressed while no line is asked for; at once, if it was pressed since the last line. Undefined removes it. */
  onInterrupt(act: (() => void) | undefined): void;
  close(): void;
}

/** Lines typed by a person: shown while a line is asked for, kept for the next one otherwise. */
export function typedLines({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): LineSource {
  let isAsking = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isAsking) stderr.write(chunk);
      done();
    },
  });
  // A terminal, as readline sees it: where lines break is known.
  Object.defineProperty(shown, 'columns', { get: () => stderr.columns });
  const lines = createInterface({ input: stdin, output: shown, terminal: true, historySize: 200 });
  const waiting: string[] = [];
  let isClosed = false;
  let answer: ((line: string | undefined) => void) | undefined;
  const give = (line: string | undefined): void => {
    isAsking = false;
    answer?.(line);
    answer = undefined;
  };
  let act: (() => void) | undefined;
  let wasPressed = false;
  const source: LineSource = {
    onInterrupt: wanted => {
      act = wanted;
      if (wasPressed) act?.();
      wasPressed = false;
    },
    next: prompt => {
      const ready = waiting.shift();
      if (ready !== undefined || isClosed) return Promise.resolve(ready);
      return new Promise(resolve => {
        answer = resolve;
        isAsking = true;
        lines.setPrompt(prompt);
        lines.prompt(true);
      });
    },
    close: () => lines.close(),
  };
  lines.on('line', line => {
    if (answer === undefined) waiting.push(line.slice(0, maxLine));
    else give(line.slice(0, maxLine));
  });
  lines.on('SIGINT', () => {
    if (answer === undefined) {
      if (act === undefined) wasPressed = true;
      else act();
    } else if (lines.line === '') {
      stderr.write('\n');
      give(undefined);
    } else clearLine(lines);
  });
  lines.on('close', () => {
    isClosed = true;
    if (answer !== undefined) stderr.write('\n');
    give(undefined);
  });
  return source;
}

/** Ctrl+C drops what is typed, as in a shell. */
function clearLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}

/** The lines of a pipe or a file. */
export function pipedLines({ stdin }: Pick<Host, 'stdin'>): LineSource {
  const lines = createInterface({ input: stdin, terminal: false, crlfDelay: Infinity })[Symbol.asyncIterator]();
  return {
    // Ctrl+C is a signal there.
    onInterrupt() {},
    next: async () => {
      const { value, done } = await lines.next();
      return done === true ? undefined : value.slice(0, maxLine);
    },
    close: () => void lines.return?.(),
  };
}

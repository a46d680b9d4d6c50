import { Readable } from 'node:stream';
import { main } from '../../../src/cli/main.ts';
import { Output, type Host } from '../../../src/cli/terminal/output.ts';

/** A run of the terminal program that has ended. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Variables besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Everything on standard input. */
  readonly stdin?: string | Uint8Array;
  /** Receives each text on standard error as it is written. */
  readonly onErr?: (text: string) => void;
}

/** A host without a terminal, as a pipe is. @param onWrite receives what is written */
export function hostOf(onWrite: (stream: 'out' | 'err', text: string) => void, { cwd, env, stdin = '' }: RunOptions = {}): Host {
  const streamOf = (stream: 'out' | 'err') => ({
    isTTY: false,
    write: (text: string) => {
      onWrite(stream, text);
      return true;
    },
  });
  const input = Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)], { objectMode: false });
  return {
    stdin: Object.assign(input, { isTTY: false }),
    stdout: streamOf('out'),
    stderr: streamOf('err'),
    env: { ...process.env, ...env },
    cwd: () => cwd ?? process.cwd(),
  } as unknown as Host;
}

/** Runs `a2a` from its source in this process: the same as a process of its own but for signals, its pipes and how it is started. */
export async function runTerminal(args: readonly string[], options?: RunOptions): Promise<Ended> {
  const written = { out: '', err: '' };
  const onWrite = (stream: 'out' | 'err', text: string): void => {
    written[stream] += text;
    if (stream === 'err') options?.onErr?.(text);
  };
  const host = hostOf(onWrite, options);
  const never = new AbortController().signal;
  const status = await main(args, { host, output: new Output(host), interrupt: never, giveUp: never });
  return { status, ...written };
}

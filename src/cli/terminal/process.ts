import { Problem, sentence } from '../../protocol/problem.ts';
import { tell } from './output.ts';
import { status } from './usage.ts';

/** What ends a command before it has come to its end. */
export interface Ending {
  /** Somebody wants it to end: what is under way is stopped. The reason is the exit status. */
  readonly interrupt: AbortSignal;
  /** Nothing more is waited for: whatever has no result by then has none. The reason is a `Problem`. */
  readonly giveUp: AbortSignal;
}

/** How long what is under way may take to stop, in milliseconds: a person can wait; whoever else ends a process soon kills it. */
const stopMs = { SIGINT: 10_000, SIGTERM: 1_500, SIGHUP: 1_500 } as const;
/** What takes no longer to stop ends without a word, in milliseconds. */
const noticeMs = 200;
/** How long a command may take to say what it has, after a defect or when nobody waits any more, in milliseconds. */
const lastWordsMs = 2_000;

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs the command of this process. However it ends, the exit status says how: with the command's own, with that of the signal that ended
 * it, or with one that means that it did not come to its end.
 * `reports`: what it has found out is told at its end, whoever ends it, and counts also where nobody reads it.
 */
export function runProcess(main: (ending: Ending) => Promise<number>, { reports = false }: { readonly reports?: boolean } = {}): void {
  const interrupt = new AbortController();
  const giveUp = new AbortController();
  let over = false;
  const isOver = (code: number): void => {
    over = true;
    // A defect elsewhere has set it already.
    process.exitCode ??= code;
  };

  for (const [signal, code] of Object.entries(signals) as [keyof typeof signals, number][]) {
    process.on(signal, () => {
      // Who asks a second time does not want to wait, and a third time nothing is left to be asked.
      if (giveUp.signal.aborted || (interrupt.signal.aborted && !reports)) process.exit(code);
      if (interrupt.signal.aborted) {
        giveUp.abort(stopped());
        setTimeout(() => process.exit(code), lastWordsMs).unref();
      } else if (signal === 'SIGINT' && process.stderr.isTTY) setTimeout(() => over || tell(canceling), noticeMs).unref();
      interrupt.abort(code);
      setTimeout(() => giveUp.abort(stopped()), stopMs[signal]).unref();
    });
  }

  const onDefect = (error: unknown): void => {
    process.exitCode = status.defect;
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
    giveUp.abort(
      new Problem(
        'defect',
        sentence('Something went wrong inside A2A Workbench: {0}', error instanceof Error ? error.message : String(error)),
      ),
    );
    setTimeout(() => process.exit(status.defect), lastWordsMs).unref();
  };
  process.on('uncaughtException', onDefect);

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, is no fault; what a run found out counts all the same.
    if (error.code === 'EPIPE') {
      if (!reports) process.exit(status.fine);
      return;
    }
    if (process.exitCode === status.output) return;
    process.exitCode = status.output;
    tell(`What a2a prints could not be written: ${reasons[error.code ?? ''] ?? error.message}.`);
    interrupt.abort(status.output);
  });
  // Then nothing can be told, and the exit status says the rest.
  process.stderr.on('error', () => {});

  // Nothing is left that could go on: without this, the process would end as if all were well.
  process.on('beforeExit', () => {
    if (over || giveUp.signal.aborted) return;
    process.exitCode = status.incomplete;
    const problem = standstill();
    tell(problem.message);
    giveUp.abort(problem);
  });

  main({ interrupt: interrupt.signal, giveUp: giveUp.signal }).then(isOver, (error: unknown) => {
    over = true;
    onDefect(error);
  });
}

const canceling = 'Canceling… (press Ctrl+C again to quit now)';

/** Why nothing can be written, by Node's code. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EIO: 'the device reports an error',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
};

const stopped = (): Problem => new Problem('stopped', sentence('The run was ended before this request had its result.'));

const standstill = (): Problem =>
  new Problem(
    'standstill',
    sentence('The program came to its end before the command did, so its result is not known. This is a defect of a2a.'),
  );

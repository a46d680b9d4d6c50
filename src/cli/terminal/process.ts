import { Problem, sentence } from '../../protocol/problem.ts';
import { Output, type Host } from './output.ts';
import { exitStatus } from './usage.ts';

/** One run of the program: its process, its output, and the signals that end it early. */
export interface ProgramRun {
  readonly host: Host;
  readonly output: Output;
  /** The command is interrupted: what is running is stopped. The reason is the exit status. */
  readonly interrupt: AbortSignal;
  /** Waiting ends: what has no result yet gets none. The reason is a `Problem`. */
  readonly giveUp: AbortSignal;
}

/** Maximum time to stop, in milliseconds: a person can wait; a service that sends SIGTERM soon kills the process. */
const stopMs = { SIGINT: 10_000, SIGTERM: 1_500, SIGHUP: 1_500 } as const;
/** No message is printed for a stop that takes at most this long, in milliseconds. */
const noticeMs = 200;
/** Maximum time to write remaining output after a defect or when waiting ends, in milliseconds. */
const finalOutputMs = 2_000;

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs the command of this process. The exit status is that of the command, that of the signal that ended it, or one for an incomplete
 * command.
 * `reports`: the command reports its results when it is interrupted, and its status counts even where the output is not read.
 */
export function runProcess(main: (run: ProgramRun) => Promise<number>, { reports = false }: { readonly reports?: boolean } = {}): void {
  const output = new Output(process);
  const interrupt = new AbortController();
  const giveUp = new AbortController();
  let over = false;
  const isOver = (code: number): void => {
    over = true;
    // An error elsewhere may have set it already.
    process.exitCode ??= code;
  };

  for (const [signal, code] of Object.entries(signals) as [keyof typeof signals, number][]) {
    process.on(signal, () => {
      // A second interrupt ends at once, or, where results are reported, a third.
      if (giveUp.signal.aborted || (interrupt.signal.aborted && !reports)) process.exit(code);
      if (interrupt.signal.aborted) {
        giveUp.abort(stopped());
        setTimeout(() => process.exit(code), finalOutputMs).unref();
      } else if (signal === 'SIGINT' && process.stderr.isTTY) setTimeout(() => over || output.printError(canceling), noticeMs).unref();
      interrupt.abort(code);
      setTimeout(() => giveUp.abort(stopped()), stopMs[signal]).unref();
    });
  }

  const onDefect = (error: unknown): void => {
    process.exitCode = exitStatus.defect;
    output.printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
    giveUp.abort(
      new Problem('defect', sentence('Internal error in A2A Workbench: {0}', error instanceof Error ? error.message : String(error))),
    );
    setTimeout(() => process.exit(exitStatus.defect), finalOutputMs).unref();
  };
  process.on('uncaughtException', onDefect);

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early, such as `head`, is not an error; the results of a run count all the same.
    if (error.code === 'EPIPE') {
      if (!reports) process.exit(exitStatus.fine);
      return;
    }
    if (process.exitCode === exitStatus.output) return;
    process.exitCode = exitStatus.output;
    output.printError(`What a2a prints could not be written: ${reasons[error.code ?? ''] ?? error.message}.`);
    interrupt.abort(exitStatus.output);
  });
  // Nothing can be printed then; the exit status remains.
  process.stderr.on('error', () => {});

  // The event loop is empty before the command ended: without this, the exit status would be 0.
  process.on('beforeExit', () => {
    if (over || giveUp.signal.aborted) return;
    process.exitCode = exitStatus.incomplete;
    const problem = standstill();
    output.printError(problem.message);
    giveUp.abort(problem);
  });

  main({ host: process, output, interrupt: interrupt.signal, giveUp: giveUp.signal }).then(isOver, (error: unknown) => {
    over = true;
    onDefect(error);
  });
}

const canceling = 'Canceling… (press Ctrl+C again to quit now)';

/** Why output cannot be written, by Node's error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EIO: 'the device reports an error',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
};

const stopped = (): Problem => new Problem('stopped', sentence('The run ended before this request had a result.'));

const standstill = (): Problem =>
  new Problem('standstill', sentence('The program exited before the command finished, so its result is unknown. This is a bug in a2a.'));

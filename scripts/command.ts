import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the command: SIGTERM, then SIGKILL after two seconds. */
  readonly signal?: AbortSignal;
  /** `inherit` shows the output at once, `collect` returns it to the caller. */
  readonly output: 'inherit' | 'collect';
  /** Message to print every ten seconds while the command runs. */
  readonly progress?: string;
}

export interface CommandResult {
  /** The exit code; 1 where the command could not be started, 130 where a signal ended it. */
  readonly code: number;
  /** Both outputs in order of arrival; empty with `inherit`. */
  readonly output: string;
}

/** Runs a command to its end. Never rejects: a command that cannot be started has the exit code 1. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const { cwd, env, signal, progress } = options;
  const stdio = options.output === 'inherit' ? 'inherit' : 'pipe';
  // Windows runs a .cmd only through its shell.
  const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', stdio, stdio], shell: command.endsWith('.cmd') });
  const started = Date.now();
  const timer =
    progress === undefined
      ? undefined
      : setInterval(() => {
          console.log(`  ${progress} (${Math.round((Date.now() - started) / 1000)} s)`);
        }, 10_000);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const abort = (): void => void endProcess(child);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const finish = (code: number): void => {
    clearInterval(timer);
    signal?.removeEventListener('abort', abort);
    resolve({ code, output });
  };
  child.on('error', error => {
    output += `${error.message}\n`;
    finish(1);
  });
  child.on('close', (code, by) => finish(by === null ? (code ?? 1) : 130));
  return promise;
}

/** Ends a child process and waits for its exit: SIGTERM, then SIGKILL after two seconds. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await promise;
  clearTimeout(timer);
}

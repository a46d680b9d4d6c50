import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess } from './command.ts';
import { Failure } from './failure.ts';

export interface SampleAgentProcess {
  readonly agents: readonly { readonly name: string; readonly url: string }[];
  /** Resolves with a sentence when the agents end unexpectedly. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Maximum time until the agents listen. */
const startTimeoutMs = 30_000;

/**
 * Starts the sample agents in a process of their own, which ends with this one.
 *
 * @throws {Failure} where they do not start
 */
export async function startAgentProcess(): Promise<SampleAgentProcess> {
  const main = join(import.meta.dirname, '..', 'examples', 'agents', 'main.ts');
  // A process group of its own, so that Ctrl+C in a terminal reaches only this process.
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'], detached: process.platform !== 'win32' });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (why: string): void =>
    reject(new Failure(`The sample agents did not start: ${why}.`, 'Their own message is above. Run the same command again.'));
  const timer = setTimeout(() => fail(`nothing was heard of them for ${startTimeoutMs / 1000} s`), startTimeoutMs);
  createInterface(child.stdout).once('line', resolve);
  child.once('error', error => fail(error.message));
  const ended = new Promise<string>(done =>
    child.once('exit', (code, signal) => {
      fail(`they ended with ${signal ?? `exit code ${code}`}`);
      done(`The sample agents have ended with ${signal ?? `exit code ${code}`}.`);
    }),
  );
  try {
    const { agents } = JSON.parse(await promise) as Pick<SampleAgentProcess, 'agents'>;
    return { agents, ended, stop: () => endProcess(child) };
  } catch (error) {
    await endProcess(child);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

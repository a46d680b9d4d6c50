import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';

const Agents = z.array(z.object({ name: z.string(), url: z.url() }));
const Ready = z.union([z.object({ agents: Agents, port: z.number(), token: z.string() }), z.object({ error: z.string() })]);
const Kept = z.object({ agents: Agents });

/** Control port on loopback, and the token that it requires. */
export const SampleAddress = z.object({ port: z.number(), token: z.string() });
export type SampleAddress = z.infer<typeof SampleAddress>;

/** A running process of sample agents, and the connection to it. */
export interface SampleConnection {
  readonly agents: readonly { readonly name: string; readonly url: string }[];
  readonly address: SampleAddress;
  /** Resolves when the process has ended or the connection is lost. */
  readonly ended: Promise<void>;
  /** Ends the agents. */
  stop(): void;
  /** Disconnects: they end by themselves after a minute unless a window connects again. */
  disconnect(): void;
}

/** Timeouts for started agents to listen and for running ones to answer, in milliseconds. */
const startTimeoutMs = 15_000;
const findTimeoutMs = 3_000;

/**
 * Starts the sample agents in a process of their own: a script of this extension, without arguments from outside, in the Node of the
 * extension host. Rejects with the reason if they do not start.
 */
export async function startSamples(script: string): Promise<SampleConnection> {
  const child = fork(script, [], {
    // The extension host may run under a debugger; the agents must not.
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error(`nothing was heard of the process in ${startTimeoutMs} ms`)), startTimeoutMs);
  child
    .once('message', resolve)
    .once('error', reject)
    .once('exit', code => reject(new Error(`the process ended with ${code}`)));
  try {
    const ready = Ready.parse(await promise);
    if ('error' in ready) throw new Error(ready.error);
    return await connectSamples(ready);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** Connects to the sample agents at an address. Rejects if they have ended. */
export async function connectSamples({ port, token }: SampleAddress): Promise<SampleConnection> {
  const socket = connect({ host: '127.0.0.1', port });
  const ended = new Promise<void>(resolve => {
    socket.once('close', () => resolve());
  });
  try {
    const line = await firstLine(socket, token);
    const { agents } = Kept.parse(JSON.parse(line));
    return {
      agents,
      ended,
      address: { port, token },
      stop: () => {
        socket.write('stop\n');
      },
      disconnect: () => {
        socket.destroy();
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function firstLine(socket: Socket, token: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${findTimeoutMs} ms`)), findTimeoutMs);
  // Stays on the socket for good: an 'error' event without a listener would end the process. Later errors are handled by 'close'.
  socket.on('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  const lines = createInterface({ input: socket }).once('line', resolve);
  lines.on('error', reject);
  socket.write(`${token}\n`);
  return promise.finally(() => clearTimeout(timer));
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Step } from './script.ts';

/** The target of a playback: an HTTP response, or one WebSocket. */
export interface TaskRestOutput {
  /** Sends a task object or an error, as the whole response or as one message. */
  readonly say: (value: unknown, status?: number) => void;
  readonly event: (event: StreamResponse) => void;
  /** Converts an answer from core shape to wire form. */
  readonly written: (answer: Extract<Step, { answer: unknown }>['answer']) => unknown;
  readonly head: (status: number, headers: Readonly<Record<string, string>>) => void;
  readonly raw: (bytes: string | Uint8Array, mediaType: string) => void;
  readonly close: () => void;
  readonly reset: () => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** HTTP statuses of errors in the task API, by JSON-RPC code. */
const statuses: Readonly<Record<number, number>> = { [-32001]: 404, [-32601]: 404, [-32002]: 409, [-32603]: 500 };

/** Plays steps in order. Resolves early when the client disconnects; rejects when the script throws. */
export async function playTaskRest(steps: Iterable<Step> | AsyncIterable<Step>, output: TaskRestOutput): Promise<void> {
  const { signal } = output;
  try {
    for await (const step of steps) {
      await play(step, output);
      if (signal.aborted) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function play(step: Step, output: TaskRestOutput): Promise<void> {
  if ('status' in step) output.head(step.status, step.headers ?? {});
  else if ('event' in step) output.event(step.event);
  else if ('answer' in step) output.say(output.written(step.answer));
  else if ('error' in step)
    output.say({ error: { code: String(step.error.code), message: step.error.message } }, statuses[step.error.code] ?? 400);
  else if ('json' in step) output.say(step.json);
  else if ('html' in step) output.raw(step.html, 'text/html; charset=utf-8');
  else if ('raw' in step) output.raw(step.raw, 'application/json');
  else if ('delay' in step) await sleep(step.delay, undefined, { signal: output.signal });
  else if ('stall' in step) await once(output.signal, 'abort');
  else if ('close' in step) output.close();
  else output.reset();
}

type Listeners = Pick<TaskRestOutput, 'event' | 'written' | 'signal'>;

/** An HTTP response: the first value is the whole response; later steps go to the WebSockets only. */
export function httpOutput(response: ServerResponse, others: Listeners): TaskRestOutput {
  let head: { readonly status?: number; readonly headers: Readonly<Record<string, string>> } = { headers: {} };
  const whole = (mediaType: string, body: string | Uint8Array, status: number): void => {
    if (response.headersSent || response.destroyed) return;
    response.writeHead(head.status ?? status, { 'content-type': mediaType, ...head.headers }).end(body);
  };
  return {
    ...others,
    say: (value, status = 200) => whole('application/json', JSON.stringify(value), status),
    head: (status, headers) => {
      head = { status, headers };
    },
    raw: (bytes, mediaType) => whole(mediaType, bytes, 200),
    close: () => response.destroy(),
    reset: () => response.socket?.resetAndDestroy(),
  };
}

/** One WebSocket: each value is a message of its own. */
export function webSocketOutput(
  socket: WebSocket,
  connection: Socket,
  others: Omit<Listeners, 'event'>,
  words: (event: StreamResponse) => unknown,
): TaskRestOutput {
  const say = (value: unknown): void => socket.send(JSON.stringify(value));
  return {
    ...others,
    say,
    event: event => say(words(event)),
    head: () => {},
    raw: bytes => socket.send(bytes),
    close: () => socket.close(),
    reset: () => connection.resetAndDestroy(),
  };
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStreaming, type Operation } from '../protocol/operations.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import type { Version } from '../protocol/versions/version.ts';
import type { Step } from './script.ts';

/** To whom and how an answer is written. */
export interface Audience {
  readonly version: Version;
  readonly operation: Operation | undefined;
  /** JSON-RPC id of the request; null where it had none. */
  readonly id: string | number | null;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** Plays steps into one HTTP response. */
export class Playback {
  readonly #response: ServerResponse;
  readonly #audience: Audience;
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } = { status: 200, headers: {} };
  #streaming = false;

  constructor(response: ServerResponse, audience: Audience) {
    this.#response = response;
    this.#audience = audience;
  }

  /** Resolves when the last step is played, a step ended the answer, or the client has left. Rejects when the script throws. */
  async play(steps: Iterable<Step> | AsyncIterable<Step>): Promise<void> {
    const { signal } = this.#audience;
    try {
      for await (const step of steps) {
        await this.#step(step);
        if (signal.aborted || this.#response.writableEnded || this.#response.destroyed) return;
      }
      this.#open('application/json');
      this.#response.end();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #step(step: Step): Promise<void> {
    if ('status' in step) this.#head = { status: step.status, headers: step.headers ?? {} };
    else if ('event' in step) await this.#event({ result: this.#audience.version.writeStreamResponse(step.event) });
    else if ('answer' in step) this.#json(this.#envelope({ result: this.#written(step.answer) }));
    else if ('error' in step) {
      if (this.#streaming) await this.#event({ error: step.error });
      else this.#json(this.#envelope({ error: step.error }));
    } else if ('json' in step) this.#json(step.json);
    else if ('html' in step) this.#whole('text/html; charset=utf-8', step.html);
    else if ('raw' in step) await this.#raw(step.raw);
    else if ('delay' in step) await sleep(step.delay, undefined, { signal: this.#audience.signal });
    else if ('stall' in step) await this.#stall();
    else if ('close' in step) this.#response.destroy();
    else this.#response.socket?.resetAndDestroy();
  }

  #written(answer: Extract<Step, { answer: unknown }>['answer']): unknown {
    const { version, operation } = this.#audience;
    // The type of the answer goes with the operation by the script's own word.
    if (operation !== undefined && isStreaming(operation)) return version.writeStreamResponse(answer as StreamResponse);
    return version.writeResult(operation ?? 'SendMessage', answer as never);
  }

  #envelope(outcome: { readonly result: unknown } | { readonly error: unknown }): object {
    return { jsonrpc: '2.0', id: this.#audience.id, ...outcome };
  }

  async #event(outcome: { readonly result: unknown } | { readonly error: unknown }): Promise<void> {
    this.#open('text/event-stream');
    this.#streaming = true;
    await this.#write(`data: ${JSON.stringify(this.#envelope(outcome))}\n\n`);
  }

  async #raw(bytes: string | Uint8Array): Promise<void> {
    const { operation } = this.#audience;
    this.#open(operation !== undefined && isStreaming(operation) ? 'text/event-stream' : 'application/json');
    await this.#write(bytes);
  }

  #json(value: unknown): void {
    this.#whole('application/json', JSON.stringify(value));
  }

  #whole(mediaType: string, body: string): void {
    this.#open(mediaType);
    this.#response.end(body);
  }

  #open(mediaType: string): void {
    if (this.#response.headersSent) return;
    const { status, headers } = this.#head;
    this.#response.writeHead(status, { 'content-type': mediaType, ...headers });
  }

  async #write(bytes: string | Uint8Array): Promise<void> {
    if (!this.#response.write(bytes)) await once(this.#response, 'drain', { signal: this.#audience.signal });
  }

  /** The head is held back too, unless something was written before. */
  async #stall(): Promise<void> {
    const { signal } = this.#audience;
    if (!signal.aborted) await once(signal, 'abort');
  }
}

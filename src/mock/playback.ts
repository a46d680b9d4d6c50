import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStreaming, type Operation } from '../protocol/message/operations.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { ResponseFormat } from './binding.ts';
import type { Step } from './script.ts';

/** The request and response that steps are played to. */
interface ResponseContext {
  readonly version: Version;
  readonly operation: Operation | undefined;
  readonly format: ResponseFormat;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Plays the steps of a script into one HTTP response. */
export class Playback {
  readonly #response: ServerResponse;
  readonly #context: ResponseContext;
  /** Status and headers set by the script; undefined where the binding decides. */
  #head: Extract<Step, { status: unknown }> | undefined;
  #streaming = false;

  constructor(response: ServerResponse, context: ResponseContext) {
    this.#response = response;
    this.#context = context;
  }

  /** Resolves after the last step, after a step that ends the answer, or when the client disconnects. Rejects when the script throws. */
  async play(steps: Iterable<Step> | AsyncIterable<Step>): Promise<void> {
    const { signal } = this.#context;
    try {
      for await (const step of steps) {
        await this.#step(step);
        if (signal.aborted || this.#response.writableEnded || this.#response.destroyed) return;
      }
      this.#open(this.#context.format.mediaType);
      this.#response.end();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The text of an event or an answer as it goes over the wire; undefined for any other step. */
  text(step: Step): string | undefined {
    const { version, format } = this.#context;
    if ('event' in step) return frameOf(format.result(version.writeStreamResponse(step.event)));
    return 'answer' in step ? JSON.stringify(format.result(this.#written(step.answer))) : undefined;
  }

  async #step(step: Step): Promise<void> {
    const { version, format } = this.#context;
    if ('status' in step) this.#head = step;
    else if ('event' in step) await this.#event(format.result(version.writeStreamResponse(step.event)));
    else if ('answer' in step) this.#whole(format.mediaType, JSON.stringify(format.result(this.#written(step.answer))));
    else if ('error' in step) await this.#error(format.error(step.error));
    else if ('json' in step) this.#whole('application/json', JSON.stringify(step.json));
    else if ('html' in step) this.#whole('text/html; charset=utf-8', step.html);
    else if ('raw' in step) await this.#raw(step.raw);
    else if ('delay' in step) await sleep(step.delay, undefined, { signal: this.#context.signal });
    else if ('stall' in step) await this.#stall();
    else if ('close' in step) this.#response.destroy();
    else this.#response.socket?.resetAndDestroy();
  }

  #written(answer: Extract<Step, { answer: unknown }>['answer']): unknown {
    const { version, operation } = this.#context;
    // The script is responsible for an answer of the type that fits the operation.
    if (operation !== undefined && isStreaming(operation)) return version.writeStreamResponse(answer as StreamResponse);
    return version.writeResult(operation ?? 'SendMessage', answer as never);
  }

  async #error({ status, body }: ReturnType<ResponseFormat['error']>): Promise<void> {
    const { mediaType, errorMediaType = mediaType, errorEvent } = this.#context.format;
    if (this.#streaming) await this.#event(body, errorEvent);
    else this.#whole(errorMediaType, JSON.stringify(body), status);
  }

  async #event(data: unknown, name?: string): Promise<void> {
    this.#open('text/event-stream');
    this.#streaming = true;
    await this.#write(frameOf(data, name));
  }

  async #raw(bytes: string | Uint8Array): Promise<void> {
    const { operation, format } = this.#context;
    this.#open(operation !== undefined && isStreaming(operation) ? 'text/event-stream' : format.mediaType);
    await this.#write(bytes);
  }

  #whole(mediaType: string, body: string, status?: number): void {
    this.#open(mediaType, status);
    this.#response.end(body);
  }

  #open(mediaType: string, ownStatus = 200): void {
    if (this.#response.headersSent) return;
    const { status = ownStatus, headers = {} } = this.#head ?? {};
    const says = Object.keys(headers).some(name => name.toLowerCase() === 'content-type');
    this.#response.writeHead(status, { ...(!says && { 'content-type': mediaType }), ...headers });
  }

  async #write(bytes: string | Uint8Array): Promise<void> {
    if (!this.#response.write(bytes)) await once(this.#response, 'drain', { signal: this.#context.signal });
  }

  /** Sends nothing more, not even the HTTP head, unless something was sent before. */
  async #stall(): Promise<void> {
    const { signal } = this.#context;
    if (!signal.aborted) await once(signal, 'abort');
  }
}

/** One server-sent event. */
const frameOf = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

import { signal } from '@preact/signals';
import { type Channel, HostError } from './channel.ts';
import type { Requests } from './messages.ts';

/** Requests of the panel to its host. An error is shown by `failure`, unless the caller takes it. */
export class HostRequests {
  /** The newest error. */
  readonly failure = signal<Pick<HostError, 'message' | 'nextStep'> | undefined>(undefined);
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** Rejects with a `HostError` where the answer is an error. */
  request<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result']> {
    return this.#channel.request(name, params);
  }

  /** The answer; undefined where it is an error. */
  async answer<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result'] | undefined> {
    try {
      return await this.request(name, params);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** For requests without a result to show: false where the answer is an error. */
  async ask<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<boolean> {
    this.failure.value = undefined;
    return (await this.answer(name, params)) !== undefined;
  }

  /** Shows an error of the host's; throws any other. */
  readonly fail = (error: unknown): void => {
    if (!(error instanceof HostError)) throw error;
    this.failure.value = { message: error.message, nextStep: error.nextStep };
  };
}

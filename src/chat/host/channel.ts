import type { AnswerEnvelope, EventEnvelope, Events, RequestEnvelope, Requests } from './messages.ts';

/** The host answered with an error: its message, and the next step for the person. */
export class HostError extends Error {
  readonly nextStep: string | undefined;

  constructor(message: string, nextStep: string | undefined) {
    super(message);
    this.name = 'HostError';
    this.nextStep = nextStep;
  }
}

type Listeners = { [Name in keyof Events]?: (value: Events[Name]) => void };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: HostError) => void;
}

/** Requests and answers, matched by id, over a one-way `post`. */
export class Channel {
  readonly #post: (message: RequestEnvelope) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners: Listeners = {};
  #next = 1;

  constructor(post: (message: RequestEnvelope) => void) {
    this.#post = post;
  }

  /** Sends a request to the host. Rejects with a `HostError` where the answer is an error. */
  request<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result']> {
    const id = this.#next++;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ type: 'request', id, name, params });
    }) as Promise<Requests[Name]['result']>;
  }

  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): void {
    (this.#listeners as Record<Name, (value: Events[Name]) => void>)[name] = listener;
  }

  /** Handles a message of the host. Returns false where it answers no pending request, or has no listener. */
  receive(envelope: AnswerEnvelope | EventEnvelope): boolean {
    if (envelope.type === 'event') {
      const listener = this.#listeners[envelope.name] as ((value: unknown) => void) | undefined;
      listener?.(envelope.value);
      return listener !== undefined;
    }
    const waiting = this.#waiting.get(envelope.id);
    if (waiting === undefined) return false;
    this.#waiting.delete(envelope.id);
    if ('error' in envelope) waiting.reject(new HostError(envelope.error.message, envelope.error.nextStep));
    else waiting.resolve(envelope.result);
    return true;
  }
}

import type { Events, RequestEnvelope, Requests } from './messages.ts';
import { isAnswerTo } from './answers.ts';
import { readEnvelope } from './envelope.ts';
import { t } from '../text/strings.ts';

/** The host's answer was an error: what happened, and what the person can do. */
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
  readonly name: keyof Requests;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: HostError) => void;
}

/** Requests with ids and their answers over a one-way `post`; what comes back is checked before it is believed. */
export class Channel {
  readonly #post: (message: RequestEnvelope) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners: Listeners = {};
  #next = 1;

  constructor(post: (message: RequestEnvelope) => void) {
    this.#post = post;
  }

  /** Asks the host. Rejects with a `HostError` when its answer is an error, or none of the contract. */
  request<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result']> {
    const id = this.#next++;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { name, resolve, reject });
      this.#post({ type: 'request', id, name, params });
    }) as Promise<Requests[Name]['result']>;
  }

  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): void {
    (this.#listeners as Record<Name, (value: Events[Name]) => void>)[name] = listener;
  }

  /** Takes a message of the host. Returns false for one that is none of the contract, or that answers nothing. */
  receive(data: unknown): boolean {
    const envelope = readEnvelope(data);
    if (envelope === undefined) return false;
    if (envelope.type === 'event') {
      const listener = this.#listeners[envelope.name] as ((value: unknown) => void) | undefined;
      listener?.(envelope.value);
      return listener !== undefined;
    }
    const waiting = this.#waiting.get(envelope.id);
    if (waiting === undefined) return false;
    this.#waiting.delete(envelope.id);
    if ('error' in envelope) waiting.reject(new HostError(envelope.error.message, envelope.error.nextStep));
    else if (isAnswerTo(waiting.name, envelope.result)) waiting.resolve(envelope.result);
    else waiting.reject(new HostError(t('The panel does not understand what the extension told it.'), undefined));
    return true;
  }
}

import { Problem, sentence } from '../protocol/problem.ts';
import type { Scope } from '../request/fill.ts';
import { systemHost, type FunctionHost } from '../request/functions.ts';
import { inOrder } from '../request/order.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import type { RequestFile } from '../request/requestFile.ts';
import type { Values } from '../request/value.ts';
import { resolveInterface, resolveRequest } from '../request/resolve.ts';
import { agentNameOf } from './agentNameOf.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import { sendOnEveryInterface, type InterfaceOutcome } from './everyInterface.ts';
import type { RequestModel } from './requestPeer.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import { RequestRun, type Confirmation } from './requestRun.ts';

/** What a sending draws on besides the file. */
export interface SendRequestOptions {
  /** The agent for requests that name none. */
  readonly agent?: string;
  /** Without it, templates reach nothing beyond the file. */
  readonly host?: FunctionHost;
  /** Variables of the environment and the command line. */
  readonly values?: Values;
  /** Asks the person before a request that is marked so; without it such a request is not sent. */
  readonly confirm?: (question: Confirmation) => Promise<boolean>;
}

/**
 * The runs of one file: of each request the last one, whose result later requests refer to until it is sent again. What a request needs
 * is sent before it where it has brought no result yet; nothing else is ever sent by itself.
 */
export class RequestRuns implements Disposable {
  readonly #model: RequestModel;
  readonly #onError: (error: unknown) => void;
  readonly #runs = new Map<string, RequestRun>();
  readonly #changed: Emitter<RequestRun>;

  constructor(model: RequestModel, onError: (error: unknown) => void) {
    this.#model = model;
    this.#onError = onError;
    this.#changed = new Emitter(onError);
  }

  get onDidChange(): Event<RequestRun> {
    return this.#changed.event;
  }

  /** The last run of a request, by the entry's key. */
  get(key: string): RequestRun | undefined {
    return this.#runs.get(key);
  }

  /** The last run of each request that was sent. */
  get all(): readonly RequestRun[] {
    return [...this.#runs.values()];
  }

  get running(): boolean {
    return [...this.#runs.values()].some(run => run.running);
  }

  /** Sends a request, again if it was sent before; what it needs goes first. A request that is under way is not sent twice. */
  send(entry: RequestEntry, file: RequestFile, options: SendRequestOptions = {}): RequestRun {
    return this.#send(entry, file, options, true);
  }

  /** The request's run if there is one, else a new one; what it needs and failed before is not sent again. */
  sendOnce(entry: RequestEntry, file: RequestFile, options: SendRequestOptions = {}): RequestRun {
    return this.#runs.get(entry.key) ?? this.#send(entry, file, options, false);
  }

  /** `retry`: what is needed and failed before is sent again. */
  #send(entry: RequestEntry, file: RequestFile, options: SendRequestOptions, retry: boolean): RequestRun {
    const last = this.#runs.get(entry.key);
    if (last?.running === true) return last;
    const run = new RequestRun(entry, {
      file,
      model: this.#model,
      ...options,
      earlier: name => this.#runs.get(name),
      first: signal => this.#sendNeeded(entry, file, { options, retry, signal }),
      onError: this.#onError,
    });
    this.#runs.set(entry.key, run);
    run.onDidChange(() => this.#changed.fire(run));
    this.#changed.fire(run);
    return run;
  }

  /** The earlier results of requests and of all they need no longer count: they can be sent as if for the first time. */
  forget(entries: readonly RequestEntry[], file: RequestFile): void {
    const forgotten = new Set(entries);
    for (const entry of forgotten) {
      if (this.#runs.get(entry.key)?.running === false) this.#runs.delete(entry.key);
      for (const need of file.needs.get(entry) ?? []) forgotten.add(need.entry);
    }
  }

  /**
   * Sends every request once, one by one in the order of the file, each after those it needs; earlier results no longer count. What
   * failed is not sent again for those that need it: they fail too. What does not need it is sent all the same.
   */
  async sendAll(file: RequestFile, options: SendRequestOptions = {}, signal?: AbortSignal): Promise<readonly RequestOutcome[]> {
    for (const { key } of file.requests) if (this.#runs.get(key)?.running === false) this.#runs.delete(key);
    const outcomes: RequestOutcome[] = [];
    for (const entry of file.requests) {
      if (signal?.aborted === true) break;
      outcomes.push(await this.sendOnce(entry, file, options).done);
    }
    return outcomes;
  }

  /**
   * Sends what a request means once on every interface of its agent that is spoken, see `sendOnEveryInterface`; what it needs goes first, as
   * always. Is no run of the request: nothing refers to what it brings. Throws a `Problem`.
   */
  async* sendOnEveryInterface(entry: RequestEntry, file: RequestFile, options: SendRequestOptions = {}, signal = new AbortController().signal):
  AsyncGenerator<InterfaceOutcome> {
    await this.#sendNeeded(entry, file, { options, retry: true, signal });
    const scope: Scope = { file, values: options.values, functions: options.host ?? systemHost, result: name => this.#runs.get(name)?.outcome };
    const { agents, contexts } = this.#model;
    const agent = agents.find(await agentNameOf(entry, scope, options.agent));
    try {
      await agent.connect({ wanted: resolveInterface(entry) });
    } catch (error) {
      // That the preferred interface cannot be spoken to says nothing of the others.
      if (!(error instanceof Problem) || agent.interfaces.offered.length === 0) throw error;
    }
    const request = await resolveRequest(entry, scope, agent.card?.capabilities.streaming === true);
    yield* sendOnEveryInterface({ agent, contexts, request, signal, onError: this.#onError });
  }

  /** Stops whatever is under way. */
  stop(): void {
    for (const run of this.#runs.values()) run.stop();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #sendNeeded(entry: RequestEntry, file: RequestFile, { options, retry, signal }: {
    readonly options: SendRequestOptions; readonly retry: boolean; readonly signal: AbortSignal;
  }): Promise<void> {
    for (const needed of inOrder(entry, file)) {
      if (needed === entry) return;
      const last = this.#runs.get(needed.key);
      const run = last !== undefined && (last.running || !retry || came(last.outcome)) ? last : this.#send(needed, file, options, retry);
      const stop = (): void => run.stop();
      signal.addEventListener('abort', stop, { once: true });
      const outcome = await run.done;
      const { problem } = outcome;
      signal.removeEventListener('abort', stop);
      if (problem !== undefined && !came(outcome)) {
        throw new Problem('needed-failed', sentence('"{0}", which comes first, did not come through: {1}', needed.name ?? '', problem.sentence), {
          nextStep: problem.nextStep, cause: problem,
        });
      }
    }
  }
}

/** True for a request that came through, also with the error that it expects. */
const came = (outcome: RequestOutcome | undefined): boolean => outcome?.problem === undefined
  || (outcome.expectations !== undefined && outcome.expectations.every(({ ok }) => ok));

import { isSend, type SendMessageParams } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { systemHost } from '../../request/template/functions.ts';
import { isCleanup, planOf } from '../../request/file/control.ts';
import { homeOf, requestNamed } from '../../request/file/imports.ts';
import { sendOrder } from '../../request/file/sendOrder.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import { resolveInterface, type ResolvedHeaders } from '../../request/resolve/resolve.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import type { RequestModel } from './requestPorts.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import { waitsForTurnEnd } from '../../request/file/waitsForTurnEnd.ts';
import { agentFor, releasedRequest } from './requestRelease.ts';
import { RequestRun } from './requestRun.ts';
import { unlessStopped } from './requestStop.ts';
import type { SendRequestOptions } from './sendContext.ts';
import { SecretOrigins } from '../agents/secretOrigins.ts';
import { SnapshotFile } from '../snapshotFile.ts';

/** A message that may be sent to several agents. */
export interface MessageToSend {
  /** Name of the agent that it was written for. */
  readonly agent: string;
  readonly params: SendMessageParams;
  /** The card decides where it is undefined. */
  readonly streaming?: boolean;
  /** Headers of the request, for its own agent alone. */
  readonly headers?: ResolvedHeaders | undefined;
}

/**
 * The runs of one file: of each request the last one, whose result later requests refer to until it is sent again. What a request needs
 * is sent before it where it has brought no result yet; nothing else is ever sent by itself.
 */
export class RequestRuns implements Disposable {
  readonly #model: RequestModel;
  readonly #onError: (error: unknown) => void;
  readonly #runs = new Map<string, RequestRun>();
  /** Counted apart, so that a file of thousands of requests is not gone through with each of them. */
  readonly #underWay = new Set<RequestRun>();
  readonly #changed: Emitter<RequestRun>;
  readonly #canceled = new Set<string>();
  readonly #secretOrigins = new SecretOrigins();

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
    return this.#underWay.size > 0;
  }

  /** Sends a request, again if it was sent before; what it needs goes first. A request that is under way is not sent twice. */
  send(entry: RequestEntry, file: RequestFile, options: SendRequestOptions = {}): RequestRun {
    return this.#send(entry, file, options, true);
  }

  /** The request's run if there is one, else a new one, of these rows alone; what it needs and failed before is not sent again. */
  sendOnce(entry: RequestEntry, file: RequestFile, options: SendRequestOptions = {}, rows?: ReadonlySet<number>): RequestRun {
    return this.#runs.get(entry.key) ?? this.#send(entry, file, options, false, rows);
  }

  /** `retry`: what is needed and failed before is sent again. */
  #send(entry: RequestEntry, file: RequestFile, options: SendRequestOptions, retry: boolean, rows?: ReadonlySet<number>): RequestRun {
    const last = this.#runs.get(entry.key);
    if (last?.running === true) return last;
    const run = new RequestRun(entry, {
      file,
      model: this.#model,
      secretOrigins: this.#secretOrigins,
      ...options,
      rows,
      earlier: name => this.#runs.get(requestNamed(file, name)?.key ?? name),
      canceled: this.#canceled,
      first: signal => this.#sendNeeded(entry, file, { options, retry, signal }),
      onError: this.#onError,
    });
    this.#runs.set(entry.key, run);
    this.#underWay.add(run);
    run.onDidChange(() => {
      if (!run.running) this.#underWay.delete(run);
      this.#changed.fire(run);
    });
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
   * failed is not sent again for those that need it: they fail too. What does not need it is sent all the same. Requests are left out as
   * `planOf` has it, and those that clean up go last, also after the signal.
   */
  async sendAll(file: RequestFile, options: SendRequestOptions = {}, signal?: AbortSignal): Promise<readonly RequestOutcome[]> {
    this.forget(file.requests, file);
    const outcomes: RequestOutcome[] = [];
    for (const entry of planOf(file).sent) {
      if (signal?.aborted === true && (!isCleanup(entry) || outcomes.length === 0)) continue;
      outcomes.push(await this.sendOnce(entry, file, options).done);
    }
    return outcomes;
  }

  /**
   * The message of a request with its templates filled in, to be sent elsewhere too; the requests that it needs go first, as always. `choose`
   * gets the name of its agent and resolves with the addresses that it goes to, undefined for none: then there is no message. Is no run of the request: nothing
   * refers to what it brings. Throws a `Problem`.
   */
  async message(
    entry: RequestEntry,
    file: RequestFile,
    options: SendRequestOptions,
    choose: (agent: string) => Promise<readonly string[] | undefined>,
  ): Promise<MessageToSend | undefined> {
    await this.#sendNeeded(entry, file, { options, retry: true, signal: new AbortController().signal });
    const scope: Scope = {
      file,
      values: options.values,
      functions: options.host ?? systemHost,
      onUse: options.onDraw,
      result: key => this.#runs.get(key)?.outcome,
    };
    const secretOrigins = options.secretOrigins ?? this.#secretOrigins;
    const sending = { agent: options.agent, model: this.#model, secretOrigins };
    const found = await agentFor(entry, scope, sending);
    const { agent } = found;
    try {
      await agent.connect({ wanted: resolveInterface(entry) });
    } catch (error) {
      // Other interfaces may work even if the preferred one does not.
      if (!(error instanceof Problem) || agent.interfaces.offered.length === 0) throw error;
    }
    const urls = await choose(agent.name);
    if (urls === undefined) return undefined;
    const { request, headers } = await releasedRequest(entry, scope, found, { urls, sending });
    if ('raw' in request || !isSend(request.operation)) {
      throw new Problem('no-message', sentence('Only messages can be sent to several agents.'), {
        nextStep: sentence('Write it as a request with a message.'),
      });
    }
    const streaming = request.operation === 'SendStreamingMessage';
    return { agent: agent.name, params: request.params as SendMessageParams, streaming, headers };
  }

  /** Calls the listener for every request that was stopped and goes on, with the reason; once each time. */
  onRefusal(listener: (run: RequestRun, refusal: Problem) => void): Disposable {
    const reported = new WeakSet<Problem>();
    return this.onDidChange(run => {
      const { refusal } = run;
      if (refusal === undefined || reported.has(refusal)) return;
      reported.add(refusal);
      listener(run, refusal);
    });
  }

  /** Stops whatever is under way. */
  stop(): void {
    for (const run of this.#runs.values()) run.stop();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** A request of the file, or an imported one as its own file has it. */
  #sendAtHome(entry: RequestEntry, file: RequestFile, options: SendRequestOptions, retry: boolean): RequestRun {
    const home = homeOf(entry, file);
    if (home === undefined) return this.#send(entry, file, options, retry);
    const { host = systemHost, snapshots } = options;
    const own = snapshots && new SnapshotFile(home.path, snapshots.options);
    return this.#send(entry, home.file, { ...options, host: home.hostIn(host), ...(own !== undefined && { snapshots: own }) }, retry);
  }

  async #sendNeeded(
    entry: RequestEntry,
    file: RequestFile,
    {
      options,
      retry,
      signal,
    }: {
      readonly options: SendRequestOptions;
      readonly retry: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    for (const needed of sendOrder([entry], file)) {
      if (needed === entry) return;
      const last = this.#runs.get(needed.key);
      if (isCleanup(entry)) {
        const came = last?.running === true ? await unlessStopped(last.done, signal) : last?.outcome;
        if (came?.task === undefined && came?.message === undefined && came?.value === undefined) throw nothingToCleanUp(needed);
        continue;
      }
      if (last?.running === false && gaveAnswer(last.outcome) && last.outcome?.left !== true) continue;
      const run =
        last !== undefined && (last.running || !retry || gaveAnswer(last.outcome)) ? last : this.#sendAtHome(needed, file, options, retry);
      const stop = (): void => run.stop();
      signal.addEventListener('abort', stop, { once: true });
      const outcome = await (waitsForTurnEnd(entry, needed, file) ? run.done.then(() => unlessStopped(run.rest(), signal)) : run.done);
      const { problem } = outcome;
      signal.removeEventListener('abort', stop);
      if (problem !== undefined && !gaveAnswer(outcome)) {
        throw new Problem('needed-failed', sentence('"{0}", which runs first, failed: {1}', needed.name ?? '', problem.sentence), {
          nextStep: problem.nextStep,
          cause: problem,
        });
      }
    }
  }
}

const nothingToCleanUp = ({ name = '' }: RequestEntry): Problem =>
  new Problem('nothing-to-clean-up', sentence('Nothing to clean up: "{0}" has no result.', name));

/**
 * True for a request whose answer others can go on with: it came, whatever was expected of it, or is the error that was expected. Without one (an error,
 * a time limit, an agent that is down) what needs it is not sent.
 */
export const gaveAnswer = (outcome: RequestOutcome | undefined): boolean =>
  outcome?.problem === undefined || (outcome.expectations !== undefined && outcome.expectations.every(({ ok }) => ok));

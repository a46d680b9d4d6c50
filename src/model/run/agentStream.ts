import { randomUUID } from 'node:crypto';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import type { CallOptions, StreamBatch } from '../../client/transport/transport.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { OperationParams } from '../../protocol/message/operations.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import { onlyKeptAlive } from './gap.ts';
import type { FoundTask, RunAgent, RunClient } from './runScope.ts';

export type ListenOptions = CallOptions & { readonly signal: AbortSignal };
export type Batch = Pick<StreamBatch, 'events' | 'exchangeId' | 'findings'> & Partial<Pick<StreamBatch, 'frames' | 'frameOf'>>;

/** Called while an answer arrives. */
interface StreamHandler {
  /** `first`: the first batch of its answer. Returns false to stop reading. */
  readonly take: (batch: Batch, first: boolean) => boolean;
  /** Resolves when more can be taken in; undefined if it can be now. Nothing is read meanwhile, so the agent has to wait, too. */
  readonly whenReady: () => Promise<void> | undefined;
  /** How long reading goes on while nothing arrives, in milliseconds; undefined: without a limit. */
  readonly idleTimeout: () => number | undefined;
  /**
   * Called after a while without an event. Resolves to whether the agent reported the task's state by other means. If it rejects with a
   * `Problem`, reading ends as if the connection had broken.
   */
  readonly onSilence: () => Promise<boolean>;
  /** The length of that while, in milliseconds. */
  readonly silence: number;
  /** How long reading goes on while bytes arrive but no event, and the task's state cannot be asked for, in milliseconds. */
  readonly keptAlive: number;
}

/** Most messages to ask for with a task: an agent of 0.3 sends none unless it is asked for a number. */
export const historyLength = 1_000;

/** Problems of an agent that answers at its card's address, but not with a card, such as one that is just starting. */
const withoutCard: readonly string[] = ['no-card', 'html-instead-of-card', 'card-not-json', 'not-a-card'];

/** Sends all requests of one run and reads their responses, under exchange ids of its own, until it is closed. */
export class AgentStream {
  readonly exchangeIds: string[] = [];
  readonly #agent: RunAgent;
  readonly #log: WireLog;
  readonly #wanted: WantedConnection | undefined;
  readonly #closed = new AbortController();
  #woken = new AbortController();
  #lastReceivedAt: number | undefined;
  #provisional: number | undefined;
  /** The client used last, used again if the agent answers without a card (`withoutCard`). */
  #client: RunClient | undefined;
  readonly #open = new Set<ListenTimers>();
  /** Exchanges that were started: a request can be refused before it is sent. */
  readonly #begun = new Set<string>();

  /** `onHeard` is called at every sign of the agent. */
  constructor(agent: RunAgent, log: WireLog, wanted: WantedConnection | undefined, onHeard: () => void) {
    this.#agent = agent;
    this.#wanted = wanted;
    this.#log = {
      exchange: exchange => {
        this.#begun.add(exchange.id);
        log.exchange(exchange);
      },
      frames: (exchangeId, frames) => log.frames(exchangeId, frames),
      received: bytes => {
        this.#lastReceivedAt = performance.now();
        log.received?.(bytes);
        onHeard();
      },
      ...(log.passwords !== undefined && { passwords: log.passwords }),
      provisional: status => (this.#provisional = status),
    };
  }

  /** Aborted by `close`. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** The newest exchange over which something was sent; undefined if nothing was sent. */
  get lastExchange(): string | undefined {
    return this.exchangeIds.findLast(id => this.#begun.has(id));
  }

  /** When the agent last sent anything, by `performance.now()`; undefined if it has not. */
  get lastReceivedAt(): number | undefined {
    return this.#lastReceivedAt;
  }

  /** Status of the last interim answer (HTTP 1xx), if nothing but that came. */
  get provisional(): number | undefined {
    return this.#lastReceivedAt === undefined ? this.#provisional : undefined;
  }

  /** Aborted when the machine next wakes from sleep. */
  get awake(): AbortSignal {
    return this.#woken.signal;
  }

  /** The machine has slept: open connections may be dead without an error. */
  wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
    for (const timers of this.#open) void timers.look();
  }

  /** Breaks the open connections. */
  close(): void {
    this.#closed.abort();
  }

  /** See `Agent.prepare`; resolves at once when it is closed. */
  async prepare(): Promise<void> {
    await Promise.race([this.#agent.prepare(), abortOf(this.signal)]);
  }

  /** Rejects with a `Problem`; at once when it is closed. */
  async connect(): Promise<RunClient> {
    const { signal } = this;
    const closed = Promise.withResolvers<never>();
    const onAbort = (): void => closed.reject(new ConnectionProblem('cancelled', sentence('The request was canceled.'), 'no'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#client = await Promise.race([this.#agent.connect({ wanted: this.#wanted }), closed.promise]);
      return this.#client;
    } catch (error) {
      // The agent may answer about the task even if its card cannot be read.
      if (this.#client !== undefined && error instanceof Problem && withoutCard.includes(error.code)) return this.#client;
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** GetTask; given up when `until` is aborted. */
  async ask(id: string, until?: AbortSignal): Promise<FoundTask> {
    const client = await this.connect();
    const signal = until === undefined ? this.signal : AbortSignal.any([this.signal, until]);
    const { result, exchangeId, findings } = await client.call('GetTask', { id, historyLength }, { ...this.#options(), signal });
    return { task: result, exchangeId, findings };
  }

  /** CancelTask; goes on when listening is closed. */
  cancel(id: string, timeoutMs: number): Promise<FoundTask> {
    return this.#callAfterClose('CancelTask', { id }, timeoutMs);
  }

  /** GetTask, also when listening is closed. */
  askAfterClose(id: string, timeoutMs: number): Promise<FoundTask> {
    return this.#callAfterClose('GetTask', { id, historyLength }, timeoutMs);
  }

  /** Reads an answer to its end, or for as long as that is useful. Resolves to the `Problem` that ended it early, if any. */
  async listen(open: (options: ListenOptions) => AsyncIterable<Batch>, handler: StreamHandler): Promise<Problem | undefined> {
    const enough = new AbortController();
    // Of several signals one cannot be made cheaply: `AbortSignal.any` keeps weak references, which cost with every garbage collection.
    const stop = new AbortController();
    const end = (): void => stop.abort();
    const timers = new ListenTimers(handler, () => {
      enough.abort();
      stop.abort();
    });
    this.#open.add(timers);
    this.signal.addEventListener('abort', end, { once: true });
    if (this.signal.aborted) stop.abort();
    const { log, exchangeId } = this.#options();
    const received = (bytes?: number): void => {
      if (bytes !== undefined) timers.bytesArrived();
      log.received?.(bytes);
    };
    let first = true;
    try {
      for await (const batch of open({ log: { ...log, received }, exchangeId, signal: stop.signal })) {
        if (!this.exchangeIds.includes(batch.exchangeId)) this.exchangeIds.push(batch.exchangeId);
        const ready = handler.whenReady();
        if (ready !== undefined) {
          timers.pause();
          await Promise.race([ready, abortOf(this.signal)]);
        }
        if (this.signal.aborted || !handler.take(batch, first)) break;
        first = false;
        if (batch.events.length > 0 || ready !== undefined) timers.eventsArrived();
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return enough.signal.aborted && !this.signal.aborted ? timers.problem : error;
    } finally {
      this.#open.delete(timers);
      timers.stop();
      this.signal.removeEventListener('abort', end);
    }
  }

  async #callAfterClose<O extends 'CancelTask' | 'GetTask'>(
    operation: O,
    params: OperationParams[O],
    timeoutMs: number,
  ): Promise<FoundTask> {
    const client = await this.#agent.connect({ wanted: this.#wanted });
    const { result, exchangeId, findings } = await client.call(operation, params, { ...this.#options(), timeoutMs });
    return { task: result, exchangeId, findings };
  }

  #options(): { readonly log: WireLog; readonly exchangeId: string } {
    const exchangeId = randomUUID();
    this.exchangeIds.push(exchangeId);
    return { log: this.#log, exchangeId };
  }
}

/** Decides when an open answer was read for long enough, or was silent for so long that a check of the agent is due. */
class ListenTimers {
  /** The result of that check. */
  problem: Problem | undefined;
  readonly #handler: StreamHandler;
  readonly #onEnough: () => void;
  #linger: NodeJS.Timeout | undefined;
  /** How long `#linger` waits. */
  #longest: number | undefined;
  readonly #silence: NodeJS.Timeout;
  /** Runs since the first bytes that brought no event. */
  #keptAlive: NodeJS.Timeout | undefined;
  #isLate = false;
  #looking = false;

  constructor(handler: StreamHandler, enough: () => void) {
    this.#handler = handler;
    this.#onEnough = enough;
    this.#silence = setTimeout(() => void this.look(), handler.silence);
  }

  /** Bytes arrived; `eventsArrived` follows if they complete an event. */
  bytesArrived(): void {
    this.#keptAlive ??= setTimeout(() => {
      this.#isLate = true;
      void this.look();
    }, this.#handler.keptAlive);
  }

  eventsArrived(): void {
    this.#clearKeptAlive();
    this.#wait(this.#handler.idleTimeout());
    this.#silence.refresh();
  }

  /** Reading pauses. */
  pause(): void {
    this.#clearKeptAlive();
    clearTimeout(this.#linger);
  }

  /** The agent has said something. */
  #clearKeptAlive(): void {
    clearTimeout(this.#keptAlive);
    this.#keptAlive = undefined;
    this.#isLate = false;
  }

  /** Restarts the wait. */
  #wait(longest: number | undefined): void {
    clearTimeout(this.#linger);
    this.#longest = longest;
    this.#linger = longest === undefined ? undefined : setTimeout(this.#onEnough, longest);
  }

  stop(): void {
    this.pause();
    clearTimeout(this.#silence);
  }

  /** Checks whether the agent is still there. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (await this.#handler.onSilence()) this.#clearKeptAlive();
      else if (this.#isLate) throw onlyKeptAlive(this.#handler.keptAlive);
      // Without a sign the wait goes on, unless the result changes how long it may be.
      const longest = this.#handler.idleTimeout();
      if (longest !== this.#longest) this.#wait(longest);
      this.#silence.refresh();
    } catch (error) {
      this.problem =
        error instanceof Problem ? error : new Problem('defect', sentence('Internal error in A2A Workbench.'), { cause: error });
      this.#onEnough();
    } finally {
      this.#looking = false;
    }
  }
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

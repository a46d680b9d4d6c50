import { setTimeout } from 'node:timers/promises';
import type { Task } from '../../protocol/message/task.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { trackUsedValues, type UsedValues } from '../../request/resolve/usedValues.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { systemHost } from '../../request/template/functions.ts';
import { promptingOnce } from '../../request/values/valueSources.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { isCleanup } from '../../request/file/control.ts';
import { resolveUntil, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { rowsOf } from '../../request/resolve/rows.ts';
import { hasRows } from '../../request/file/writtenRows.ts';
import { merged, noValues } from '../../request/text/value.ts';
import { now } from '../now.ts';
import { Emitter, type Event } from '../emitter.ts';
import { together, type RequestOutcome, type RowOutcome } from './requestOutcome.ts';
import type { EarlierRun } from './requestContinuation.ts';
import type { RequestAgent, SpokenInterface } from './requestPorts.ts';
import { RequestAttempt } from './requestAttempt.ts';
import { sendWithRepeats, type PauseReason } from './requestRepeats.ts';
import { refuseStopped, unlessStopped } from './requestStop.ts';
import { accepted, snapshotName, snapshotNames, withSnapshotOf } from './snapshotResult.ts';
import type { SendContext } from './sendContext.ts';

/** Dependencies of a run. */
interface RequestRunNeeds extends Omit<SendContext, 'signal' | 'onDidChange'> {
  /** Positions of the rows that are sent; left out, all of them. */
  readonly rows?: ReadonlySet<number>;
  /** Runs what must come first; rejects with a `Problem` where that failed. */
  readonly first: (signal: AbortSignal) => Promise<void>;
}

/** A request, or one of its rows, that is sent once or as often as it says. */
interface OneSending {
  readonly entry: RequestEntry;
  /** Values that the rows of data were made of. */
  readonly rows?: UsedValues;
  /** Name of its snapshot. */
  readonly name: string;
}

/** One sending of a request that has rows; without an outcome where it is to come or under way. */
interface RunRow {
  readonly label: string;
  /** Position among all rows of the data, from 0. */
  readonly index: number;
  readonly outcome?: RequestOutcome;
}

/** A wait of a request. `until`: when it ends, milliseconds since the epoch. */
interface Pause {
  readonly why: PauseReason;
  readonly until: number;
}

/** One request of a file under way, or over. */
export class RequestRun {
  readonly entry: RequestEntry;
  /** Resolves when it is over. Never rejects: what went wrong is in `problem`. */
  readonly done: Promise<RequestOutcome>;
  /** Where each row went that was sent, by its position. */
  readonly ends = new Map<number, Pick<EarlierRun, 'agent' | 'contextKey'>>();
  readonly #needs: RequestRunNeeds;
  readonly #context: SendContext;
  readonly #changed: Emitter<void>;
  readonly #cancel = new AbortController();
  /** The last one; a request with rows of data is sent once for each. */
  #sending: RequestAttempt;
  #startedAt = now();
  #outcome: RequestOutcome | undefined;
  #rest: Promise<RequestOutcome> | undefined;
  #refusal: Problem | undefined;
  #rows: readonly RunRow[] = [];
  #pause: Pause | undefined;

  constructor(entry: RequestEntry, needs: RequestRunNeeds) {
    this.entry = entry;
    this.#needs = needs;
    this.#changed = new Emitter(needs.onError);
    this.#context = { ...needs, signal: this.#cancel.signal, onDidChange: () => this.#changed.fire() };
    this.#sending = new RequestAttempt(this.entry, this.#context);
    this.done = this.#perform();
  }

  /** Something that is shown changed: it began, its task moved, it is over. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get running(): boolean {
    return this.#outcome === undefined;
  }

  get stopping(): boolean {
    return this.#cancel.signal.aborted && this.running && this.#refusal === undefined;
  }

  /** The current wait before a request is sent, or sent again. */
  get pause(): Pause | undefined {
    return this.#pause;
  }

  /** Why its task goes on, and is waited for, although it was stopped. */
  get refusal(): Problem | undefined {
    return this.running ? this.#refusal : undefined;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** Undefined while it runs. */
  get outcome(): RequestOutcome | undefined {
    return this.#outcome;
  }

  /** In their order, those that are still to come as well; empty until the data is read, and for a request without rows. */
  get rows(): readonly RunRow[] {
    return this.#rows;
  }

  /** Known once the agent is found. */
  get agent(): RequestAgent | undefined {
    return this.#sending.agent;
  }

  /** The interface in use; known once the agent's card is. */
  get chosen(): SpokenInterface | undefined {
    return this.#sending.chosen;
  }

  /** Key of the context it belongs to in the history; undefined until it is sent, and for what belongs to none. */
  get contextKey(): string | undefined {
    return this.#sending.contextKey;
  }

  /** The request with templates filled in. */
  get resolved(): ResolvedRequest | undefined {
    return this.#sending.resolved;
  }

  /** The task as it is at the moment. */
  get task(): Task | undefined {
    return this.#outcome === undefined ? this.#sending.task : this.#outcome.task;
  }

  /** State of the task; cheap enough for every event. */
  get state(): TaskState | undefined {
    return this.#outcome === undefined ? this.#sending.state : this.#outcome.task?.status.state;
  }

  /** See `RequestAttempt`. */
  get polling(): LocalizedMessage | undefined {
    return this.running ? this.#sending.polling : undefined;
  }

  /**
   * The outcome once the task is over or waits for something: of a request that returned at once, the agent is listened to again. It is the
   * outcome of the run from then on. Never rejects.
   */
  rest(): Promise<RequestOutcome> {
    this.#rest ??= this.done.then(async outcome => {
      if (!this.#sending.left) return outcome;
      this.#outcome = { ...withSnapshotOf(outcome, await this.#sending.rest()), startedAt: outcome.startedAt };
      this.#changed.fire();
      return this.#outcome;
    });
    return this.#rest;
  }

  /**
   * Cancels the task at the agent where one runs, and stops waiting; a task on which the agent refuses that is waited for, and may be stopped
   * once more. Also stops what runs first for it.
   */
  stop(): void {
    if (this.stopping || !this.running) return;
    this.#refusal = undefined;
    this.#cancel.abort();
    void this.#cancelSending();
    this.#changed.fire();
  }

  /**
   * Makes the answer the snapshot of the request where it differs from that, or there is none.
   * @param index of the row; left out, all of them
   * @throws Problem
   */
  acceptSnapshots(index?: number): void {
    const { snapshots } = this.#needs;
    const outcome = this.#outcome;
    if (outcome === undefined || snapshots === undefined) return;
    const isMeant = (row: RowOutcome): boolean => index === undefined || row.index === index;
    const rows = outcome.rows?.map(row => (isMeant(row) ? { ...row, outcome: accepted(row.outcome, snapshots) } : row));
    this.#rows = this.#rows.map(row => rows?.find(one => one.index === row.index) ?? row);
    this.#outcome = rows === undefined ? accepted(outcome, snapshots) : together(rows, outcome.startedAt);
    this.#changed.fire();
  }

  async #cancelSending(): Promise<void> {
    const refusal = await this.#sending.stop();
    if (refusal === undefined || !this.running) return;
    this.#refusal = refusal;
    this.#changed.fire();
  }

  async #perform(): Promise<RequestOutcome> {
    const outcome = await this.#attempt();
    this.#outcome = outcome;
    if (!this.#sending.left) this.#sending.dropState();
    this.#changed.fire();
    return outcome;
  }

  async #attempt(): Promise<RequestOutcome> {
    try {
      await this.#confirm();
      await this.#needs.first(this.#cancel.signal);
      this.#startedAt = now();
      this.#sending = new RequestAttempt(this.entry, this.#context);
      const scope = this.#scope();
      return hasRows(this.entry)
        ? await this.#sendRows(scope)
        : await this.#sendOne(scope, { entry: this.entry, name: snapshotName(this.entry) });
    } catch (error) {
      return this.#sending.failed(error);
    }
  }

  #scope(): Scope {
    const { file, host = systemHost, values, onDraw } = this.#needs;
    const functions = host.sources === undefined ? host : { ...host, sources: promptingOnce(host.sources) };
    return { file, values, functions, onUse: onDraw, result: name => this.#needs.earlier(name)?.outcome };
  }

  /** Once, or as often as the request says. Never rejects. */
  async #sendOne(scope: Scope, { entry, rows, name }: OneSending): Promise<RequestOutcome> {
    const { contexts } = this.#needs.model;
    let before: RequestOutcome | undefined;
    try {
      const last = await sendWithRepeats(entry, await resolveUntil(entry, scope), {
        send: async () => {
          // Whatever happened, it is cleaned up.
          if (contexts.full !== undefined && !isCleanup(entry)) throw contexts.full;
          this.#sending = new RequestAttempt(entry, this.#context);
          const outcome = await this.#sending.perform(scope, rows);
          contexts.keepResult?.(outcome, before);
          before = outcome;
          return { outcome, released: this.#sending.resolved !== undefined };
        },
        pause: (ms, why) => this.#wait(ms, why),
      });
      return this.#sending.withSnapshot(last, name);
    } catch (error) {
      return this.#sending.failed(error);
    }
  }

  async #wait(ms: number, why: PauseReason): Promise<void> {
    this.#pause = { why, until: now() + ms };
    this.#changed.fire();
    const enough = new AbortController();
    try {
      refuseStopped(this.#cancel.signal);
      await unlessStopped(
        setTimeout(ms, undefined, { signal: enough.signal }).catch(() => {}),
        this.#cancel.signal,
      );
    } finally {
      enough.abort();
      this.#pause = undefined;
      this.#changed.fire();
    }
  }

  /** One after the other; a row that fails keeps no other from being sent. */
  async #sendRows(scope: Scope): Promise<RequestOutcome> {
    const { signal } = this.#cancel;
    refuseStopped(signal);
    const { value: all, drawn } = await trackUsedValues(scope, inner => rowsOf(this.entry, inner));
    const rows = all.filter(({ index }) => this.#needs.rows?.has(index) !== false);
    refuseStopped(signal);
    const outcomes: RowOutcome[] = [];
    this.#rows = rows.map(({ label, index }) => ({ label, index }));
    this.#changed.fire();
    const names = snapshotNames(this.entry, all);
    for (const [position, { label, index, values, target }] of rows.entries()) {
      if (signal.aborted) break;
      const entry = target === undefined ? this.entry : this.entry.sentTo(target);
      const row = { ...scope, values: merged(scope.values ?? noValues, values) };
      const outcome = await this.#sendOne(row, { entry, rows: drawn, name: names[index] ?? label });
      outcomes.push({ label, index, outcome });
      this.ends.set(index, { agent: this.agent, contextKey: this.contextKey });
      this.#rows = this.#rows.with(position, { label, index, outcome });
      this.#changed.fire();
    }
    return together(outcomes, this.#startedAt);
  }

  async #confirm(): Promise<void> {
    const asked: unknown = this.entry.members.get('confirm')?.value?.value;
    if (asked === undefined || asked === false) return;
    const question = typeof asked === 'string' ? asked : undefined;
    if (await unlessStopped(this.#needs.confirm?.({ entry: this.entry, question }) ?? Promise.resolve(false), this.#cancel.signal)) return;
    throw new Problem('not-confirmed', sentence('The request was not sent, because it was not confirmed.'), {
      nextStep: hint(sentence('Confirm it.'), 'Confirm it, or run it with --yes.'),
    });
  }
}

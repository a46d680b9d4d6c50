import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, adviseOnFinished, isTaskNotFound } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import { taskIdOf } from '../../protocol/message/streamResponse.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isActive, isTerminal } from '../../protocol/message/taskState.ts';
import { sentence } from '../../protocol/problem.ts';
import type { Recording } from '../../recording/recording.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import { gapOf, lostWithStream } from '../run/gap.ts';
import type { RecordListener, RecordOptions } from '../run/journal.ts';
import { MessageDelivery } from '../run/messageDelivery.ts';
import { needsListener } from '../run/runScope.ts';
import { TaskLog } from '../run/taskLog.ts';
import { UpdateBatcher } from '../run/updateBatcher.ts';
import { HistoryWriter } from './historyWriter.ts';
import type { ReadExchange } from './recordedConversations.ts';

/** Most events that are taken in at once. */
const maxAtOnce = 500;
/** The process of the history that follows no task. */
const owner = 'recording';
/** Most of what a recording says of itself that is shown, in UTF-16 code units. */
const maxLacks = 1_000;

/** Writes one recorded conversation into a new context, in the order of its times, as a live one is written. */
export function writeConversation(
  store: TaskStore,
  exchanges: readonly ReadExchange[],
  { key, agent, recordedAt, lacks }: Pick<Recording, 'recordedAt' | 'lacks'> & { readonly key: string; readonly agent: string },
): void {
  store.putContext({ key, agent, at: recordedAt });
  if (lacks.length > 0)
    store.own.putGap(key, sentence('What this recording does not have: {0}', lacks.join(' ').slice(0, maxLacks)), { at: recordedAt });
  const journal = new RecordedJournal(store, key);
  const listeners = new Map<string, Listener>();
  const answers = exchanges.map(read => new RecordedAnswer(read, { store, key, journal, listeners }));
  const steps = answers.flatMap(answer => answer.steps).toSorted((one, other) => one.at - other.at);
  for (let from = 0, to = 1; from < steps.length; from = to++) {
    const { kind, answer } = steps[from]!;
    // The first event alone: its task begins with it.
    if (kind === 'events' && answer.isBegun) while (to - from < maxAtOnce && steps[to]?.kind === kind && steps[to]?.answer === answer) to++;
    journal.at = steps[to - 1]!.at;
    if (kind === 'begin') answer.begin();
    else if (kind === 'end') answer.end();
    else answer.take(to - from);
  }
  journal.flush();
}

interface Step {
  readonly at: number;
  readonly kind: 'begin' | 'events' | 'end';
  readonly answer: RecordedAnswer;
}

/** Writes what was recorded at its own time. No process follows its tasks. */
class RecordedJournal extends HistoryWriter {
  /** When it happens. Milliseconds since the epoch. */
  at = 0;
  /** Findings of events that were put together, by exchange: the history keeps them apart. */
  readonly noted = new Map<string, Finding[]>();

  constructor(store: TaskStore, key: string) {
    super({
      store,
      key,
      owner,
      onWritten: () => {},
      onFound: () => {},
      onError: error => {
        throw error;
      },
    });
  }

  protected override now(): number {
    return Math.floor(this.at);
  }

  override record(changes: readonly TaskChange[], { follow: _, ...options }: RecordOptions, listener?: RecordListener): boolean {
    const { exchangeId = '' } = options;
    const found = changes.flatMap(change => (change.kind === 'finding' ? [change.finding] : []));
    if (found.length > 0) this.noted.set(exchangeId, [...(this.noted.get(exchangeId) ?? []), ...found]);
    return super.record(changes, options, listener);
  }
}

/** Puts together what came of one task, over whatever exchanges. */
interface Listener {
  readonly updates: UpdateBatcher;
  readonly delivery?: MessageDelivery | undefined;
  /** Set while its stream is gone and the task is not over: what broke it, if the agent did not end it. */
  lost: { readonly cut: ConnectionProblem | undefined } | undefined;
}

interface RecordedScope {
  readonly store: TaskStore;
  readonly key: string;
  readonly journal: RecordedJournal;
  /** By task: the last one to which something of it came. */
  readonly listeners: Map<string, Listener>;
}

/** One recorded exchange, as it begins, goes on and ends. */
class RecordedAnswer {
  readonly #read: ReadExchange;
  readonly #scope: RecordedScope;
  readonly #log: TaskLog;
  #listener: Listener | undefined;
  #taken = 0;
  #hasEvents = false;

  constructor(read: ReadExchange, scope: RecordedScope) {
    this.#read = read;
    this.#scope = scope;
    this.#log = new TaskLog({
      journal: scope.journal,
      taskId: () => this.#listener?.updates.reducer.task?.id,
      most: () => Infinity,
      onFull: () => {},
    });
  }

  /** In the order of time. */
  get steps(): readonly Step[] {
    const { exchange, batches } = this.#read;
    const end = endOf(this.#read);
    return [
      { at: exchange.startedAt, kind: 'begin', answer: this },
      ...batches.map(({ frames }): Step => ({ at: frames[0]?.at ?? end, kind: 'events', answer: this })),
      { at: end, kind: 'end', answer: this },
    ];
  }

  get isBegun(): boolean {
    return this.#taken > 0;
  }

  begin(): void {
    const { exchange, message, batches } = this.#read;
    const { response: _, headersAt: __, endedAt: ___, failure: ____, ...begun } = exchange;
    this.#log.exchange({ ...begun, findings: [] });
    const { operation } = exchange;
    if (message !== undefined) this.#listener = this.#send(message);
    else if (operation === 'SubscribeToTask' || operation === 'GetTask' || operation === 'CancelTask') {
      const named = batches.flatMap(({ events }) => events.map(taskIdOf)).find(id => id !== undefined && id !== '');
      if (named !== undefined) this.#listener = this.#scope.listeners.get(named) ?? { updates: this.#updates(named), lost: undefined };
    }
  }

  /** Takes in so many more batches. */
  take(count: number): void {
    const { exchange, batches } = this.#read;
    const some = batches.slice(this.#taken, this.#taken + count);
    this.#taken += count;
    const frames = some.flatMap(batch => batch.frames);
    if (frames.length > 0) this.#log.frames(exchange.id, frames);
    for (const { data } of frames) this.#log.received(data.length);
    const events = some.flatMap(batch => batch.events);
    const listener = this.#listener;
    if (listener === undefined || events.length === 0) return;
    const isFirst = !this.#hasEvents;
    this.#hasEvents = true;
    const { updates, delivery } = listener;
    const [event] = events;
    if (this.#isQuestion && event !== undefined && 'task' in event) {
      const gap = listener.lost && gapOf(listener.lost.cut);
      listener.lost = undefined;
      if (updates.reducer.task === undefined) updates.adopt(event.task, exchange.id);
      else updates.merge(event.task, exchange.id, { gap, polled: exchange.operation === 'GetTask' });
      delivery?.find(event.task);
    } else {
      if (exchange.operation === 'SubscribeToTask') updates.reducer.task?.joinMidway();
      const frameOf = some.flatMap(batch => batch.frameOf ?? []);
      updates.take({ exchangeId: exchange.id, events, frames, findings: [], ...(frameOf.length > 0 && { frameOf }) }, isFirst);
      updates.flush();
    }
    this.#listen(listener);
  }

  end(): void {
    const { exchange } = this.#read;
    const { journal } = this.#scope;
    const listener = this.#listener;
    if (this.#read.message !== undefined && listener?.delivery !== undefined) this.#settle(listener, listener.delivery);
    else if (exchange.operation === 'SubscribeToTask' && listener !== undefined) this.#leave(listener);
    else if (this.#isQuestion && this.#read.asked !== undefined) this.#refuse(this.#read.asked);
    this.#log.exchange({ ...ended(this.#read), findings: without(exchange.findings, journal.noted.get(exchange.id) ?? []) });
    this.#log.settle();
    journal.flush();
  }

  get #isQuestion(): boolean {
    return this.#read.exchange.operation === 'GetTask' || this.#read.exchange.operation === 'CancelTask';
  }

  #send(message: Message): Listener {
    const { journal } = this.#scope;
    const seq = journal.message(message, message.taskId);
    return {
      updates: this.#updates(message.taskId, { seq, message }),
      delivery: new MessageDelivery({ seq, message, kept: message, params: {}, takesOver: false }, journal),
      lost: undefined,
    };
  }

  #updates(taskId: string | undefined, sent?: { readonly seq: number; readonly message: Message }): UpdateBatcher {
    const { store, key, journal } = this.#scope;
    return new UpdateBatcher({
      journal,
      load: id => {
        const folded = new TaskReducer(id, store.taskDocument(key, id));
        if (sent !== undefined) folded.addKnownMessage(sent.message);
        if (sent !== undefined && id === taskId) folded.beginTurn(sent.message);
        return folded;
      },
      taskId,
      answers: sent?.seq,
      batch: 0,
      recordedNow: () => journal.at,
      onWritten: () => {},
      onDisowned: () => {},
      onFailure: error => {
        throw error;
      },
    });
  }

  /** Later answers about the task go on where this one ended. */
  #listen(listener: Listener): void {
    const { task, message } = listener.updates.reducer;
    const taskId = task?.id ?? message?.taskId;
    if (taskId !== undefined) this.#scope.listeners.set(taskId, listener);
  }

  /** How far a message got, and what went wrong: as a run decides it. */
  #settle(listener: Listener, delivery: MessageDelivery): void {
    const { exchange, message, fault } = this.#read;
    const { journal } = this.#scope;
    const { updates } = listener;
    const { answered } = updates;
    const { task } = updates.reducer;
    if (message?.taskId !== undefined && task !== undefined && isTerminal(task.state)) adviseOnFinished(fault);
    delivery.settle(answered, fault);
    if (!answered) delivery.keep(exchange.id);
    if (fault === undefined && task?.asksAgain === true) updates.askAgain();
    const toldAll = task === undefined ? updates.reducer.message !== undefined : !isActive(task.state);
    const isCut = fault instanceof ConnectionProblem && answered;
    if (fault !== undefined && !(isCut && (toldAll || task !== undefined))) {
      journal.problem(fault, { ...(task !== undefined && { taskId: task.id }), exchangeId: exchange.id });
      if (task !== undefined && isTaskNotFound(fault)) journal.loseTask(task.id, exchange.id);
    }
    this.#leave(listener);
  }

  /** The agent does not say how a task stands: where its stream is gone, that is how it ends here. */
  #refuse(taskId: string): void {
    const { fault, exchange } = this.#read;
    const { journal, listeners } = this.#scope;
    const listener = listeners.get(taskId);
    if (fault instanceof A2AError && listener?.lost !== undefined) {
      const { cut } = listener.lost;
      const gap = gapOf(cut);
      if (gap !== undefined && !isTaskNotFound(fault)) listener.updates.miss(gap);
      listener.lost = undefined;
      journal.problem(lostWithStream(cut, fault), { taskId, exchangeId: exchange.id });
    }
    if (isTaskNotFound(fault)) journal.loseTask(taskId, exchange.id);
  }

  /** A stream has ended: what ended under another id counts, and what comes of the task later may not be all. */
  #leave(listener: Listener): void {
    const { fault, exchange } = this.#read;
    const { updates } = listener;
    const { ending, task } = updates.reducer;
    if (task === undefined || !needsListener(task.state)) return;
    const cut = fault instanceof ConnectionProblem ? fault : undefined;
    if (ending?.status.state === 'TASK_STATE_FAILED' && (fault === undefined || cut !== undefined)) updates.endAs(ending);
    else if (exchange.operation !== 'SendMessage') listener.lost = { cut };
  }
}

/** When an exchange ended, as far as that was recorded. */
function endOf({ exchange, frames }: ReadExchange): number {
  return exchange.endedAt ?? frames.at(-1)?.at ?? exchange.headersAt ?? exchange.startedAt;
}

/** An exchange that was under way when the recording ended goes on no more. */
const ended = (read: ReadExchange): Exchange =>
  read.exchange.endedAt === undefined
    ? { ...read.exchange, endedAt: endOf(read), failure: 'The recording ends before its answer.' }
    : read.exchange;

/** The findings without those that the history keeps apart. */
function without(findings: readonly Finding[], noted: readonly Finding[]): readonly Finding[] {
  const keyOf = ({ rule, pointer, message }: Finding): string => JSON.stringify([rule, pointer, message]);
  const apart = new Set(noted.map(keyOf));
  return findings.filter(finding => !apart.has(keyOf(finding)));
}

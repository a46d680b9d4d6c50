import { randomUUID } from 'node:crypto';
import type { AgentClient } from '../../client/agentClient.ts';
import type { CallOptions } from '../../client/transport/transport.ts';
import type { OperationParams, StreamingOperation } from '../../protocol/message/operations.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { compareSeen, compareShape, type Difference } from './compareSeen.ts';
import type { CutResult, ResumeResult, SentTwice } from './resumeReport.ts';
import { SeenTask } from './seenTask.ts';

/** Most streams that are cut over one interface. */
const maxCuts = 20;
/** Most messages over one interface: two runs that are not cut, the cut ones, and the message that is sent a second time. */
export const maxResumeMessages = maxCuts + 3;

/** In milliseconds. */
export interface ResumeWaits {
  /** For a run that is not cut. */
  readonly whole: number;
  /** For the end of a task after a cut, even if the run that was not cut was quicker. */
  readonly least: number;
  /** Between two GetTask. */
  readonly poll: number;
}

const resumeWaits: ResumeWaits = { whole: 120_000, least: 10_000, poll: 500 };

export interface ResumeOptions {
  readonly client: AgentClient;
  /** Sent each time, with an id of its own. */
  readonly parts: readonly Part[];
  readonly log: NonNullable<CallOptions['log']>;
  /** Ends it: what was cut until then is in the result. */
  readonly signal: AbortSignal;
  readonly waits?: ResumeWaits | undefined;
  /** Called before each message. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** How the reading of a stream ended; `stayed` where nothing but the time limit ended it. */
type Left = 'over' | 'cut' | 'closed' | 'stayed' | Problem;

/**
 * Cuts the stream of a message after its first event, that of another after its second, and so on, takes each up again as a client does that
 * lost its connection (SubscribeToTask, else GetTask), and compares the outcome with a run that was not cut. Last it sends a message twice.
 */
export async function resumeCheck(options: ResumeOptions): Promise<Omit<ResumeResult, 'interface'>> {
  const found: Found = { events: 0, isSteady: true, cuts: [] };
  try {
    await new ResumeRun(options).into(found);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    found.remark = sentence('Stopped before all streams were cut.');
  }
  return found;
}

type Found = { -readonly [K in keyof Omit<ResumeResult, 'interface' | 'cuts'>]: ResumeResult[K] } & { cuts: CutResult[] };

class ResumeRun {
  readonly #options: ResumeOptions;
  readonly #waits: ResumeWaits;
  /** Longest wait for the end of a task after a cut, in milliseconds. */
  #waitMs: number;
  #sent = 0;
  #total = maxResumeMessages;

  constructor(options: ResumeOptions) {
    this.#options = options;
    this.#waits = options.waits ?? resumeWaits;
    this.#waitMs = this.#waits.whole;
  }

  async into(found: Found): Promise<void> {
    const first = this.#message();
    const startedAt = performance.now();
    const whole = new SeenTask();
    const left = await this.#send(first, whole);
    found.events = whole.events;
    const obstacle = obstacleIn(whole, left);
    if (obstacle !== undefined) {
      found.obstacle = obstacle;
      return;
    }
    this.#waitMs = Math.min(this.#waits.whole, Math.max(this.#waits.least, 3 * (performance.now() - startedAt)));
    const again = new SeenTask();
    await this.#send(this.#message(), again);
    found.isSteady = compareSeen(whole, again).outcome === 'same';
    const count = Math.min(maxCuts, whole.events - 1);
    this.#total = count + 3;
    for (let after = 1; after <= count; after++) found.cuts.push(await this.#cut(after, whole, found.isSteady));
    found.sentTwice = await this.#sendAgain(first, whole);
  }

  #message(): Message {
    return { messageId: randomUUID(), role: 'ROLE_USER', parts: [...this.#options.parts] };
  }

  #send(message: Message, seen: SeenTask, most?: number): Promise<Left> {
    this.#options.onProgress?.(this.#sent++, this.#total);
    return this.#read('SendStreamingMessage', { message }, seen, most);
  }

  /** Reads a stream until the task is over, for as many events as are wanted; leaving it closes the connection. */
  async #read<O extends StreamingOperation>(operation: O, params: OperationParams[O], seen: SeenTask, most = Infinity): Promise<Left> {
    const { client, log, signal } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#waitMs);
    const before = seen.events;
    try {
      for await (const { events } of client.stream(operation, params, { signal: AbortSignal.any([signal, late.signal]), log }))
        for (const event of events) {
          seen.take(event);
          if (seen.isOver) return 'over';
          if (seen.isTooMuch) return 'stayed';
          if (seen.events - before >= most) return 'cut';
        }
      return 'closed';
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem)) throw error;
      if (late.signal.aborted) return 'stayed';
      return seen.events > before ? 'closed' : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #cut(after: number, whole: SeenTask, isSteady: boolean): Promise<CutResult> {
    const seen = new SeenTask();
    const left = await this.#send(this.#message(), seen, after);
    if (left === 'over') return { after, how: 'uncut', ...(await this.#compared(whole, seen, isSteady)) };
    if (left !== 'cut' || seen.id === undefined)
      return {
        after,
        how: 'uncut',
        outcome: 'never ended',
        details: left instanceof Problem ? left.sentence : sentence('The stream ended before it was cut, and the task had not.'),
      };
    const joined = await this.#read('SubscribeToTask', { id: seen.id }, seen);
    if (joined === 'over') return { after, how: 'subscribed', ...(await this.#compared(whole, seen, isSteady)) };
    const how = joined instanceof Problem ? 'asked' : 'subscribed';
    if (joined === 'stayed') return { after, how, outcome: 'never ended', details: await this.#silence(seen.id) };
    const asked = await this.#ask(seen.id, seen);
    if (asked === 'over') return { after, how, ...(await this.#compared(whole, seen, isSteady)) };
    if (asked === 'stayed') return { after, how, outcome: 'never ended', details: await this.#silence(seen.id) };
    const refused = joined instanceof Problem ? sentence('{0} {1}', joined.sentence, asked.sentence) : asked.sentence;
    return { after, how: joined instanceof Problem ? 'refused' : how, outcome: 'lost', details: refused };
  }

  /** Asks for the task until it is over. */
  async #ask(id: string, seen: SeenTask): Promise<'over' | 'stayed' | Problem> {
    const { signal } = this.#options;
    const until = performance.now() + this.#waitMs;
    for (;;) {
      const task = await this.#task(id);
      if (task instanceof Problem) return task;
      seen.replace(task);
      if (seen.isOver) return 'over';
      if (performance.now() >= until) return 'stayed';
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, this.#waits.poll);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
      signal.throwIfAborted();
    }
  }

  async #task(id: string) {
    const { client, log, signal } = this.#options;
    try {
      return (await client.call('GetTask', { id }, { log, signal })).result;
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem)) throw error;
      return error;
    }
  }

  async #silence(id: string): Promise<LocalizedMessage> {
    const task = await this.#task(id);
    const seconds = Math.ceil(this.#waitMs / 1000);
    return task instanceof Problem
      ? sentence('No end of the task within {0} s.', seconds)
      : sentence('No end of the task within {0} s; GetTask answers {1}.', seconds, task.status.state);
  }

  /** An agent that answers otherwise each time is measured by its own record of the task, as far as that has more, or the same once. */
  async #compared(whole: SeenTask, seen: SeenTask, isSteady: boolean): Promise<Difference> {
    if (isSteady) return compareSeen(whole, seen);
    const task = seen.id === undefined ? undefined : await this.#task(seen.id);
    if (task !== undefined && !(task instanceof Problem)) {
      const record = new SeenTask();
      record.replace(task);
      const own = compareSeen(record, seen);
      if (own.outcome === 'lost' || own.outcome === 'repeated') return own;
    }
    return compareShape(whole, seen);
  }

  async #sendAgain(message: Message, whole: SeenTask): Promise<SentTwice> {
    const seen = new SeenTask();
    const left = await this.#send(message, seen);
    if (left instanceof Problem) return { outcome: 'refused', details: left.sentence };
    if (seen.isMessage) return { outcome: 'message' };
    if (seen.id === undefined) return { outcome: 'refused', details: sentence('The stream had no event.') };
    return { outcome: seen.id === whole.id ? 'same task' : 'second task' };
  }
}

/** Why there is nothing to cut in a run that was read to its end. */
function obstacleIn(whole: SeenTask, left: Left): LocalizedMessage | undefined {
  if (left instanceof Problem) return sentence('Not tested: {0}', left.sentence);
  if (whole.isMessage) return sentence('Not applicable: the agent answers with a message, so there is no task to resume.');
  if (whole.isTooMuch) return sentence('Not tested: the stream is too long to be compared.');
  if (left !== 'over' || whole.id === undefined)
    return sentence('Not tested: a stream that was not cut ended, or was left, before the end of its task.');
  return whole.events < 2 ? sentence('Not applicable: the task ends with the first event, so there is nothing to cut.') : undefined;
}

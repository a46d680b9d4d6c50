import { Problem, sentence } from '../../protocol/problem.ts';
import type { Frame } from '../../protocol/exchange.ts';
import type { Finding } from '../../protocol/finding.ts';
import { taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { readStreamResponse } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { parseJson } from '../http/parseJson.ts';
import type { TaskRestTiming } from './timing.ts';
import { PollIntervals } from './timing.ts';
import type { TaskSocket } from './taskSocket.ts';
import type { StreamBatch } from '../transport/transport.ts';

/** A task as read from an exchange. */
export interface ReceivedTask {
  readonly task: Task;
  readonly exchangeId: string;
  readonly findings: readonly Finding[];
}

interface TaskUpdatesOptions {
  readonly taskId: string;
  readonly version: Version;
  /** Source of updates; undefined where the agent has no WebSocket. */
  readonly socket: TaskSocket | undefined;
  /** The first answer: that of the request that starts the task, or of the first request for its state. */
  readonly answer: Promise<ReceivedTask>;
  /** Requests the task. Rejects with a `Problem`. */
  readonly ask: () => Promise<ReceivedTask>;
  readonly timing: TaskRestTiming;
  readonly signal: AbortSignal;
}

type Arrival =
  | { readonly kind: 'answer'; readonly received: ReceivedTask }
  | { readonly kind: 'frames'; readonly frames: readonly Frame[] | undefined }
  | { readonly kind: 'time' };

/** Most requests for a task that has ended according to the WebSocket; after these its last update is used alone. */
const maxFinalRequests = 4;

/**
 * Follows a task until it ends, from the first answer, from the WebSocket, and by polling where the WebSocket is silent, closes or never
 * opened. An update with a terminal state has no result, so the final task is requested from the agent.
 */
export async function* taskUpdates(options: TaskUpdatesOptions): AsyncGenerator<StreamBatch> {
  const { timing, signal, ask } = options;
  let { socket } = options;
  let answer: Promise<ReceivedTask> | undefined = options.answer;
  let frames = socket?.next();
  let updated = false;
  let last = '';
  const waits = new PollIntervals(timing);
  const batchOf = ({ task, exchangeId, findings }: ReceivedTask): StreamBatch => {
    const now = JSON.stringify(task);
    // The answer to the request may arrive after updates over the WebSocket: then it is out of date.
    const isChanged = now !== last && !(updated && task.status.state === 'TASK_STATE_SUBMITTED');
    last = now;
    return { exchangeId, frames: [], findings, events: isChanged ? [{ task }] : [] };
  };
  while (true) {
    const arrival = await nextArrival(answer, frames, socket === undefined ? waits : timing.silence, timing, signal);
    if (arrival.kind === 'frames') {
      frames = arrival.frames === undefined ? undefined : socket?.next();
      if (arrival.frames === undefined || socket === undefined) {
        socket = undefined;
        continue;
      }
      const { batch, end } = readFrames(arrival.frames, socket, options);
      updated ||= batch.events.length > 0 || end !== undefined;
      yield batch;
      if (end !== undefined) return yield* finalTask(end, batch.exchangeId, answer, options, waits);
      continue;
    }
    const received: ReceivedTask = arrival.kind === 'answer' ? arrival.received : await ask();
    answer = undefined;
    const batch = batchOf(received);
    if (batch.events.length > 0 || batch.findings.length > 0) yield batch;
    if (isTerminal(received.task.status.state)) return;
  }
}

/** Waits for the next update. Polling begins only after the first answer: before that the agent may not have the task. */
async function nextArrival(
  answer: Promise<ReceivedTask> | undefined,
  frames: Promise<readonly Frame[] | undefined> | undefined,
  wait: PollIntervals | number,
  timing: TaskRestTiming,
  signal: AbortSignal,
): Promise<Arrival> {
  const enough = new AbortController();
  const sources: Promise<Arrival>[] = [];
  if (frames !== undefined) sources.push(frames.then(some => ({ kind: 'frames', frames: some })));
  if (answer !== undefined) sources.push(answer.then(received => ({ kind: 'answer', received })));
  else
    sources.push(
      timing.sleep(typeof wait === 'number' ? wait : wait.next(), AbortSignal.any([signal, enough.signal])).then(() => ({ kind: 'time' })),
    );
  try {
    return await Promise.race(sources);
  } finally {
    for (const source of sources) source.catch(() => {});
    enough.abort();
  }
}

/** Reads the updates of this task in messages of the WebSocket, up to the one that ends it. Updates of other tasks are ignored. */
function readFrames(
  frames: readonly Frame[],
  { record }: TaskSocket,
  { taskId, version }: TaskUpdatesOptions,
): { readonly batch: StreamBatch; readonly end?: StreamResponse } {
  const before = record.findings.length;
  const events: StreamResponse[] = [];
  const frameOf: number[] = [];
  let end: StreamResponse | undefined;
  for (const { seq, data } of frames) {
    record.reading(seq);
    const event = readUpdate(data, taskId, version, record.note);
    if (event === undefined) continue;
    if (isEnd(event)) {
      end = event;
      break;
    }
    events.push(event);
    frameOf.push(seq);
  }
  record.reading(undefined);
  const batch = { exchangeId: record.id, events, frames, frameOf, findings: record.findings.slice(before) };
  return end === undefined ? { batch } : { batch, end };
}

const isEnd = (event: StreamResponse): boolean =>
  ('task' in event && isTerminal(event.task.status.state)) || ('statusUpdate' in event && isTerminal(event.statusUpdate.status.state));

function readUpdate(data: string, taskId: string, version: Version, note: TaskSocket['record']['note']): StreamResponse | undefined {
  try {
    const value = parseJson(data);
    if (value === undefined) {
      note('DATA-01', '', sentence('A WebSocket message is not JSON: {0}', JSON.stringify(data.slice(0, 80))));
      return undefined;
    }
    const event = readStreamResponse(value, version, note);
    return taskIdOf(event) === taskId ? event : undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note('DATA-01', '', error.sentence);
    return undefined;
  }
}

/** Yields the final task as the agent returns it; where it does not, the last update. */
async function* finalTask(
  end: StreamResponse,
  exchangeId: string,
  answer: Promise<ReceivedTask> | undefined,
  { ask, timing, signal }: TaskUpdatesOptions,
  waits: PollIntervals,
): AsyncGenerator<StreamBatch> {
  const bare: StreamBatch = { exchangeId, events: [end], frames: [], findings: [] };
  waits.reset();
  try {
    // The answer to the request that started the task may be about to arrive with the result.
    const late =
      answer === undefined
        ? undefined
        : await nextArrival(
            answer,
            timing.sleep(timing.silence, signal).then(() => undefined),
            0,
            timing,
            signal,
          );
    let received = late?.kind === 'answer' ? late.received : await ask();
    for (let times = 1; times < maxFinalRequests && !isTerminal(received.task.status.state); times++) {
      await timing.sleep(waits.next(), signal);
      received = await ask();
    }
    const { task } = received;
    yield isTerminal(task.status.state)
      ? { exchangeId: received.exchangeId, events: [{ task }], frames: [], findings: received.findings }
      : bare;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    yield bare;
    throw error;
  }
}

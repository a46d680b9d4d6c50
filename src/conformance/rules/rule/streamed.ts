import type { AgentCard } from '../../../protocol/card/agentCard.ts';
import { isInterrupted, isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { isObject } from '../../../protocol/json.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { headerMap } from './answerView.ts';
import { inOtherState, unknownPrompt } from './begun.ts';
import { fromUser } from './fromUser.ts';
import { expectError, failed, inconclusive, isRefused, notTestable, said } from './outcome.ts';
import type { Made, ProbeEvent, ProbePort, ProbeResult, ProbeStream } from './probe.ts';
import { ofOneTask, reportedState } from './reportedState.ts';

/** A stream that was read until it ended, or stayed silent for `graceMs` after the task ended or waited. */
export interface Streamed {
  readonly events: readonly ProbeEvent[];
  /** Those of them that are about the task of the stream: what is said of another is DATA-06's alone. */
  readonly own: readonly ProbeEvent[];
  readonly exchange: Exchange;
  /** The last state of that task in the stream. */
  readonly state: TaskState | undefined;
  /** True where the agent kept it open. */
  readonly stayedOpen: boolean;
  /** True where it was left since nothing came any more, before the task ended or waited. */
  readonly fellSilent: boolean;
  /** When it was left, as `performance.now()` counts; undefined where the agent ended it. */
  readonly leftAt: number | undefined;
}

/** How long a stream may stay open after the end of its task, in milliseconds. */
export const graceMs = 5_000;
/** How long one is watched that should stay open while its task waits. */
const watchMs = 500;
/** Longest time that a stream is read, in milliseconds, and most events: less than its request may take, so that what came is judged. */
const longestMs = 50_000;
const maxEvents = 2_000;

/** Longest silence in a stream of an agent that fell silent in one before, in milliseconds. */
const silentAgainMs = 1_000;
/** By the cards of agents of which a stream was read in vain: the longest silence in another, in milliseconds. */
const vain = new WeakMap<AgentCard, number>();

/** The verdict on a stream without a readable event. */
export const withoutEvents = (exchange: Exchange): ProbeResult => inconclusive({ exchange }, sentence('The stream had no readable event.'));

/** The same, unless an event came that can be read. */
export const unlessEvents = ({ events, exchange }: Pick<Streamed, 'events' | 'exchange'>): ProbeResult | undefined =>
  events.some(({ result, error }) => result !== undefined || error !== undefined) ? undefined : withoutEvents(exchange);

/** The verdict on a stream without the state that a check needs. @param wanted undefined where that is any end */
export const notReported = ({ exchange, state, fellSilent }: Streamed, wanted?: TaskState): ProbeResult =>
  fellSilent && state !== undefined
    ? inconclusive({ exchange }, sentence('No event came after {0}; the stream stayed open and was closed here.', state))
    : inOtherState({ exchange }, state, wanted);

const byPort = new WeakMap<ProbePort, Map<Made, Promise<Streamed | ProbeResult>>>();

/** The stream of a message that is sent once for all checks; the verdict where there is none. */
function streamed(port: ProbePort, what: Made): Promise<Streamed | ProbeResult> {
  const known = byPort.get(port) ?? new Map<Made, Promise<Streamed | ProbeResult>>();
  byPort.set(port, known);
  const now = known.get(what) ?? openStream(port, what);
  known.set(what, now);
  return now;
}

/** Runs a check on such a stream. */
export async function withStream(
  port: ProbePort,
  what: Made,
  check: (stream: Streamed) => ProbeResult | Promise<ProbeResult>,
): Promise<ProbeResult> {
  const stream = await streamed(port, what);
  return 'verdict' in stream ? stream : check(stream);
}

async function openStream(port: ProbePort, what: Made): Promise<Streamed | ProbeResult> {
  const parts = port.prompt(what);
  if (parts === undefined) return notTestable(unknownPrompt(what));
  const stream = await port.stream('SendStreamingMessage', { message: fromUser({ parts: [...parts] }) });
  const result = await follow(port, stream);
  const answer = stream.answer();
  // An answer that is not a stream may still be reported as one event.
  if (result.events.length === 0 && answer !== undefined)
    return inconclusive(answer, sentence('It answered {0} when it should stream.', said(answer)));
  return unlessEvents(result) ?? result;
}

/** True for a stream that is read as it comes: other media types are read once they are whole. */
const isReadAsItComes = ({ protocolBinding, response }: Exchange): boolean =>
  protocolBinding === 'GRPC' ||
  headerMap(response?.headers ?? [])
    .get('content-type')
    ?.startsWith('text/event-stream') === true;

/** True for an event that is a message (A2A 1.0 §3.1.2). */
export const isMessage = ({ result }: ProbeEvent): boolean => isObject(result) && isObject(result['message']);

/** Reads a stream until it ends, or for a while after the task has ended or waits. */
export async function follow(port: ProbePort, stream: ProbeStream): Promise<Streamed> {
  const events: ProbeEvent[] = [];
  const own: ProbeEvent[] = [];
  const isOwn = ofOneTask();
  let state: TaskState | undefined;
  let stayedOpen = false;
  const leave = (isOpen: boolean) => (): void => {
    stayedOpen = isOpen;
    leftAt = performance.now();
    stream.close();
  };
  let leftAt: number | undefined;
  // A stream that goes on and on does not put these off.
  const end = performance.now() + longestMs;
  const silentMs = vain.get(port.card) ?? longestMs;
  let lastAt = performance.now();
  let over: number | undefined;
  let timer = setTimeout(leave(false), silentMs);
  try {
    for await (const event of stream.events) {
      events.push(event);
      lastAt = performance.now();
      const isAbout = isOwn(event.result);
      if (isAbout) own.push(event);
      const told = isAbout ? readTaskState(reportedState(event.result)) : undefined;
      state = told ?? state;
      // A message that comes without a task is all that comes.
      const isOver = state === undefined ? isMessage(event) : isTerminal(state);
      if (told === undefined && !isOver && events.length < maxEvents) continue;
      clearTimeout(timer);
      if (isOver) over ??= performance.now() + graceMs;
      const waits = state !== undefined && isInterrupted(state);
      const until = Math.min(over ?? performance.now() + (waits ? watchMs : silentMs), end);
      timer = setTimeout(leave(over !== undefined || waits), events.length >= maxEvents ? 0 : Math.max(0, until - performance.now()));
    }
  } catch (error) {
    if (leftAt === undefined || !(error instanceof Problem)) throw error;
  } finally {
    clearTimeout(timer);
    stream.close();
  }
  const fellSilent = leftAt !== undefined && !stayedOpen && events.length < maxEvents;
  const streamed: Streamed = { events, own, exchange: stream.exchange()!, state, stayedOpen, fellSilent, leftAt };
  const wasSilent = fellSilent && performance.now() - lastAt > longestMs / 2;
  const answer = stream.answer();
  if (
    (answer === undefined || !isRefused(answer)) &&
    (wasSilent || unlessEvents(streamed) !== undefined || !isReadAsItComes(streamed.exchange))
  )
    vain.set(port.card, wasSilent ? silentAgainMs : (vain.get(port.card) ?? graceMs));
  return streamed;
}

/** The verdict on a stream that has to be refused with one of these errors. */
export async function expectRefusedStream(
  port: ProbePort,
  stream: ProbeStream,
  codes: readonly number[],
  evenLacking?: 'evenLacking',
): Promise<ProbeResult> {
  const heardOf = await follow(port, stream);
  const answer = stream.answer();
  // In 0.3 each streaming method is optional.
  if (answer !== undefined) return expectError(answer, codes, evenLacking ?? (port.version === '1.0' ? 'promised' : undefined));
  const [first] = heardOf.events;
  return {
    ...failed(heardOf, sentence('It streamed; it should refuse with {0}.', codes.join(' / '))),
    ...(first !== undefined && { frame: first.frame.seq }),
  };
}

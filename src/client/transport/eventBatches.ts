import { closedByClient, type Frame } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isPlainChunk } from '../../protocol/versions/shared/plainChunk.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import type { ExchangeRecord } from '../wireLog/exchangeRecord.ts';
import { nothingReadable } from '../sse/sse.ts';
import type { RawBatch } from './transport.ts';
import { StreamEnd } from './streamEnd.ts';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** Events of at least this many characters may take long to process. */
const long = 1024 * 1024;
/** Longest error text that a finding quotes, in characters. */
const maxQuoted = 300;

/** An answer whose headers were received, in any binding. */
export interface BegunAnswer {
  readonly exchange: { readonly record?: ExchangeRecord | undefined };
  /** Events, as many at a time as arrived together; one batch where the answer is not a stream. */
  content(): Promise<AsyncIterable<readonly Frame[]> | RawBatch>;
  /**
   * The results in an event: several where a server wrote several into one, none where it is unreadable (which is noted).
   * @throws Problem when the event is an error
   */
  open(frame: Frame): FrameContent;
  /** @throws Problem where nothing can be read */
  read(result: unknown): readonly StreamResponse[];
  /** Called when the agent has ended its stream; may note what the whole of it shows, as a finding of its last event. */
  readonly ended?: () => void;
  /** Creates the problem for a stream without any event. */
  silent(): Problem;
  /** See `RawBatch`. */
  readonly subscribes?: boolean;
  readonly version?: string;
}

/** The content of a frame. */
export interface FrameContent {
  readonly results: readonly unknown[];
  /** True where the frame's data is the JSON of its single result. */
  readonly isPlain: boolean;
  /** Why there is no result. It becomes a finding of the exchange, and the stream continues. */
  readonly problem?: Problem;
}

/**
 * Reads an answer batch by batch, for any binding, and ends its exchange. An unreadable event is noted and skipped. An event with an error
 * ends the stream after the events before it; after the end of the task it is only noted.
 * @param begin sends the request when iteration starts
 * @throws Problem of an event that is an error, or the reason why all events were unreadable
 */
export async function* eventBatches(begin: () => Promise<BegunAnswer>): AsyncGenerator<RawBatch> {
  const answer = await begin();
  const { version } = answer;
  const facts = { ...(answer.subscribes === true && { subscribes: true }), ...(version !== undefined && { version }) };
  const end = new StreamEnd();
  let reported = 0;
  let readable = false;
  let unreadable: Problem | undefined;
  /** The data of the first frame without a result. */
  let unread: string | undefined;
  /** The number of the latest frame. */
  let last: number | undefined;
  let ended: unknown = closedByClient;
  try {
    const content = await answer.content();
    if ('events' in content) {
      yield { ...content, ...facts };
      ended = undefined;
      return;
    }
    for await (const frames of content) {
      const record = answer.exchange.record!;
      record.frames(frames);
      const events: StreamResponse[] = [];
      const results: unknown[] = [];
      const frameOf: number[] = [];
      let failure: Problem | undefined;
      for (const frame of frames) {
        last = frame.seq;
        record.reading(last);
        let opened: FrameContent;
        try {
          opened = answer.open(frame);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          failure = error;
          break;
        }
        // Opening, reading and storing it can each take long, so they run in separate turns of the event loop.
        const isLong = frame.data.length >= long;
        if (isLong) await yieldToEventLoop();
        if (opened.problem !== undefined) {
          record.note('DATA-01', '', opened.problem.sentence);
          unreadable ??= opened.problem;
        }
        if (opened.results.length === 0) unread ??= frame.data;
        for (const result of opened.results) {
          results.push(result);
          try {
            for (const event of answer.read(result)) {
              events.push(event);
              frameOf.push(frame.seq);
            }
            readable = true;
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            record.note('DATA-01', '', error.sentence);
            unreadable ??= error;
          }
          // No rule applies to a chunk in the shape of A2A 1.0.
          if (!(opened.isPlain && events.at(-1) === result && isPlainChunk(result))) record.observe(frame, result);
        }
        if (isLong) await yieldToEventLoop();
      }
      record.reading(undefined);
      end.take(events);
      const findings = record.findings.slice(reported);
      reported += findings.length;
      yield { exchangeId: record.id, events, frameOf, results, frames, findings, ...facts };
      if (failure !== undefined) throw failure;
    }
    if (!readable) throw unreadable ?? (unread === undefined ? answer.silent() : nothingReadable(unread));
    const record = answer.exchange.record!;
    record.reading(last);
    answer.ended?.();
    if (record.findings.length > reported) yield afterEvents(record, reported);
    ended = undefined;
  } catch (error) {
    ended = error;
    // After the end of the task an error means nothing, and a broken connection does not matter.
    const { record } = answer.exchange;
    if (record === undefined || !end.isReported || !(error instanceof Problem) || error instanceof ConnectionProblem) throw error;
    ended = undefined;
    record.note('STRM-11', '', sentence('The agent sent an error after its task had ended: {0}', error.message.slice(0, maxQuoted)));
    yield afterEvents(record, reported);
  } finally {
    answer.exchange.record?.end(ended);
  }
}

/** A batch of the findings since `reported`, once all events were read. */
const afterEvents = ({ id, findings }: ExchangeRecord, reported: number): RawBatch => ({
  exchangeId: id,
  events: [],
  frameOf: [],
  results: [],
  frames: [],
  findings: findings.slice(reported),
});

import type { Frame } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { unauthorized, unreadableBody } from './agentError.ts';
import type { Envelope } from './envelope.ts';
import { eventBatches, withEnd, type Arrival, type Opened } from './eventBatches.ts';
import { readEventData } from '../sse/eventData.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { parseJson } from '../http/parseJson.ts';
import { RepeatedChunks } from '../sse/repeatedChunks.ts';
import { nothingReadable, readArrivals, readFrames, type StreamOptions } from '../sse/sse.ts';
import type { RawBatch } from './transport.ts';

/** How the results of one answer are read; both throw a Problem where there is nothing to read. */
export interface Reading {
  readonly envelope: Envelope;
  /** A result in an event of a stream. */
  readonly event: (result: unknown) => readonly StreamResponse[];
  /** The result in an answer that is no stream. */
  readonly body: (result: unknown) => readonly StreamResponse[];
}

const isEventStream = (response: HttpResponse): boolean => response.ok && response.mediaType === 'text/event-stream';

/** The answer to a unary operation. Where a stream came instead, its last readable result counts. */
export async function readUnary<Result>(response: HttpResponse, envelope: Envelope, read: (result: unknown) => Result): Promise<Result> {
  const { record } = response;
  if (!isEventStream(response)) return read(await readJson(response, envelope));
  record.note(envelope.rules.mediaType, '', 'The agent answered a plain request with an event stream.');
  let last: { readonly result: Result } | undefined;
  let unreadable: Problem | undefined;
  for await (const frames of readFrames(response.chunks(), streamOptions(response))) {
    record.frames(frames);
    for (const frame of frames) {
      const { results, problem } = open(frame, response, envelope);
      if (results.length === 0) unreadable ??= problem ?? nothingReadable(frame.data);
      for (const result of results) {
        try {
          last = { result: read(result) };
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          unreadable = error;
        }
      }
    }
  }
  if (last !== undefined) return last.result;
  throw unreadable ?? silent();
}

/**
 * An answer batch by batch. JSON that came instead of a stream is one batch without frames. An event that cannot be read is noted and
 * passed over; one that is an error ends the answer after the events before it.
 * @throws A2AError, ConnectionProblem; Problem `empty-answer` for a stream without any event, or what made all of them unreadable.
 */
export function readBatches(response: HttpResponse, reading: Reading): AsyncGenerator<RawBatch> {
  const batches = isEventStream(response)
    ? eventBatches(arrivals(response, reading.envelope), reading.event, silent)
    : bodyBatch(response, reading);
  return withEnd(batches, failure => response.record.end(failure));
}

const streamOptions = (response: HttpResponse): StreamOptions => ({
  credentials: response.record.credentials,
  abandon: () => response.discard(),
});

async function* arrivals(response: HttpResponse, envelope: Envelope): AsyncGenerator<Arrival> {
  const { record } = response;
  const chunks = new RepeatedChunks();
  for await (const { frames, isClean } of readArrivals(response.chunks(), streamOptions(response))) {
    yield {
      record,
      frames,
      open: index => open(frames[index]!, response, envelope),
      repeated: index => (isUnnamed(frames[index]!) ? chunks.read(frames[index]!.data, () => isClean(index)) : undefined),
      isPlain: index => {
        if (isUnnamed(frames[index]!)) chunks.learn(frames[index]!.data);
      },
    };
  }
}

/** The name of an event may say that it is an error. */
const isUnnamed = ({ event }: Frame): boolean => event === undefined;

async function* bodyBatch(response: HttpResponse, reading: Reading): AsyncGenerator<RawBatch> {
  const { record } = response;
  const result = await readJson(response, reading.envelope);
  const events = reading.body(result);
  yield { exchangeId: record.id, events, results: [result], frames: [], findings: [...record.findings] };
}

/** The body of an answer that is no stream, out of its envelope. */
async function readJson(response: HttpResponse, envelope: Envelope): Promise<unknown> {
  const body = await response.text();
  try {
    return opened(response, body, envelope);
  } catch (error) {
    if (error instanceof Problem && !response.ok) error.cameWith(response.status);
    throw error;
  }
}

function opened(response: HttpResponse, body: string, envelope: Envelope): unknown {
  const refused = unauthorized(response, body);
  if (refused !== undefined) throw refused;
  const { mediaType, status, record } = response;
  const answer = parseJson(body);
  if (answer === undefined) throw unreadableBody(response, body);
  if (mediaType !== 'application/json' && !/^application\/.+\+json$/.test(mediaType)) {
    record.note(envelope.rules.mediaType, '', `The answer is JSON; its media type should say so, not ${quoted(mediaType)}.`);
  }
  const result = envelope.open(answer, status, record.note);
  if (!response.ok) {
    if (!envelope.holdsResult(answer)) throw unreadableBody(response, body);
    record.note('HTTP-07', '', `A result should not come with HTTP ${status}.`);
  }
  return result;
}

/** The results in an event; none for data that is not JSON, which is noted. @throws Problem when the event is an error. */
function open(frame: Frame, { record, status }: HttpResponse, envelope: Envelope): Opened {
  const { values, deviation, problem } = readEventData(frame.data);
  if (problem !== undefined) return { results: [], isPlain: false, problem };
  if (deviation !== undefined) record.note('STRM-09', '', deviation);
  const results = values.map(value => envelope.open(value, status, record.note));
  if (frame.event === 'error') throw failed(frame.data);
  if (values.length === 0)
    record.note(envelope.rules.form, '', `The data of an event is not JSON: ${JSON.stringify(frame.data.slice(0, 80))}`);
  return { results, isPlain: deviation === undefined };
}

/** An event that is called an error and has none of an error's shapes. */
function failed(data: string): Problem {
  return new Problem('stream-error', sentence('The agent ended the stream with an error: {0}', data.slice(0, 200)), {
    nextStep: sentence("Look at the agent's own log at this time."),
    details: data.slice(0, 2048),
  });
}

function silent(): Problem {
  return new Problem('empty-answer', sentence('The agent ended the stream without saying anything.'), {
    nextStep: sentence("Look at the agent's own log at this time."),
  });
}

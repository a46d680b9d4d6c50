import { Readable } from 'node:stream';
import type { Frame } from '../../protocol/exchange.ts';
import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { duplicateIn } from '../../protocol/json/duplicateMember.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { wrapperOf } from '../../protocol/versions/shared/readWrapped.ts';
import { noResult } from '../../protocol/versions/shared/unreadable.ts';
import { unauthorized, unreadableBody } from './agentError.ts';
import type { Envelope } from './envelope.ts';
import { eventBatches, type BegunAnswer, type FrameContent } from './eventBatches.ts';
import { readEventData } from '../sse/eventData.ts';
import { isJsonType, type HttpResponse } from '../http/httpResponse.ts';
import { parseJson } from '../http/parseJson.ts';
import { retryAfter } from '../http/retryAfter.ts';
import { nothingReadable, readFrames } from '../sse/sse.ts';
import type { RawBatch } from './transport.ts';

/** How the results of one answer are read; both functions throw a Problem where nothing can be read. */
export interface Reading {
  readonly envelope: Envelope;
  /** Reads a result in an event of a stream. */
  readonly event: (result: unknown) => readonly StreamResponse[];
  /** Reads the result of an answer that is not a stream. */
  readonly body: (result: unknown) => readonly StreamResponse[];
  /** See `BegunAnswer`. */
  readonly ended?: () => void;
  /** See `RawBatch`. */
  readonly subscribes?: boolean;
  readonly version?: string;
}

const isEventStream = (response: HttpResponse): boolean => response.ok && response.mediaType === 'text/event-stream';

/** Reads the answer to a unary operation. Where a stream was sent instead, its last readable result counts. */
export async function readUnary<Result>(response: HttpResponse, envelope: Envelope, read: (result: unknown) => Result): Promise<Result> {
  const { record } = response;
  if (!isEventStream(response)) return read(readJson(response, await response.text(), envelope));
  record.note(envelope.rules.mediaType, '', sentence('The agent answered a non-streaming request with an event stream.'));
  let last: { readonly result: Result } | undefined;
  let unreadable: Problem | undefined;
  for await (const frames of framesOf(response, response.chunks(), envelope)) {
    record.frames(frames);
    for (const frame of frames) {
      record.reading(frame.seq);
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
  record.reading(undefined);
  if (last !== undefined) return last.result;
  throw unreadable ?? silent();
}

/**
 * Reads an answer batch by batch. JSON instead of a stream is one batch without frames. An unreadable event is noted and skipped; an event
 * with an error ends the answer after the events before it.
 * @param send called when iteration starts
 * @param recorded the events, where they are not in the body because they were recorded
 * @throws A2AError, ConnectionProblem; Problem `empty-answer` for a stream without any event, or the reason why all of them were unreadable
 */
export function readBatches(
  send: () => Promise<HttpResponse>,
  readingOf: (note: Note) => Reading,
  recorded?: AsyncIterable<readonly Frame[]>,
): AsyncGenerator<RawBatch> {
  return eventBatches(async () => {
    const response = await send();
    const reading = readingOf(response.record.note);
    return {
      exchange: response,
      content: async () => recorded ?? contentOf(response, reading),
      open: frame => open(frame, response, reading.envelope),
      read: reading.event,
      silent,
      ...(reading.ended !== undefined && { ended: reading.ended }),
      ...(reading.subscribes !== undefined && { subscribes: reading.subscribes }),
      ...(reading.version !== undefined && { version: reading.version }),
    };
  });
}

const framesOf = (response: HttpResponse, bytes: AsyncIterable<Uint8Array>, { open }: Envelope): AsyncGenerator<readonly Frame[]> =>
  readFrames(bytes, {
    credentials: response.record.credentials,
    onUnended: () =>
      response.record.note('STRM-09', '', sentence('The last event is not followed by a blank line, so other clients drop it.')),
    // An error outside an event is thrown as that error.
    onStray: line => {
      const answer = parseJson(line);
      if (answer !== undefined) open(answer, response.status, response.record.note);
    },
  });

/** A stream, whatever its media type: the first line is a field or a comment (WHATWG HTML §9.2.5), or JSON with more behind it (NDJSON). */
const eventText = /^\s*(?:(?:data|event|id|retry)(?::|[\r\n])|:|\{[^\r\n]*\}[\r\n]+\{)/;

async function contentOf(response: HttpResponse, reading: Reading): ReturnType<BegunAnswer['content']> {
  if (isEventStream(response)) return framesOf(response, response.chunks(), reading.envelope);
  const { record, mediaType } = response;
  const body = await response.text();
  if (response.ok && eventText.test(body)) {
    record.note(reading.envelope.rules.mediaType, '', sentence('The stream should come as text/event-stream, not {0}.', quoted(mediaType)));
    return framesOf(response, Readable.from([Buffer.from(body)]), reading.envelope);
  }
  const result = readJson(response, body, reading.envelope);
  const events = reading.body(result);
  return { exchangeId: record.id, events, results: [result], frames: [], findings: [...record.findings] };
}

/** The result in the body of an answer that is not a stream. */
function readJson(response: HttpResponse, body: string, envelope: Envelope): unknown {
  try {
    return opened(response, body, envelope);
  } catch (error) {
    if (error instanceof Problem && !response.ok) {
      error.cameWith(response.status);
      const ms = retryAfter(response);
      if (ms !== undefined) {
        error.waitMs = ms;
        error.advise(sendAgainIn(ms));
      }
    }
    throw error;
  }
}

/** @param ms time from now, in milliseconds */
function sendAgainIn(ms: number): LocalizedMessage {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return sentence('The agent accepts no requests at the moment. Send again in {0} s.', seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return sentence('The agent accepts no requests at the moment. Send again in {0} min.', minutes);
  return sentence('The agent accepts no requests at the moment. Send again in {0} h.', Math.ceil(minutes / 60));
}

function opened(response: HttpResponse, body: string, envelope: Envelope): unknown {
  const refused = unauthorized(response, body);
  if (refused !== undefined) throw refused;
  const { mediaType, status, record } = response;
  if (envelope.mayBeEmpty === true && response.ok && body.trim() === '') return {};
  const answer = parseJson(body);
  if (answer === undefined) throw unreadableBody(response, body);
  if (!isJsonType(mediaType)) {
    record.note(envelope.rules.mediaType, '', sentence('The answer is JSON; its media type should say so, not {0}.', quoted(mediaType)));
  }
  noteDuplicate(body, answer, record.note);
  const result = envelope.open(answer, status, record.note);
  if (!response.ok) {
    if (!envelope.holdsResult(answer)) throw unreadableBody(response, body);
    record.note('HTTP-07', '', sentence('A result should not have HTTP status {0}.', status));
  } else if (envelope.lacksResult?.(answer) === true) throw noResult(body);
  return result;
}

/** Notes a member that an object has twice: of the two, the last is read. */
function noteDuplicate(text: string, value: unknown, note: Note): void {
  const twice = duplicateIn(text, value);
  if (twice !== undefined)
    note('DATA-08', twice.pointer, sentence('{0} occurs twice in one object; the last value is used.', quoted(twice.name)));
}

/**
 * The results in an event; none for data that is not JSON, which is noted.
 * @throws Problem when the event is an error
 */
function open(frame: Frame, { record, status }: HttpResponse, envelope: Envelope): FrameContent {
  const { values, deviation, problem } = readEventData(frame.data);
  if (problem !== undefined) return { results: [], isPlain: false, problem };
  if (deviation !== undefined) record.note('STRM-09', '', deviation);
  else if (values.length === 1) noteDuplicate(frame.data, values[0], record.note);
  const results = values.map(value => envelope.open(value, status, record.note));
  if (frame.event === 'error') {
    // What it holds decides, not its name: more may follow a result.
    if (!values.some(value => isObject(value) && (envelope.holdsResult(value) || wrapperOf(value) !== undefined))) throw failed(frame.data);
    record.note('STRM-09', '', sentence('The event is named "error", but its data is a result.'));
  }
  if (values.length === 0)
    record.note(envelope.rules.form, '', sentence('The data of an event is not JSON: {0}', JSON.stringify(frame.data.slice(0, 80))));
  return { results, isPlain: deviation === undefined };
}

/** The problem for an event named as an error whose data is neither a result nor in any of the shapes of errors. */
function failed(data: string): Problem {
  return new Problem('stream-error', sentence('The agent sent an error in its stream: {0}', data.slice(0, 200)), {
    nextStep: sentence("Look at the agent's own log at this time."),
    details: data.slice(0, 2048),
  });
}

function silent(): Problem {
  return new Problem('empty-answer', sentence('The agent ended the stream without sending anything.'), {
    nextStep: sentence("Look at the agent's own log at this time."),
  });
}

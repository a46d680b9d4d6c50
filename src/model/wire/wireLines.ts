import { exactJson, writeExactly } from '../../protocol/json/exactJson.ts';
import type { BodyHead, Exchange, ExchangeSummary, Frame, WireEvent, WireLine } from '../../protocol/exchange.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { mediaTypeOf, type Part, textOf } from '../../protocol/message/part.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isActive, taskStates } from '../../protocol/message/taskState.ts';
import { Problem } from '../../protocol/problem.ts';
import { readStreamResponses, versionFor } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';

/** A longer text is not parsed for its line; of it only the kind is known. UTF-16 code units. */
const maxParsed = 64 * 1024;
/** Longest preview, in UTF-16 code units. */
const maxPreview = 240;

/** Kind of a body or an event that should be JSON and is not. */
const notJson = 'not JSON';

type Spoken = Pick<Exchange, 'protocolBinding' | 'protocolVersion'>;

/**
 * The line of an event of a stream.
 *
 * A kind of event that is to be filtered has a row in `wireKinds` of `chat/wire/wireRows.ts`, too.
 */
export function wireEvent({ seq, at, data }: Frame, spoken: Spoken): WireEvent {
  const size = Buffer.byteLength(data);
  const told = parsed(data);
  if (told === undefined) return { seq, at, size, type: data.length > maxParsed ? kindOfLong(data) : notJson, preview: oneLine(data) };
  return { seq, at, size, ...describe(told, spoken, data) };
}

/** The artifact that an event is about; undefined for other events, and for one that is too long to be parsed. */
export function artifactOfEvent({ data }: Frame, spoken: Spoken): string | undefined {
  const told = parsed(data);
  const events = isObject(told) ? readEvents(told['result'] ?? told, versionFor(spoken)) : [];
  return events.flatMap(event => ('artifactUpdate' in event ? event.artifactUpdate.artifact.artifactId : []))[0];
}

/** The line of what was asked: its operation, and the text of the message in it or else the parameters. */
export function wireRequest({ operation, sent, received, ...spoken }: ExchangeSummary): WireLine {
  const told = parsed(sent.head);
  if (received !== undefined)
    return { size: sent.size, ...(told === undefined ? plain('notification', sent) : describe(told, spoken, sent.head)) };
  const params = isObject(told) && isObject(told['params']) ? told['params'] : told;
  const message = isObject(params) ? params['message'] : undefined;
  const text = isObject(message) ? textIn(message['parts']) : '';
  const method = isObject(told) ? told['method'] : undefined;
  return {
    size: sent.size,
    type: operation,
    preview: oneLine(text !== '' ? text : params === undefined ? sent.head : JSON.stringify(params)),
    ...(typeof method === 'string' && method !== operation && { method: oneLine(method) }),
  };
}

/** The line of an answer that is no stream; undefined where there is none yet. */
export function wireAnswer({ operation, answered, error, ...spoken }: ExchangeSummary): WireLine | undefined {
  if (answered === undefined) return undefined;
  const told = parsed(answered.head);
  if (told !== undefined) {
    const line = describe(told, spoken, answered.head);
    return { size: answered.size, type: line.type === 'event' ? answerType(operation) : line.type, preview: line.preview };
  }
  const { size, head } = answered;
  const isNone = head !== '' && Buffer.byteLength(head) === size && size <= maxParsed;
  return { size, ...plain(error !== undefined ? 'error' : isNone ? notJson : answerType(operation), answered) };
}

const plain = (type: string, { head }: BodyHead): Pick<WireLine, 'type' | 'preview'> => ({ type, preview: oneLine(head) });

/** Result of an operation whose body does not show it. */
function answerType(operation: string): string {
  if (operation === 'ListTasks') return 'tasks';
  if (operation.includes('Card')) return 'card';
  return ['GetTask', 'CancelTask'].includes(operation) ? 'task' : 'answer';
}

function parsed(text: string): unknown {
  if (text.length > maxParsed || text === '') return undefined;
  try {
    return exactJson(text);
  } catch {
    return undefined; // No JSON, or the beginning of one: shown as text.
  }
}

/** The line of a JSON text: an error, or an event in the shape of any version. */
function describe(told: unknown, spoken: Spoken, text: string): Omit<WireLine, 'size'> {
  const json = { type: 'event', preview: oneLine(text) };
  if (!isObject(told)) return json;
  const { error, result = told } = told;
  if (isObject(error)) {
    const { code, message } = error;
    return {
      type: ['error', typeof code === 'number' || typeof code === 'string' ? oneLine(String(code)).slice(0, 40) : undefined]
        .filter(Boolean)
        .join(' '),
      preview: typeof message === 'string' ? oneLine(message) : json.preview,
    };
  }
  if (isObject(result) && Array.isArray(result['tasks'])) return { ...json, type: `tasks ×${result['tasks'].length}` };
  const [event] = readEvents(result, versionFor(spoken));
  // Without the envelope of JSON-RPC, which is the same in every row.
  return event === undefined ? json : { ...json, ...lineOf(event, oneLine(writeExactly(result, 0))) };
}

/** The events of a result; none where it is nothing that A2A knows, and shown as the JSON that it is. */
export function readEvents(result: unknown, version: Version | undefined): readonly StreamResponse[] {
  if (version === undefined) return [];
  try {
    return readStreamResponses(result, version, ignoreFindings);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

function lineOf(event: StreamResponse, json: string): Omit<WireLine, 'size'> {
  if ('message' in event) return { type: 'message', preview: textLine(event.message.parts, json) };
  if ('task' in event) {
    const { id, status, artifacts } = event.task;
    const parts = [...(artifacts ?? []).flatMap(artifact => artifact.parts), ...(status.message?.parts ?? [])];
    return {
      type: `task ▸ ${taskStates[status.state].label}`,
      preview: textLine(parts, json),
      alike: `task ${id} ${status.state}`,
      active: isActive(status.state),
    };
  }
  if ('statusUpdate' in event) {
    const { taskId, status } = event.statusUpdate;
    return {
      type: `status ▸ ${taskStates[status.state].label}`,
      preview: textLine(status.message?.parts ?? [], json),
      alike: `status ${taskId} ${status.state}`,
      active: isActive(status.state),
    };
  }
  const { taskId, artifact, append, lastChunk } = event.artifactUpdate;
  const type = `artifact${append === true ? ' +1' : ''}${lastChunk === true ? ' (last)' : ''}`;
  return { type, preview: textLine(artifact.parts, json), ...(append === true && { alike: `${type} ${taskId} ${artifact.artifactId}` }) };
}

/** The text of the parts, or the names of their files and their data; the JSON where they have neither. */
function textLine(parts: readonly Part[], json: string): string {
  const line = oneLine(textOf(parts));
  return line === '' ? oneLine(parts.map(nameOf).join(' ')) || json : line;
}

function nameOf(part: Part): string {
  if ('data' in part) return writeExactly(part.data, 0);
  return part.filename ?? ('url' in part ? part.url : 'text' in part ? '' : mediaTypeOf(part));
}

/** The text of parts of any version. */
const textIn = (parts: unknown): string =>
  Array.isArray(parts) ? parts.map(part => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('') : '';

/** The kind of a long event, by the first name that says it. */
function kindOfLong(data: string): string {
  const kind = /"(artifact|status)[-_]?[uU]pdate"|"kind":\s*"(task|message)"|"(task|message)":/.exec(data.slice(0, 2_000));
  return kind?.[1] ?? kind?.[2] ?? kind?.[3] ?? 'event';
}

const oneLine = (text: string): string => {
  const line = text
    .slice(0, maxPreview * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > maxPreview ? `${line.slice(0, maxPreview - 1)}…` : line;
};

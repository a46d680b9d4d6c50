import * as z from 'zod';
import { faultText, readFault, type ChosenFault } from '../mock/chosenFault.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import type { Finding } from '../protocol/finding.ts';
import { Problem, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import type { RuleId } from '../protocol/ruleId.ts';

/** The format and version in the first line of a recording. A reader refuses a version higher than its own. */
const recordingFormat = 'a2a-workbench-recording';
const recordingVersion = 1;

/** Largest recording that is read, in UTF-16 code units; and most lines. */
export const maxRecordingLength = 256 * 2 ** 20;
const maxLines = 1_000_000;
/** Most faults that a recording may have: each changes what those before it made. */
const maxFaults = 20;

/** One request and what the agent answered. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
  /** Number of the request before it in its conversation, where that was played and the context is another. */
  readonly after?: number | undefined;
}

/** Written by hand: which answer a message gets, whatever was said before. */
export interface AnswerRule {
  /** A text that the message has in it, in upper or lower case. */
  readonly text: string;
  /** Number of the request, from 1, whose answer it gets. */
  readonly answer: number;
}

/** A substitute for texts that are not to leave the machine, and how often it was needed. */
export interface Replaced {
  readonly what: string;
  readonly times: number;
}

/** The traffic between a client and an agent, without credentials: enough to show it, and to play the agent. */
export interface Recording {
  readonly agent: { readonly name?: string; readonly url: string };
  /** Milliseconds since the epoch. Times in the file count from it. */
  readonly recordedAt: number;
  /** The agent's card as it came; undefined where it had none. */
  readonly card?: unknown;
  readonly replaced: readonly Replaced[];
  /** Sentences that say what is not in it; empty where nothing is missing. */
  readonly lacks: readonly string[];
  readonly rules: readonly AnswerRule[];
  /** Written by hand: how the played agent misbehaves. */
  readonly faults: readonly ChosenFault[];
  /** In the order in which they began. */
  readonly exchanges: readonly RecordedExchange[];
}

const number = z.int().min(1).max(maxLines);
/** Milliseconds since the recording began: as many as leave a date, whenever that was (a date has at most 8.64e15). */
const at = z.number().min(0).max(8e15);
const headers = z.array(z.tuple([z.string(), z.string()]));

const Head = z.object({
  format: z.literal(recordingFormat),
  version: z.int().min(1),
  recordedAt: z.iso.datetime(),
  agent: z.object({ name: z.string().optional(), url: z.string() }),
  card: z.unknown().optional(),
  replaced: z.array(z.object({ what: z.string(), times: z.int().min(1) })).optional(),
  lacks: z.array(z.string()).optional(),
});

/** The kinds of lines after the first, by the member that names the kind. */
const lines = {
  request: z.object({
    request: number,
    at,
    operation: z.string(),
    binding: z.string(),
    version: z.string(),
    method: z.string(),
    url: z.string(),
    headers,
    body: z.string(),
    after: number.optional(),
  }),
  answer: z.object({
    answer: number,
    at,
    status: z.int().min(0).max(999),
    headers,
    body: z.string().optional(),
    truncated: z.literal(true).optional(),
  }),
  event: z.object({
    event: number,
    at,
    data: z.string(),
    name: z.string().optional(),
    id: z.string().optional(),
    around: z.array(z.string()).optional(),
  }),
  end: z.object({
    end: number,
    at,
    failure: z.string().optional(),
    findings: z
      .array(
        z.object({
          rule: z.string(),
          pointer: z.string(),
          message: z.string(),
          frame: z.int().min(0).optional(),
          times: z.int().min(1).optional(),
        }),
      )
      .optional(),
  }),
  rule: z.object({ rule: z.object({ text: z.string().min(1), answer: number }) }),
  fault: z.object({ fault: z.string() }),
} as const;
type Lines = { readonly [K in keyof typeof lines]: z.infer<(typeof lines)[K]> };
type Timed = Lines['request' | 'answer' | 'event' | 'end'];

/** The text of a recording: its head, its rules and faults, then what was on the wire, a line each, in the order of time. */
export function recordingText({ agent, recordedAt, card, replaced, lacks, rules, faults, exchanges }: Recording): string {
  // The head has whole milliseconds.
  const began = Math.floor(recordedAt);
  const since = (time: number): number => Math.max(0, Math.round((time - began) * 1_000) / 1_000);
  const head: z.infer<typeof Head> = {
    format: recordingFormat,
    version: recordingVersion,
    recordedAt: new Date(began).toISOString(),
    agent,
    ...(replaced.length > 0 && { replaced: [...replaced] }),
    ...(lacks.length > 0 && { lacks: [...lacks] }),
    ...(card !== undefined && { card }),
  };
  const timed = exchanges.flatMap((recorded, index) => linesOf(recorded, index + 1, since)).sort((one, other) => one.at - other.at);
  return [head, ...rules.map(rule => ({ rule })), ...faults.map(fault => ({ fault: faultText(fault) })), ...timed]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');
}

function linesOf({ exchange, frames, after }: RecordedExchange, index: number, since: (time: number) => number): Timed[] {
  const { request, response, headersAt, endedAt, failure, findings } = exchange;
  const began = since(exchange.startedAt);
  const answered = Math.max(began, since(headersAt ?? endedAt ?? exchange.startedAt));
  const ended = Math.max(answered, since(endedAt ?? exchange.startedAt), ...frames.slice(-1).map(frame => since(frame.at)));
  return [
    {
      request: index,
      at: began,
      operation: exchange.operation,
      binding: exchange.protocolBinding,
      version: exchange.protocolVersion,
      method: request.method,
      url: request.url,
      headers: request.headers.map(([name, value]) => [name, value]),
      body: request.body,
      ...(after !== undefined && { after }),
    },
    ...(response === undefined
      ? []
      : [
          {
            answer: index,
            at: answered,
            status: response.status,
            headers: response.headers.map(([name, value]): [string, string] => [name, value]),
            ...(response.body !== undefined && { body: response.body }),
            ...(response.truncated === true && { truncated: true as const }),
          },
        ]),
    ...frames.map(({ at: time, data, event, id, around }) => ({
      event: index,
      at: Math.max(answered, since(time)),
      data,
      ...(event !== undefined && { name: event }),
      ...(id !== undefined && { id }),
      ...(around !== undefined && { around: [...around] }),
    })),
    {
      end: index,
      at: ended,
      ...(failure !== undefined && { failure }),
      ...(findings.length > 0 && {
        findings: findings.map(({ rule, pointer, message, frame, times }) => ({
          rule,
          pointer,
          message,
          ...(frame !== undefined && { frame }),
          ...(times !== undefined && { times }),
        })),
      }),
    },
  ];
}

/**
 * Reads a recording. Kinds of lines that are not known here are passed over: a later version may have more.
 * @throws Problem `not-a-recording`, with the line
 */
export function readRecording(text: string): Recording {
  if (text.length > maxRecordingLength) throw notARecording(sentence('It exceeds the limit of {0} MiB.', maxRecordingLength / 2 ** 20));
  const all = text.split(/\r?\n/);
  if (all.length > maxLines) throw notARecording(sentence('It exceeds the limit of {0} lines.', maxLines));
  const head = headIn(all[0] ?? '');
  const began = Date.parse(head.recordedAt);
  const found = new Map<number, { exchange: Exchange; readonly frames: Frame[]; readonly after?: number }>();
  const rules: AnswerRule[] = [];
  const faults: ChosenFault[] = [];
  const recorded = (of: number, line: number) => {
    const known = found.get(of);
    if (known === undefined) throw notARecording(sentence('Line {0} belongs to request {1}, which is not before it.', line, of));
    return known;
  };
  for (const [index, written] of all.entries()) {
    if (index === 0 || written.trim() === '') continue;
    const line = index + 1;
    const value = parsed(written, line);
    const kind = (Object.keys(lines) as (keyof Lines)[]).find(name => Object.hasOwn(value, name));
    if (kind === undefined) continue;
    const read = lines[kind].safeParse(value);
    if (!read.success) throw wrongLine(read.error, line);
    const what = read.data;
    if ('rule' in what) rules.push(what.rule);
    else if ('fault' in what) {
      if (faults.length === maxFaults) throw notARecording(sentence('It exceeds the limit of {0} faults.', maxFaults));
      faults.push(faultIn(what.fault, line));
    } else if ('request' in what) {
      if (found.has(what.request)) throw notARecording(sentence('Line {0} has request {1} a second time.', line, what.request));
      found.set(what.request, { exchange: begunExchange(what, began), frames: [], ...(what.after !== undefined && { after: what.after }) });
    } else if ('answer' in what) {
      const one = recorded(what.answer, line);
      const { status, headers: came, body, truncated } = what;
      one.exchange = {
        ...one.exchange,
        headersAt: began + what.at,
        response: { status, headers: came, ...(body !== undefined && { body }), ...(truncated === true && { truncated }) },
      };
    } else if ('event' in what) {
      const { frames } = recorded(what.event, line);
      const { data, name, id, around } = what;
      frames.push({
        seq: frames.length,
        at: began + what.at,
        data,
        ...(name !== undefined && { event: name }),
        ...(id !== undefined && { id }),
        ...(around !== undefined && { around }),
      });
    } else {
      const one = recorded(what.end, line);
      const { failure, findings = [] } = what;
      one.exchange = {
        ...one.exchange,
        endedAt: began + what.at,
        ...(failure !== undefined && { failure }),
        findings: findings.map(({ rule, ...rest }): Finding => ({ ...rest, rule: rule as RuleId }) as Finding),
      };
    }
  }
  const { agent, card, replaced = [], lacks = [] } = head;
  return {
    agent: { url: agent.url, ...(agent.name !== undefined && { name: agent.name }) },
    recordedAt: began,
    ...(card !== undefined && { card }),
    replaced,
    lacks,
    rules,
    faults,
    exchanges: [...found.values()],
  };
}

function headIn(line: string): z.infer<typeof Head> {
  const value = parsed(line, 1);
  const read = Head.safeParse(value);
  if (value['format'] !== recordingFormat) throw notARecording(sentence('Its first line does not say "{0}".', recordingFormat));
  if (!read.success) throw wrongLine(read.error, 1);
  if (read.data.version > recordingVersion)
    throw notARecording(sentence('It is of version {0}; this release reads up to version {1}.', read.data.version, recordingVersion));
  return read.data;
}

function parsed(text: string, line: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  } catch {
    // The same as JSON that is no object.
  }
  throw notARecording(sentence('Line {0} is not a JSON object.', line));
}

const begunExchange = (
  { request, at: time, operation, binding, version, method, url, headers: sent, body }: Lines['request'],
  began: number,
): Exchange => ({
  id: `recorded-${request}`,
  operation,
  protocolBinding: binding,
  protocolVersion: version,
  request: { method, url, headers: sent, body },
  startedAt: began + time,
  findings: [],
});

function faultIn(text: string, line: number): ChosenFault {
  try {
    return readFault(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw notARecording(sentence('Line {0}: {1}', line, error.sentence));
  }
}

function wrongLine({ issues: [issue] }: z.ZodError, line: number): Problem {
  return notARecording(sentence('Line {0}: {1} at /{2}.', line, issue?.message ?? '', issue?.path.join('/') ?? ''));
}

function notARecording(why: LocalizedMessage): Problem {
  return new Problem('not-a-recording', sentence('This file is not a recording that can be read. {0}', why), {
    nextStep: sentence('Record it again, or correct that line.'),
  });
}

import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { Headers } from '../../../protocol/exchange.ts';
import type { Problem } from '../../../protocol/problem.ts';
import type { Task } from '../../../protocol/message/task.ts';
import { taskStates } from '../../../protocol/message/taskState.ts';
import { type Part, partKind } from '../../../protocol/message/part.ts';
import { joinText } from '../../../protocol/message/transcript.ts';
import { textOfObserved } from '../../../request/expect/observed.ts';
import { ruleOf } from '../../../conformance/rules/loadedRules.ts';
import { citationOf } from '../../../conformance/rules/rule/rule.ts';
import { Verbatim, writeJson } from '../../../request/text/indentJson.ts';
import type { StoredExchange } from '../../documents/exchangeText.ts';
import { citedVersion, ruleTitle, type Translate } from '../../documents/findingLines.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import { findingSentence } from '../../../protocol/finding.ts';

/** Maximum number of events of one exchange in the document; the exchange's own document has all of them. */
const maxFrames = 2000;

/** Longest text that stands at the top of the document, in lines and UTF-16 code units; the result below has all of it. */
const maxLines = 100;
const maxText = 20_000;

/**
 * The result of a request as a JSON document: first the answer (state, text, artifacts with a pointer to each part), then what was
 * expected of it (before the answer where some of it did not hold), the assembled result, its duration, and every exchange as it was on the wire. JSON bodies are
 * only indented, with their tokens unchanged; bytes that are not valid text are added in base64. Times are in milliseconds.
 */
export function responseText(
  name: string,
  run: RequestRun,
  {
    exchange,
    explain,
    translate,
  }: {
    readonly exchange: (id: string) => StoredExchange | undefined;
    /** Turns a problem into sentences in VS Code's display language. */
    readonly explain: (problem: Problem) => object;
    readonly translate: Translate;
  },
): string {
  const { outcome, agent, chosen, task, state } = run;
  const exchanges = (outcome?.exchangeIds ?? []).flatMap(id => exchange(id) ?? []);
  const findings = exchanges.flatMap(({ exchange: { findings: found, protocolVersion } }, index) =>
    found.map(finding => {
      const { rule, pointer } = finding;
      const known = ruleOf(rule);
      return {
        rule,
        level: known?.level,
        ...(known && citationOf(known, citedVersion(found, protocolVersion))),
        title: ruleTitle(rule, translate) || undefined,
        pointer,
        message: translate(findingSentence(finding)),
        exchange: index,
      };
    }),
  );
  const message = outcome?.message;
  const expectations = outcome?.expectations?.map(({ kind, ok, message: what, expected, actual }) =>
    ok ? { ok, kind } : { ok, kind, ...secretsToMask.maskIn({ message: translate(what), expected, actual }) },
  );
  const hasFailed = expectations?.some(({ ok }) => !ok) === true;
  return `${writeJson({
    request: name,
    state: state === undefined ? undefined : taskStates[state].label,
    running: run.running ? true : undefined,
    remark: run.polling && translate(run.polling),
    rows: outcome?.rows?.map(({ label, outcome: row }) => ({
      row: secretsToMask.mask(label),
      state: row.task === undefined ? undefined : taskStates[row.task.status.state].label,
      problem: row.problem === undefined ? undefined : explain(row.problem),
      expectations: row.expectations?.map(({ kind, ok }) => ({ ok, kind })),
      totalMs: tenths(row.endedAt - row.startedAt),
    })),
    problem: outcome?.problem === undefined ? undefined : explain(outcome.problem),
    // Failed expectations come before the answer: they have to be looked at.
    ...(hasFailed && { expectations: expectations.toSorted((one, other) => Number(one.ok) - Number(other.ok)) }),
    ...(outcome === undefined ? {} : answerText(textOfObserved({ ...outcome, ...(task !== undefined && { task }) }))),
    artifacts: shownArtifacts(task),
    ...(!hasFailed && { expectations }),
    result: task !== undefined ? { task: readable(task) } : message !== undefined ? { message } : outcome?.value,
    timings: {
      startedAt: new Date(run.startedAt).toISOString(),
      firstEventMs: outcome?.firstEventAt === undefined ? undefined : tenths(outcome.firstEventAt - outcome.startedAt),
      totalMs: outcome === undefined ? undefined : tenths(outcome.endedAt - outcome.startedAt),
    },
    agent: agent === undefined ? undefined : secretsToMask.mask(agent.name),
    interface: chosen === undefined ? undefined : { ...chosen.interface, why: translate(chosen.reason) },
    findings: findings.length === 0 ? undefined : findings,
    exchanges: exchanges.map(exchangeOf),
  })}\n`;
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** One line as a text, several as a list of lines, as `.a2a` files write them. */
function answerText(text: string): { readonly text?: string | readonly string[]; readonly linesLeftOut?: number } {
  if (text === '') return {};
  const lines = text.split('\n');
  const shown = text.slice(0, maxText).split('\n').slice(0, maxLines);
  return {
    text: lines.length === 1 ? text.slice(0, maxText) : shown,
    ...(lines.length > shown.length && { linesLeftOut: lines.length - shown.length }),
  };
}

/** Every part of every artifact with a pointer (RFC 6901) to it in this document. */
function shownArtifacts(task: Task | undefined): readonly object[] | undefined {
  if (task?.artifacts === undefined || task.artifacts.length === 0) return undefined;
  return readable(task).artifacts?.flatMap(({ name, artifactId, parts }, artifact) =>
    parts.map((part, index) => ({
      name: part.filename ?? name ?? artifactId,
      type: part.mediaType ?? usualTypes[partKind(part)],
      size: sizeOf(part),
      link: 'url' in part ? part.url : partPointer(artifact, index),
    })),
  );
}

/** Place of an artifact's part in the document. */
const partPointer = (artifact: number, part: number): string => `#/result/task/artifacts/${artifact}/parts/${part}`;

const usualTypes = { text: 'text/plain', data: 'application/json', raw: 'application/octet-stream', url: undefined } as const;

/** Size in bytes; undefined where only the address is known. */
function sizeOf(part: Part): number | undefined {
  if ('text' in part) return Buffer.byteLength(part.text);
  if ('raw' in part) return Buffer.from(part.raw, 'base64').length;
  return 'data' in part ? Buffer.byteLength(JSON.stringify(part.data) ?? '') : undefined;
}

/** Joins texts that arrived in chunks. */
function readable(task: Task): Task {
  return task.artifacts === undefined
    ? task
    : { ...task, artifacts: task.artifacts.map(artifact => ({ ...artifact, parts: joinText(artifact.parts) })) };
}

const body = (text: string | undefined): unknown => (text === undefined || text === '' ? undefined : (Verbatim.of(text) ?? text));
const headers = (all: Headers): readonly string[] => all.map(([name, value]) => `${name}: ${value}`);

function exchangeOf({ exchange, frames }: StoredExchange): object {
  const { startedAt, request, response } = exchange;
  const after = (at: number | undefined): number | undefined => (at === undefined ? undefined : tenths(at - startedAt));
  return {
    operation: exchange.operation,
    protocol: `${exchange.protocolBinding} ${exchange.protocolVersion}`,
    request: {
      line: `${request.method} ${request.url}`,
      headers: headers(request.headers),
      body: body(request.body),
      base64: request.bytes,
    },
    response:
      response === undefined
        ? undefined
        : {
            status: response.status,
            headersMs: after(exchange.headersAt),
            headers: headers(response.headers),
            body: body(response.body),
            base64: response.bytes,
            truncated: response.truncated,
            trailers: response.trailers === undefined ? undefined : headers(response.trailers),
          },
    events:
      frames.length === 0
        ? undefined
        : frames.slice(0, maxFrames).map(frame => ({
            ms: after(frame.at),
            event: frame.event,
            id: frame.id,
            data: body(frame.data) ?? frame.data,
            base64: frame.bytes,
          })),
    eventsLeftOut: frames.length > maxFrames ? frames.length - maxFrames : undefined,
    endedMs: after(exchange.endedAt),
    failure: exchange.failure,
  };
}

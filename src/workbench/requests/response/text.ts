import type { RequestRun } from '../../../model/requests/requestRun.ts';
import type { Headers } from '../../../protocol/exchange.ts';
import type { Problem } from '../../../protocol/problem.ts';
import type { Task } from '../../../protocol/message/task.ts';
import { taskStates } from '../../../protocol/message/taskState.ts';
import { joinText } from '../../../protocol/message/transcript.ts';
import { ruleOf } from '../../../protocol/rules/index.ts';
import { Verbatim, writeJson } from '../../../request/text/indentJson.ts';
import type { StoredExchange } from '../../documents/exchangeText.ts';
import { ruleTitle, type Translate } from '../../documents/findingLines.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';

/** Maximum number of events of one exchange in the document; the exchange's own document has all of them. */
const maxFrames = 2000;

/**
 * The result of a request as a JSON document: the assembled result, its duration, and every exchange as it was on the wire. JSON bodies are
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
  const findings = exchanges.flatMap(({ exchange: { findings: found } }, index) =>
    found.map(({ rule, pointer, message: what }) => ({
      rule,
      level: ruleOf(rule)?.level,
      section: ruleOf(rule)?.section,
      title: ruleTitle(rule, translate) || undefined,
      pointer,
      message: what,
      exchange: index,
    })),
  );
  const message = outcome?.message;
  return `${writeJson({
    request: name,
    agent: agent === undefined ? undefined : secretsToMask.mask(agent.name),
    interface: chosen === undefined ? undefined : { ...chosen.interface, why: translate(chosen.reason) },
    state: state === undefined ? undefined : taskStates[state].label,
    running: run.running ? true : undefined,
    expectations: outcome?.expectations?.map(({ kind, ok, message: what, expected, actual }) =>
      ok ? { ok, kind } : { ok, kind, ...secretsToMask.maskIn({ message: translate(what), expected, actual }) },
    ),
    rows: outcome?.rows?.map(({ label, outcome: row }) => ({
      row: secretsToMask.mask(label),
      state: row.task === undefined ? undefined : taskStates[row.task.status.state].label,
      problem: row.problem === undefined ? undefined : explain(row.problem),
      expectations: row.expectations?.map(({ kind, ok }) => ({ ok, kind })),
      totalMs: tenths(row.endedAt - row.startedAt),
    })),
    problem: outcome?.problem === undefined ? undefined : explain(outcome.problem),
    timings: {
      startedAt: new Date(run.startedAt).toISOString(),
      firstEventMs: outcome?.firstEventAt === undefined ? undefined : tenths(outcome.firstEventAt - outcome.startedAt),
      totalMs: outcome === undefined ? undefined : tenths(outcome.endedAt - outcome.startedAt),
    },
    result: task !== undefined ? { task: readable(task) } : message !== undefined ? { message } : outcome?.value,
    findings: findings.length === 0 ? undefined : findings,
    exchanges: exchanges.map(exchangeOf),
  })}\n`;
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

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

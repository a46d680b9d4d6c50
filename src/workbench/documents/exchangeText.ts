import { eventText } from '../../protocol/eventText.ts';
import type { CodedBody, Exchange, Frame, Headers } from '../../protocol/exchange.ts';
import { type Finding, findingSentence, findingsIn } from '../../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { ruleOf } from '../../conformance/rules/loadedRules.ts';
import { citationOf } from '../../conformance/rules/rule/rule.ts';
import { Verbatim, writeJson } from '../../request/text/indentJson.ts';
import { deliverySentences } from './deliveryText.ts';
import { requirementSentence } from './requirementText.ts';
import { citedVersion, ruleTitle, type Translate } from './findingLines.ts';

export interface StoredExchange {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

const lineEnd = /\r\n|\r|\n/;

/** Number of lines before the first finding. */
const head = 3;
/** Number of lines of one rule beside one for each of its findings: the rule, what it requires, and an empty one. */
const perRule = 3;

const byRule = (findings: readonly Finding[]): readonly (readonly Finding[])[] => [...Map.groupBy(findings, ({ rule }) => rule).values()];

/** The document's line, from 0, at which the rule of the finding with this index (from 0) is. */
export function findingLine(findings: readonly Finding[], index: number): number {
  const rules = byRule(findings);
  const place = rules.findIndex(those => those.includes(findings[index]!));
  return rules.slice(0, place).reduce((line, those) => line + perRule + those.length, head);
}

const headerLines = (headers: Headers): string[] => headers.map(([name, value]) => `${name}: ${value}`);
const milliseconds = (at: number, start: number): string => (at - start).toFixed(1);
/** The text on one line: no line of ours may begin with an agent's text. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Indents a JSON body for reading, with every token unchanged; any other body is returned unchanged. */
export function indentedBody(body: string): string {
  const json = Verbatim.of(body);
  return json === undefined ? body : writeJson(json);
}

/**
 * An exchange as a text to read: findings, request, response, and every event with its time. Credentials were masked before the exchange
 * was stored; frames are shown exactly as received.
 */
export function exchangeText({ exchange, frames }: StoredExchange, translate: Translate): string {
  const { request, response, startedAt, findings } = exchange;
  const note = (what: LocalizedMessage): string => `# ${translate(what)}`;
  // Bytes that are not valid text are shown in base64 below the decoded text.
  const inBase64 = (bytes: string | undefined): string[] => (bytes === undefined ? [] : [note(sentence('Bytes, in base64: {0}', bytes))]);
  const lines = [
    `# ${exchange.operation} · ${exchange.protocolBinding} ${exchange.protocolVersion} · ${new Date(startedAt).toISOString()}`,
    '',
  ];
  if (findings.length > 0) {
    lines.push(
      note(sentence('Protocol findings: {0}', findingsIn(findings))),
      ...byRule(findings).flatMap(those => ruleBlock(those, citedVersion(findings, exchange.protocolVersion), translate)),
    );
  }
  if (exchange.satisfies !== undefined) lines.push(note(requirementSentence(exchange.satisfies)), '');
  if (exchange.received !== undefined) lines.push(...deliverySentences(exchange.received).map(note), '');
  lines.push(
    `${request.method} ${request.url}`,
    ...headerLines(request.headers),
    '',
    indentedBody(request.body),
    ...inBase64(request.bytes),
    '',
  );
  if (response !== undefined) {
    const { headersAt } = exchange;
    lines.push(
      note(headersAt === undefined ? sentence('Response') : sentence('Response after {0} ms', milliseconds(headersAt, startedAt))),
      `HTTP ${response.status}`,
      ...headerLines(response.headers),
      ...(response.coded === undefined ? [] : [note(codedSentence(response.coded))]),
      '',
    );
    if (response.body !== undefined) lines.push(indentedBody(response.body), ...inBase64(response.bytes), '');
    if (response.truncated === true) lines.push(note(sentence('The body was longer than the limit and is cut off here.')), '');
  }
  for (const frame of frames) {
    lines.push(note(sentence('Event {0} after {1} ms', frame.seq, milliseconds(frame.at, startedAt))));
    lines.push(
      ...eventText(frame)
        .replace(/(?:\r\n|\r|\n)$/, '')
        .split(lineEnd),
      ...inBase64(frame.bytes),
      '',
    );
  }
  if (response?.trailers !== undefined) lines.push(note(sentence('Trailers')), ...headerLines(response.trailers), '');
  const failure = exchange.failureSentence === undefined ? exchange.failure : translate(exchange.failureSentence);
  if (failure !== undefined) lines.push(`# ${oneLine(failure)}`);
  lines.push(
    note(
      exchange.endedAt === undefined ? sentence('Still open.') : sentence('Ended after {0} ms', milliseconds(exchange.endedAt, startedAt)),
    ),
  );
  return lines.join('\n');
}

/** The sizes of a body or stream that is shown decompressed. */
const codedSentence = ({ coding, came, became }: CodedBody): LocalizedMessage =>
  sentence('Compressed with {0}: {1} bytes received, {2} bytes decompressed.', coding, came, became);

/** Findings of one rule: `perRule` lines, and one for each finding. */
function ruleBlock(findings: readonly Finding[], version: string, translate: Translate): readonly string[] {
  const { rule } = findings[0]!;
  const known = ruleOf(rule);
  const { section, specification = '1.0' } = known === undefined ? { section: '' } : citationOf(known, version);
  const source = known?.level === 'tool' || known === undefined ? '' : ` · ${known.level} · A2A ${specification} §${section}`;
  return [
    `# ${rule}${source}`,
    `#   ${ruleTitle(rule, translate)}`.trimEnd(),
    ...findings.map(
      finding => `#   ${[oneLine(finding.pointer), oneLine(translate(findingSentence(finding)))].filter(Boolean).join(' · ')}`,
    ),
    '',
  ];
}

import type { CheckReport } from '../conformance/checkReport.ts';
import type { RequestOutcome } from '../model/requests/requestOutcome.ts';
import type { Exchange, Frame } from '../protocol/exchange.ts';
import { findingSentence } from '../protocol/finding.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { english, Problem, sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { bounds } from './bounds.ts';
import { resultText, untrusted } from './result.ts';
import { ruleSection } from './ruleFacts.ts';
import type { Place, World } from './world.ts';

/** A fault of an agent, for a prompt that the person looks at before they send it. */
export interface Fault {
  readonly place: Place;
  /** The fault, and how to find out whether it is gone. Own words. */
  readonly what: string;
  readonly again: string;
  /** Where it was found. Own words. */
  readonly found: readonly string[];
  readonly rules: readonly string[];
  /** May quote the agent. */
  readonly evidence: readonly (string | undefined)[];
}

/** A prompt for a model with a fault, in English as the results of tools are; what the agent wrote is marked as there. */
export async function fixPrompt({ place, what, again, found, rules, evidence }: Fault, { link, mask }: Pick<World, 'link' | 'mask'>) {
  const quotes = evidence.filter(line => line !== undefined).join('\n');
  return resultText(
    [
      `${what} Find the cause in this workspace and fix it. ${again}`,
      [...found, `Open it: ${link(place)}`].join('\n'),
      ...(await ruleSection(rules)),
      ...(quotes === '' ? [] : [untrusted(place.agent, quotes)]),
    ],
    mask,
  );
}

const brokeRule = (agent: string, rule: string): string => `My A2A agent ${quoted(agent)} breaks rule ${rule} of the A2A specification.`;

/** The fault of a finding in an exchange of a context. @throws Problem `gone` */
export function findingFault(
  { agentName: agent, key: context }: { readonly agentName: string; readonly key: string },
  { exchange, frames }: { readonly exchange: Exchange; readonly frames: readonly Frame[] },
  index: number,
): Fault {
  const finding = exchange.findings[index];
  if (finding === undefined) throw new Problem('gone', sentence('This finding is no longer in the history.'));
  const { rule, pointer, frame, bytes } = finding;
  return {
    place: { agent, context, exchange: exchange.id },
    what: brokeRule(agent, rule),
    again: 'Then send the same again with a2a_send, and look at its exchange with a2a_wire.',
    found: [`Evidence: a2a_wire with "context": "${context}", "exchange": "${exchange.id}"`],
    rules: [rule],
    evidence: [
      `Finding: ${beginningOf(english(findingSentence(finding)), bounds.piece, '…')}`,
      ...wireLines(exchange, frames, { pointer, frame, bytes }),
    ],
  };
}

/** The fault of a verdict in a report. @throws Problem `gone` */
export function verdictFault(agent: string, { results, interfaces, exchanges }: CheckReport, index: number): Fault {
  const result = results[index];
  if (result === undefined) throw new Problem('gone', sentence('This result is no longer in the history.'));
  const { rule, verdict, why, exchangeId } = result;
  const { protocolBinding, protocolVersion, url } = interfaces[result.interface]!;
  const kept = exchanges.find(({ exchange }) => exchange.id === exchangeId);
  return {
    ...ruleFault(agent, rule),
    evidence: [
      `Interface: ${protocolBinding} ${protocolVersion} ${url}`,
      `Verdict: ${verdict}. ${english(why).slice(0, bounds.piece)}`,
      ...(kept === undefined ? [] : wireLines(kept.exchange, kept.frames, result)),
    ],
  };
}

/** The fault of a rule that an agent broke when it was checked. */
export const ruleFault = (agent: string, rule: string): Omit<Fault, 'evidence'> => ({
  place: { agent },
  what: brokeRule(agent, rule),
  again: `Then check it again: a2a_check with "rules": ["${rule}"]. If that says not-testable, the rule needs tasks: ask me to check it.`,
  found: ['Evidence: a check of conformance.'],
  rules: [rule],
});

/** The fault of a test of a request that failed. */
export function testFault({
  agent,
  context,
  file,
  request,
  outcome,
  evidence,
}: {
  readonly agent: string;
  readonly context: string | undefined;
  /** Path in the workspace, with the line. */
  readonly file: string;
  readonly request: string;
  readonly outcome: RequestOutcome | undefined;
  readonly evidence: readonly (string | undefined)[];
}): Fault {
  const exchange = outcome?.exchangeIds.at(-1);
  return {
    place: { agent, ...(context !== undefined && { context, ...(exchange !== undefined && { exchange }) }) },
    what: `A test of my A2A agent ${quoted(agent)} fails.`,
    again: 'Then run the test again with a2a_run.',
    found: [
      `Test: request ${quoted(request)} in ${quoted(file)}`,
      ...(context === undefined
        ? []
        : [`Evidence: a2a_wire with "context": "${context}"${exchange === undefined ? '' : `, "exchange": "${exchange}"`}`]),
    ],
    rules: outcome?.findings?.map(({ rule }) => rule) ?? [],
    evidence,
  };
}

/** Where a fault stands on the wire, with the text around it. */
function wireLines(
  { operation, protocolBinding, protocolVersion, request, response, received }: Exchange,
  frames: readonly Frame[],
  {
    pointer = '',
    frame,
    bytes,
  }: { readonly pointer?: string | undefined; readonly frame?: number | undefined; readonly bytes?: readonly [number, number] | undefined },
): readonly (string | undefined)[] {
  const body = received === undefined ? response?.body : request.body;
  const text = frame === undefined ? body : frames.find(({ seq }) => seq === frame)?.data;
  return [
    `Request: ${operation} over ${protocolBinding} ${protocolVersion}, ${request.method} ${request.url}`,
    response && `Answer: HTTP ${response.status}`,
    pointer === '' ? undefined : `At: ${beginningOf(pointer, bounds.answer, '…')}`,
    text && `${frame === undefined ? 'Body' : `Event ${frame}`}:\n${around(text, bytes?.[0] ?? 0)}`,
  ];
}

/** A piece of a text in which a byte of it is. */
function around(text: string, byte: number): string {
  const at = Buffer.from(text).subarray(0, byte).toString().length;
  const start = Math.max(0, at - bounds.answer / 2);
  const piece = text.slice(start, start + bounds.answer).toWellFormed();
  // At an ellipsis without a space a credential that is cut there is masked, too.
  return `${start > 0 ? '…' : ''}${piece}${start + piece.length < text.length ? '…' : ''}`;
}

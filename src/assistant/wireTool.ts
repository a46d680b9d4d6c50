import * as z from 'zod';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import { wireAnswer, wireEvent, wireRequest } from '../model/wire/wireLines.ts';
import type { Exchange, ExchangeSummary, Frame, Headers } from '../protocol/exchange.ts';
import { sentence } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { bounds, paged } from './bounds.ts';
import { refusal } from './refusal.ts';
import { untrusted, type Section } from './result.ts';
import { findingFacts, ruleSection } from './ruleFacts.ts';
import { contextOf, openLine } from './targets.ts';
import { defineTool } from './tool.ts';
import type { World } from './world.ts';

const Input = z.strictObject({
  context: z.string().describe('Key of a context, from another result.'),
  exchange: z.string().optional().describe('Id of one exchange, for its headers, bodies, events and findings.'),
  event: z
    .union([z.int().min(0), z.enum(['request', 'response'])])
    .optional()
    .describe('Number of an event of its stream, or one of its bodies, for all of its text.'),
  from: z.int().min(0).optional().describe('Offset in that text; without "event", the first event to list.'),
  before: z.string().optional().describe('Without "exchange": older exchanges than this one.'),
});
type Input = z.infer<typeof Input>;

/** Shows what was on the wire. */
export const wireTool = defineTool({
  name: 'a2a_wire',
  description:
    'What was on the wire in a context: its exchanges, newest first, with the rules of the A2A specification that each broke. With "exchange": headers, bodies and events of one, and each finding with rule, clause and place. With "event" too: the whole text of one event or body. Characters that are invisible are written as JSON escapes, and credentials are masked. For the conversation use a2a_history.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Input,
  work: async (input, world) => {
    await world.consent.mayRead();
    const context = contextOf(input.context, world);
    return input.exchange === undefined ? list(context, input, world) : one(context, input.exchange, input, world);
  },
});

async function list(context: AgentContext, { before }: Input, world: World): Promise<readonly Section[]> {
  const { items, more } = context.exchanges({ limit: bounds.exchanges, ...(before !== undefined && { before }) });
  if (items.length === 0) return ['No exchanges are kept.'];
  return [
    ...openLine({ agent: context.agentName, context: context.key }, world),
    untrusted(context.agentName, items.map(row)),
    ...(more ? [`There are older ones: the same with "before": "${items.at(-1)!.id}".`] : []),
    ...(await ruleSection(items.flatMap(({ findings }) => findings.map(({ rule }) => rule)))),
  ];
}

function row(exchange: ExchangeSummary) {
  const { id, operation, protocolBinding, protocolVersion, url, status, startedAt, endedAt, error, failure, frames, findings } = exchange;
  return withoutUndefined({
    exchange: id,
    operation,
    over: `${protocolBinding} ${protocolVersion}`,
    url,
    status,
    at: new Date(startedAt).toISOString(),
    ms: endedAt === undefined ? undefined : Math.round(endedAt - startedAt),
    sent: wireRequest(exchange).preview,
    answered: wireAnswer(exchange)?.preview,
    events: frames,
    error,
    failure,
    findings: findings.length === 0 ? undefined : findings.map(({ rule, frame, times }) => withoutUndefined({ rule, event: frame, times })),
  });
}

async function one(context: AgentContext, id: string, { event, from = 0 }: Input, world: World): Promise<readonly Section[]> {
  const found = context.exchange(id);
  if (found === undefined)
    throw refusal(sentence('This context has no exchange of that id.'), sentence('Use the "exchange" from a result of a2a_wire.'));
  const { exchange, frames } = found;
  const link = openLine({ agent: context.agentName, context: context.key, exchange: id }, world);
  if (event !== undefined) {
    const text = wholeText(event, exchange, frames);
    return [
      ...link,
      untrusted(
        context.agentName,
        paged(text, from, bounds.page, next => `the same with "from": ${next}`),
      ),
    ];
  }
  const shown = frames.slice(from, from + bounds.events);
  const left = frames.length - from - shown.length;
  return [
    ...link,
    untrusted(context.agentName, exchangeFacts(exchange, shown)),
    ...(left > 0 ? [`${left} of ${frames.length} events were left out: the same with "from": ${from + shown.length}.`] : []),
    ...(await ruleSection(exchange.findings.map(({ rule }) => rule))),
  ];
}

function wholeText(event: NonNullable<Input['event']>, { request, response }: Exchange, frames: readonly Frame[]): string {
  const text = event === 'request' ? request.body : event === 'response' ? response?.body : frames.find(({ seq }) => seq === event)?.data;
  if (text !== undefined) return text;
  throw refusal(
    event === 'response' ? sentence('This exchange has no response body.') : sentence('This exchange has no event {0}.', event),
    sentence('It has {0} events, numbered from 0.', frames.length),
  );
}

function exchangeFacts(exchange: Exchange, frames: readonly Frame[]) {
  const { operation, protocolBinding, protocolVersion, request, response, startedAt, headersAt, endedAt, failure, findings } = exchange;
  const since = (at: number | undefined) => (at === undefined ? undefined : Math.round(at - startedAt));
  const body = (text: string, name: string) => paged(text, 0, bounds.piece, next => `"event": "${name}", "from": ${next}`);
  const headers = (list: Headers) => list.map(([name, value]) => `${name}: ${value}`);
  return withoutUndefined({
    operation,
    over: `${protocolBinding} ${protocolVersion}`,
    at: new Date(startedAt).toISOString(),
    request: { method: request.method, url: request.url, headers: headers(request.headers), body: body(request.body, 'request') },
    response:
      response &&
      withoutUndefined({
        status: response.status,
        afterMs: since(headersAt),
        headers: headers(response.headers),
        body: response.body === undefined ? undefined : body(response.body, 'response'),
        trailers: response.trailers && headers(response.trailers),
      }),
    events: frames.map(frame => {
      const { seq, at, type, size, preview } = wireEvent(frame, exchange);
      return { event: seq, afterMs: since(at), type, bytes: size, preview };
    }),
    endedAfterMs: since(endedAt),
    failure,
    ...findingFacts(findings),
  });
}

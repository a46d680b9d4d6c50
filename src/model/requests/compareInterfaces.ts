import type { OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import type { Finding } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import {
  isSend,
  subjectTask,
  type OperationParams,
  type SendMessageParams,
  type UnaryOperation,
} from '../../protocol/message/operations.ts';
import type { Task } from '../../protocol/message/task.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { headersFor, type WantedConnection } from '../agents/wantedConnection.ts';
import { extendedCard } from '../../request/text/methods.ts';
import type { ResolvedHeaders, ResolvedRequest } from '../../request/resolve/resolve.ts';
import { followRun, withinMs } from './requestFollowing.ts';
import { RequestLimit, noSignsOfLife } from './requestLimit.ts';
import type { RequestAgent, RequestContext, RequestModel } from './requestPorts.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import { normalizedJson } from '../../recording/compare/normalizedJson.ts';
import type { Answer } from '../../client/transport/transport.ts';

/** How one request came out on one interface. */
export interface InterfaceOutcome extends RequestOutcome {
  readonly offered: OfferedInterface;
  /** Departures of everything that was read for it. */
  readonly findings: readonly Finding[];
  /** Key of the context in the history that it was sent in; undefined where nothing came to be in it. */
  readonly contextKey: string | undefined;
  /** The answer to compare with that of other interfaces, see `normalizedJson`. */
  readonly text: string;
}

interface InterfaceComparisonNeeds {
  readonly agent: RequestAgent;
  readonly contexts: RequestModel['contexts'];
  readonly request: ResolvedRequest;
  /** Headers of the request itself. */
  readonly headers?: ResolvedHeaders | undefined;
  /** Stops the one under way; none comes after it. */
  readonly signal: AbortSignal;
  /** How long each of them may take, in milliseconds, see `RequestLimit`. */
  readonly timeoutMs?: number;
  readonly onError: (error: unknown) => void;
}

/** How long a finished answer may take to end on the wire, in milliseconds: until then its findings are not complete. */
const grace = 1_000;

/**
 * Sends one request once on each supported interface of the agent's card, in the card's order, one after the other, a message each time
 * as a new one in a context of its own, a question about a task in the context that has it. What goes wrong on one is in its outcome, and the next is tried.
 * Throws a `Problem`: those of connecting to the agent, `no-interface`, `not-for-every-interface`.
 */
export async function* sendOnEveryInterface(needs: InterfaceComparisonNeeds): AsyncGenerator<InterfaceOutcome> {
  const { agent, request, signal } = needs;
  if ('raw' in request || request.operation === 'SubscribeToTask') {
    throw new Problem('not-for-every-interface', sentence('Only messages and task queries can be sent on every interface.'), {
      nextStep: sentence('Write it as a request with a message, or with another method and params.'),
    });
  }
  const spoken = agent.interfaces.offered.filter(offered => offered.isSupported);
  const different = spoken.filter((offered, index) => spoken.findIndex(other => isSame(other, offered)) === index);
  if (different.length === 0) throw new Problem('no-interface', sentence('The agent offers no interface that is supported here.'));
  for (const offered of different) {
    if (signal.aborted) return;
    yield await sendOn(offered, request, needs);
  }
}

const isSame = (one: OfferedInterface, other: OfferedInterface): boolean =>
  JSON.stringify([one.wanted, one.interface.url]) === JSON.stringify([other.wanted, other.interface.url]);

async function sendOn(
  offered: OfferedInterface,
  request: Exclude<ResolvedRequest, { raw: string }>,
  needs: InterfaceComparisonNeeds,
): Promise<InterfaceOutcome> {
  const { agent, contexts } = needs;
  const startedAt = performance.timeOrigin + performance.now();
  const { params } = request;
  const taskId = subjectTask(params);
  const known = taskId === undefined ? undefined : contexts.forTask(agent.name, taskId);
  const context = known ?? (await contexts.patiently(() => contexts.create(agent.name)));
  let outcome: RequestOutcome;
  try {
    outcome = isSend(request.operation)
      ? await message(context, offered, params as SendMessageParams, request.operation === 'SendStreamingMessage', needs)
      : await question(context, offered, request.operation as Question, params, needs, startedAt);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    outcome = { problem: error, startedAt, endedAt: performance.timeOrigin + performance.now(), exchangeIds: [] };
  }
  const findings = outcome.exchangeIds.flatMap(id => contexts.exchange(id)?.exchange.findings ?? []);
  const discarded = known === undefined && contexts.discard(context.key);
  return { ...outcome, offered, findings, contextKey: discarded ? undefined : context.key, text: normalizedJson(comparable(outcome)) };
}

const connectionTo = ({ wanted, interface: { url } }: OfferedInterface, headers: ResolvedHeaders | undefined): WantedConnection =>
  headers === undefined ? wanted : { ...wanted, headers: headersFor(url, headers) };

async function message(
  context: RequestContext,
  offered: OfferedInterface,
  params: SendMessageParams,
  streaming: boolean,
  { contexts, signal, timeoutMs, onError, headers }: InterfaceComparisonNeeds,
): Promise<RequestOutcome> {
  const {
    message: { parts, messageId: _, contextId: __, taskId: ___, ...rest },
    configuration,
    metadata,
    tenant,
  } = params;
  const run = await contexts.patiently(() =>
    context.send({
      parts,
      target: 'new-task',
      streaming,
      interface: connectionTo(offered, headers),
      configuration,
      metadata,
      tenant,
      message: rest,
    }),
  );
  const stop = (): void => void run.stop().catch(onError);
  signal.addEventListener('abort', stop, { once: true });
  const limit = new RequestLimit(timeoutMs);
  const outcome = await followRun(run, { context, limit, onDidChange: () => {} }).finally(() => signal.removeEventListener('abort', stop));
  if (outcome.problem !== undefined && outcome.problem === limit.problem) {
    stop();
    return outcome;
  }
  await withinMs(run.ended, grace);
  return outcome;
}

/** Operations with one answer. */
type Question = Exclude<UnaryOperation, 'SendMessage'> | typeof extendedCard;

async function question(
  context: RequestContext,
  offered: OfferedInterface,
  operation: Question,
  params: unknown,
  { signal, timeoutMs, headers }: InterfaceComparisonNeeds,
  startedAt: number,
): Promise<RequestOutcome> {
  const limit = new RequestLimit(timeoutMs);
  const until = AbortSignal.any([signal, limit.signal]);
  const connection = connectionTo(offered, headers);
  const answer: Promise<Answer<unknown>> =
    operation === extendedCard
      ? context.extendedCard(params as { readonly tenant?: string }, until, connection)
      : context.call(operation, params as OperationParams[typeof operation], until, connection);
  const { result, exchangeId } = await limit.within(answer, noSignsOfLife);
  const endedAt = performance.timeOrigin + performance.now();
  const times = { startedAt, firstEventAt: endedAt, endedAt, exchangeIds: [exchangeId] };
  return isObject(result) && 'status' in result ? { task: result as unknown as Task, ...times } : { value: result, ...times };
}

/** The comparable parts of an outcome: the response, and the problem. */
function comparable({ task, message: answer, value, problem }: RequestOutcome): unknown {
  return { task, message: answer, value, problem: problem === undefined ? undefined : { code: problem.code, message: problem.message } };
}

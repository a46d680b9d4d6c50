import type { Exchange } from '../protocol/exchange.ts';
import { isObject } from '../protocol/json.ts';
import { hint, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { checkedJson, headerMap } from '../protocol/rules/rule/answerView.ts';

/**
 * How the agent refused, such as "HTTP 401", where it refused everything for want of credentials, and verdicts are missing for that: rules about
 * those who are not let in ask without credentials, and find what they look for. Else undefined.
 * @param undecided ids of the exchanges for which rules are inconclusive
 */
export function refusalOf(exchanges: readonly Exchange[], undecided: ReadonlySet<string | undefined>): string | undefined {
  const asked = exchanges.filter(({ operation, response }) => !notAsked.has(operation) && response !== undefined);
  const refusals = asked.map(refusalIn);
  return refusals.every(each => each !== undefined) && asked.some(({ id }) => undecided.has(id)) ? refusals[0] : undefined;
}

/** Families of rules that are decided by the card, or by refusals. */
export const decidedWithoutAnswers: ReadonlySet<string> = new Set(['CARD', 'SIGN', 'AUTH']);

/** Most kinds of failures that are named. */
const maxFailures = 3;

/**
 * How the agent failed, such as "HTTP 500", where each answer was a failure that A2A does not know, and verdicts are missing for that. Else
 * undefined.
 * @param undecided ids of the exchanges for which rules are inconclusive
 */
export function failureOf(exchanges: readonly Exchange[], undecided: ReadonlySet<string | undefined>): string | undefined {
  const asked = exchanges.filter(({ operation, response }) => !notAsked.has(operation) && response !== undefined);
  const failures = asked.map(failureIn);
  if (!failures.every(each => each !== undefined) || !asked.some(({ id }) => undecided.has(id))) return undefined;
  const kinds = [...new Set(failures)];
  return kinds.slice(0, maxFailures).join(', ') + (kinds.length > maxFailures ? ', …' : '');
}

/** Status codes of gRPC for an agent that is broken: UNKNOWN, UNIMPLEMENTED, INTERNAL, UNAVAILABLE. */
const brokenGrpc: ReadonlySet<string | undefined> = new Set(['2', '12', '13', '14']);
/** Members of an error, in any binding and version. */
const errorMembers = ['error', 'jsonrpc', 'code', 'title', 'type'];

/** The status of an answer that says nothing of A2A; undefined for a result or an error. */
function failureIn({ protocolBinding, response }: Exchange): string | undefined {
  if (protocolBinding === 'GRPC') {
    const status = headerMap([...(response?.headers ?? []), ...(response?.trailers ?? [])]).get('grpc-status');
    return brokenGrpc.has(status) ? `gRPC ${status}` : undefined;
  }
  if (response === undefined || response.status < 300) return undefined;
  const body = checkedJson(response.body);
  return isObject(body) && errorMembers.some(name => name in body) ? undefined : `HTTP ${response.status}`;
}

/** Exchanges that no credentials go with, or that the agent began. */
const notAsked: ReadonlySet<string> = new Set(['AgentCard', 'PushNotification']);

/** HTTP 401 and 403; gRPC UNAUTHENTICATED and PERMISSION_DENIED. */
function refusalIn({ protocolBinding, response }: Exchange): string | undefined {
  if (protocolBinding !== 'GRPC') return response?.status === 401 || response?.status === 403 ? `HTTP ${response.status}` : undefined;
  const status = headerMap([...(response?.headers ?? []), ...(response?.trailers ?? [])]).get('grpc-status');
  return status === '16' || status === '7' ? `gRPC ${status}` : undefined;
}

/** What is to be known of an interface over which everything was refused, or failed. */
export function remarkOn(refused: string | undefined, failing: string | undefined): LocalizedMessage | undefined {
  if (refused !== undefined)
    return hint(
      sentence('Every request was refused ({0}), so that nothing was decided. Sign in first.', refused),
      'Every request was refused ({0}), so that nothing was decided. Give credentials with --header, or sign in with a2a auth login.',
    );
  return failing === undefined
    ? undefined
    : sentence("Every request was answered with {0}, so that nothing was decided. Look at the agent's own log.", failing);
}

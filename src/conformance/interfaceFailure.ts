import type { Exchange } from '../protocol/exchange.ts';
import { isObject } from '../protocol/json.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { hint, listOf, sentence, type LocalizedMessage } from '../protocol/problem.ts';
import { checkedJson, headerMap } from './rules/rule/answerView.ts';
import { unreadIn } from './evidence.ts';
import { findingSentence } from '../protocol/finding.ts';

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

/** Most kinds of failures that are named. */
const maxFailures = 3;

/** An interface over which nothing came that is of use. */
export interface Failing {
  /** Why a rule that nothing breaks is not kept by that. */
  readonly why: LocalizedMessage;
  readonly remark: LocalizedMessage;
}

/**
 * How the agent failed, such as "HTTP 500", where each answer was a failure that A2A does not know, or could not be read, and verdicts are
 * missing for that. Else undefined.
 * @param undecided ids of the exchanges for which rules are inconclusive
 */
export function failureOf(exchanges: readonly Exchange[], undecided: ReadonlySet<string | undefined>): Failing | undefined {
  const asked = exchanges.filter(({ operation, response }) => !notAsked.has(operation) && response !== undefined);
  const [unread] = asked.flatMap(exchange => unreadIn(exchange) ?? []);
  const failures = asked.filter(exchange => unreadIn(exchange) === undefined).map(failureIn);
  if (!failures.every(each => each !== undefined)) return undefined;
  if (unread !== undefined)
    return {
      why: sentence('No answer could be read, which says nothing about the rule.'),
      remark: sentence('No answer of the agent could be read, so nothing else could be decided: {0}', findingSentence(unread)),
    };
  if (!asked.some(({ id }) => undecided.has(id))) return undefined;
  const kinds = [...new Set(failures)];
  const failure = listOf([...kinds.slice(0, maxFailures), ...(kinds.length > maxFailures ? ['…'] : [])]);
  return {
    why: sentence('Every request was answered with {0}, which says nothing about the rule.', failure),
    remark: sentence("Every request was answered with {0}, so nothing could be decided. Look at the agent's own log.", failure),
  };
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

/** Most that is shown of a request, in UTF-16 code units. */
const maxRequest = 300;

/** A request in a line, with its operation and its body, or its path. */
const requestLine = ({ operation, request: { body, url } }: Exchange): string =>
  `${operation} ${beginningOf(body === '' ? new URL(url).pathname : body, maxRequest, '…')}`;

/** The remark on an interface that went away during a check: the requests between which it did. Undefined where it answered none. */
export function departureOf(exchanges: readonly Exchange[]): LocalizedMessage | undefined {
  const asked = exchanges.filter(({ operation }) => !notAsked.has(operation));
  const last = asked.findLastIndex(({ response }) => response !== undefined);
  const [answered, next] = [asked[last], asked[last + 1]];
  return answered === undefined || next === undefined
    ? undefined
    : sentence('Last request with an answer: {0} The next one got none: {1}', requestLine(answered), requestLine(next));
}

/** The remark on an interface over which everything was refused, or failed. */
export function remarkOn(refused: string | undefined, failing: Failing | undefined): LocalizedMessage | undefined {
  if (refused !== undefined)
    return hint(
      sentence('Every request was refused ({0}), so nothing could be decided. Sign in first.', refused),
      'Every request was refused ({0}), so nothing could be decided. Give credentials that the agent accepts with --header, or sign in with a2a auth login.',
    );
  return failing?.remark;
}

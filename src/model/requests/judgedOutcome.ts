import { isObject } from '../../protocol/json.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { checkExpectations } from '../../request/expect/expectations.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { memberOf, membersOf } from '../../request/text/jsonNode.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import type { RequestModel } from './requestPorts.ts';
import type { SendContext } from './sendContext.ts';
import { hasReached, notReached } from './unmetWaits.ts';

/** The awaited states and expectations of a request. */
export interface Awaited {
  readonly entry: RequestEntry;
  /** Expectations with templates filled in. */
  readonly expect: unknown;
  /** The states that were waited for; undefined where the end of the task was. */
  readonly waitFor: readonly TaskState[] | undefined;
}

/** The outcome with whether it is as it was waited for and expected, and with what that was found out by. */
export function judgedOutcome(
  came: RequestOutcome,
  { entry, expect, waitFor }: Awaited,
  { canceled, model: { contexts } }: Pick<SendContext, 'canceled' | 'model'>,
): RequestOutcome {
  const told = hasReached(waitFor, came) || came.problem !== undefined ? came : { ...came, problem: notReached(waitFor ?? [], came) };
  const outcome = told.task !== undefined && canceled.has(told.task.id) ? { ...told, cancelAsked: true } : told;
  const untils = memberOf(entry.members.get('until')?.value, 'expect')?.value;
  const awaited = untils === undefined ? undefined : Object.fromEntries(membersOf(untils).map(({ name }) => [name, true]));
  const observed = wantsResponses(expect) || wantsResponses(awaited) ? { ...outcome, responses: responsesOf(outcome, contexts) } : outcome;
  if (!entry.members.has('expect')) return observed;
  return { ...observed, expectations: checkExpectations(entry, expect, observed) };
}

const wantsResponses = (expect: unknown): boolean => isObject(expect) && ('status' in expect || 'headers' in expect);

const responsesOf = ({ exchangeIds }: RequestOutcome, contexts: RequestModel['contexts']): NonNullable<RequestOutcome['responses']> =>
  exchangeIds.flatMap(id => {
    const response = contexts.exchange(id)?.exchange.response;
    return response === undefined ? [] : [{ status: response.status, headers: response.headers }];
  });

import { Problem, sentence } from '../../protocol/problem.ts';
import { continuationOf, type Continuation } from '../../request/file/continuation.ts';
import type { ContextMaker } from '../../protocol/message/transcript.ts';
import type { RequestResult } from '../../request/values/requestResult.ts';
import type { RequestAgent, RequestContext, RequestModel } from './requestPorts.ts';

/** The run that a request continues (`RequestRun`). */
export interface EarlierRun {
  readonly entry: { readonly name?: string };
  readonly agent: RequestAgent | undefined;
  readonly outcome: RequestResult | undefined;
  readonly contextKey: string | undefined;
  /** Where each row went that was sent, by its position. */
  readonly ends: ReadonlyMap<number, Pick<EarlierRun, 'agent' | 'contextKey'>>;
}

/**
 * The part of an earlier request that `after` continues: all of it, the named row, or nothing where several rows have no conversation in
 * common. Throws a `Problem` `no-value` where there is no such row.
 * @param row see `rowNamed`
 */
export function continuedPart(run: EarlierRun | undefined, row: number | undefined): EarlierRun | undefined {
  if (run === undefined) return undefined;
  const results = run.outcome?.results ?? [run.outcome];
  if (row === undefined) return results.length > 1 ? undefined : run;
  const outcome = results.at(row);
  if (outcome === undefined)
    throw new Problem('no-value', sentence('{0} has no value, so nothing was sent.', `${run.entry.name ?? ''}[${row}]`), {
      nextStep: sentence(
        'There is no result [{0}]: the request was sent {1} times. Results are counted from 0, and [-1] is the last.',
        String(row),
        results.length,
      ),
    });
  const { entry, agent, contextKey, ends } = run;
  return { entry, agent, contextKey, ends, ...ends.get(row < 0 ? results.length + row : row), outcome };
}

/**
 * How a message to the agent goes on with what an earlier request brought, by its task as it is now: that may have gone on in the chat
 * since the request was over. Throws a `Problem` `other-agent` where that one went elsewhere.
 */
export function continuationAfter(previous: EarlierRun, agent: RequestAgent, contexts: RequestModel['contexts']): Continuation {
  if (previous.agent?.name !== agent.name) {
    throw new Problem(
      'other-agent',
      sentence(
        '"{0}" went to the agent "{1}", so "{2}" cannot continue its conversation.',
        previous.entry.name ?? '',
        previous.agent?.name ?? '',
        agent.name,
      ),
      {
        nextStep: sentence('Send both to one agent, or remove "after" and refer to the result instead.'),
      },
    );
  }
  const { task, message } = previous.outcome ?? {};
  const context = previous.contextKey === undefined ? undefined : contexts.get(previous.contextKey);
  return continuationOf({ task: task === undefined ? undefined : (context?.task(task.id) ?? task), message });
}

/** Where a message belongs: what is written wins, then the context of the earlier request, then a new one. */
export function contextFor(
  contexts: RequestModel['contexts'],
  {
    agent,
    written,
    previous,
    continuation,
    madeBy,
  }: {
    readonly agent: RequestAgent;
    /** The `contextId` that the request's message has. */
    readonly written: string | undefined;
    readonly previous: EarlierRun | undefined;
    readonly continuation: Continuation;
    readonly madeBy: ContextMaker;
  },
): RequestContext {
  const same = written === undefined && previous?.contextKey !== undefined ? contexts.get(previous.contextKey) : undefined;
  const contextId = written ?? continuation.contextId;
  return same ?? (contextId === undefined ? contexts.create(agent.name, { madeBy }) : contexts.forContextId(agent.name, contextId, madeBy));
}

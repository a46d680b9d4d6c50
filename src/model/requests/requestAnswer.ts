import { Problem } from '../../protocol/problem.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import { textOfObserved } from '../../request/expect/observed.ts';
import { historyLength } from '../run/agentStream.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import type { RequestContext } from './requestPorts.ts';

/**
 * The outcome with the task's history, if no text was streamed: some agents put their answer there and nowhere else. If the agent cannot be
 * asked, the outcome stays.
 */
export async function withKeptAnswer(
  outcome: RequestOutcome,
  context: RequestContext,
  { signal, wanted }: { readonly signal: AbortSignal; readonly wanted: WantedConnection | undefined },
): Promise<RequestOutcome> {
  const { task, problem } = outcome;
  if (problem !== undefined || task === undefined || isActive(task.status.state) || textOfObserved(outcome) !== '') return outcome;
  try {
    const { result, exchangeId, findings = [] } = await context.call('GetTask', { id: task.id, historyLength }, signal, wanted);
    return {
      ...outcome,
      task: { ...task, ...(result.history !== undefined && { history: result.history }) },
      findings: [...(outcome.findings ?? []), ...findings],
      exchangeIds: [...outcome.exchangeIds, exchangeId],
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return outcome;
  }
}

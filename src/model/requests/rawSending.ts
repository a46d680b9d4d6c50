import type { Problem } from '../../protocol/problem.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { StreamReducer } from '../fold/streamReducer.ts';
import { now } from '../now.ts';
import { RunObservations } from '../run/runObservations.ts';
import type { AnswerWait } from './answerWait.ts';
import { problemOf, type RequestOutcome } from './requestOutcome.ts';
import type { RequestContext } from './requestPorts.ts';
import type { SendContext } from './sendContext.ts';

/** Dependencies of a raw body. */
interface RawSendingNeeds {
  readonly sending: SendContext;
  readonly context: RequestContext;
  readonly wanted: WantedConnection | undefined;
  readonly wait: AnswerWait;
  /** Takes in what can be read of the answer. */
  readonly fold: StreamReducer;
  readonly startedAt: number;
}

/** Sends a body as it is written. Its answer is read as far as it can be: `value` is its last result as it was on the wire. Never rejects. */
export async function sendRaw(
  body: string,
  { sending: { onDidChange, onError }, context, wanted, wait: { limit, signal }, fold, startedAt }: RawSendingNeeds,
): Promise<RequestOutcome> {
  const exchangeIds: string[] = [];
  const heard = new RunObservations();
  let firstEventAt: number | undefined;
  let lastReceivedAt: number | undefined;
  let value: unknown;
  let problem: Problem | undefined;
  const read = async (): Promise<void> => {
    const onHeard = (): void => void (lastReceivedAt = performance.now());
    for await (const batch of context.sendRaw(body, signal, wanted, onHeard)) {
      if (exchangeIds.at(-1) !== batch.exchangeId) exchangeIds.push(batch.exchangeId);
      firstEventAt ??= now();
      if (batch.results.length > 0) value = batch.results.at(-1);
      heard.take(fold.apply(batch.events, false, batch), batch.findings);
      onDidChange();
    }
  };
  try {
    await limit.within(read(), { lastReceivedAt: () => lastReceivedAt });
  } catch (error) {
    problem = problemOf(error, onError);
    if (problem.exchangeId !== undefined && !exchangeIds.includes(problem.exchangeId)) exchangeIds.push(problem.exchangeId);
  }
  const { states, findings, events } = heard;
  return {
    task: fold.task?.task,
    message: fold.message,
    value,
    problem,
    states,
    findings,
    events,
    startedAt,
    firstEventAt,
    endedAt: now(),
    exchangeIds,
  };
}

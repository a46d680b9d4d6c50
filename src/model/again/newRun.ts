import type { ComparedTurn } from '../../recording/compare/comparedRun.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { AgentContext } from '../contexts/agentContext.ts';
import type { AgentContexts } from '../contexts/agentContexts.ts';
import { withinMs } from '../requests/requestFollowing.ts';
import { answeredByPerson } from './personAnswer.ts';
import { type AgainTurn, runAgain } from './runAgain.ts';

/** Longest wait for what agents still send of turns that are over, in milliseconds. A sound stream is closed at once. */
const maxSettling = 10_000;

interface NewRunNeeds {
  readonly contexts: Pick<AgentContexts, 'create' | 'rename' | 'patiently' | 'discard'>;
  /** Name of the agent that gets the messages. */
  readonly agent: string;
  readonly interface?: WantedConnection | undefined;
  /** Title of the new context. */
  readonly title: string;
  /** The turns to run again, as they went before. */
  readonly turns: readonly ComparedTurn[];
  readonly signal: AbortSignal;
  /** Called before the first message is sent. */
  readonly onContext?: ((context: AgentContext) => unknown) | undefined;
  readonly onTurn?: ((turn: AgainTurn, context: AgentContext) => void) | undefined;
  /** The person is there: the run waits for answers that only they can give. */
  readonly attended: boolean;
  readonly onError: (error: unknown) => void;
}

/** A conversation that was run again. */
export interface NewRun {
  /** Undefined where nothing could be sent. */
  readonly context: AgentContext | undefined;
  readonly turns: readonly AgainTurn[];
}

/**
 * Runs a conversation again in a context of the person's, and waits for late events of turns that are over, so that the history has the run
 * as it stays. See `runAgain`.
 */
export async function newRun({ contexts, title, turns: before, attended, onContext, onTurn, ...needs }: NewRunNeeds): Promise<NewRun> {
  const { agent, signal } = needs;
  const context = await contexts.patiently(() => {
    const created = contexts.create(agent);
    contexts.rename({ context: created.key }, title);
    return created;
  });
  await onContext?.(context);
  const turns: AgainTurn[] = [];
  const again = runAgain({
    ...needs,
    context,
    before,
    said: before.map(({ said }) => said),
    patiently: work => contexts.patiently(work),
    answered: attended
      ? turn => answeredByPerson(context, { taskId: turn.waitingTask, mayAsk: turn.outcome.problem !== undefined, signal })
      : undefined,
  });
  for await (const turn of again) {
    turns.push(turn);
    onTurn?.(turn, context);
  }
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => stop(), { once: true });
  if (signal.aborted) stop();
  await withinMs(Promise.race([Promise.all(turns.flatMap(({ ended }) => ended ?? [])), stopped]), maxSettling);
  return { context: contexts.discard(context.key) ? undefined : context, turns };
}

/** The turns from that one on, as a conversation of their own: what they refer to before it is left out. */
export function turnsFrom(turns: readonly ComparedTurn[], first: number): readonly ComparedTurn[] {
  return turns.slice(first).map(({ said, outcome }) => {
    const { answers, refersTo, ...rest } = said;
    return {
      said: {
        ...rest,
        refersTo: refersTo.flatMap(turn => (turn < first ? [] : [turn - first])),
        ...(answers !== undefined && answers >= first && { answers: answers - first }),
      },
      ...(outcome !== undefined && { outcome }),
    };
  });
}

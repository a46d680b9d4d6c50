import { setTimeout as sleep } from 'node:timers/promises';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Problems of an agent that is there and shows no card, or not without credentials: adding it says the rest. */
const thereWithoutCard: readonly string[] = ['unauthorized', 'grpc-without-card'];

interface CardWaitOptions {
  readonly agents: Pick<Agents, 'cardAt'>;
  /** Its end ends the wait. */
  readonly signal: AbortSignal;
  /** Called with what is seen instead of a card, each time that changes; `details`: the addresses that were asked, with their answers. */
  readonly say: (what: LocalizedMessage, details?: string) => void;
  /** Between two questions, in milliseconds. */
  readonly pauseMs?: number;
  /** How long an answer may take before that is said, in milliseconds. */
  readonly slowMs?: number;
}

/**
 * Waits for the card at an address, however long a program needs to start, or a debugger holds it. Undefined where the agent is there and
 * shows none. Rejects with a `Problem` `cancelled` when the signal ends, `bad-url` for an address that is none.
 */
export async function waitForCard(
  url: string,
  { agents, signal, say, pauseMs = 300, slowMs = 5_000 }: CardWaitOptions,
): Promise<ResolvedAgentCard | undefined> {
  let said = '';
  const sayOnce = (what: LocalizedMessage, details?: string): void => {
    const key = JSON.stringify([what, details]);
    if (key !== said) say(what, details);
    said = key;
  };
  for (;;) {
    const slow = setTimeout(
      () => sayOnce(sentence('{0} is connected and has not sent its card for {1} seconds.', url, Math.round(slowMs / 1000))),
      slowMs,
    );
    try {
      return await agents.cardAt(url, signal);
    } catch (error) {
      if (!(error instanceof Problem) || signal.aborted || error.code === 'bad-url') throw error;
      if (thereWithoutCard.includes(error.code)) return undefined;
      sayOnce(error.sentence, error.name === 'ConnectionProblem' ? undefined : error.details);
    } finally {
      clearTimeout(slow);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

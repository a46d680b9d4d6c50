import type { Agent } from '../../model/agents/agent.ts';
import { Problem } from '../../protocol/problem.ts';

/** Reads the card unless that was done. Rejects with a `Problem` if there is none; a card without a supported interface is accepted. */
export async function ensureCard(agent: Agent): Promise<void> {
  if (agent.card !== undefined) return;
  try {
    await agent.prepare();
    await agent.connect();
  } catch (error) {
    if (!(error instanceof Problem) || agent.card === undefined) throw error;
  }
}

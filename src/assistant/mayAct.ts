import type { Agent } from '../model/agents/agent.ts';
import { sentence } from '../protocol/problem.ts';
import { refusal } from './refusal.ts';
import type { Action, Recipient, World } from './world.ts';

/** Asks for consent. Rejects with a `Problem`, also where the call was canceled meanwhile. */
export async function mayAct(action: Action, { consent }: World, signal: AbortSignal): Promise<void> {
  await consent.mayAct(action);
  if (signal.aborted) throw refusal(sentence('The call was canceled before anything was sent.'));
}

/**
 * Asks for consent to act at one agent. Its card is read after a yes, where it is not known: it says where messages go, and another place than
 * was asked for is asked for once more.
 */
export async function mayActAt(agent: Agent, action: Omit<Action, 'agents'>, world: World, signal: AbortSignal): Promise<void> {
  const before = recipientOf(agent);
  await mayAct({ ...action, agents: [before] }, world, signal);
  if (agent.card !== undefined) return;
  await agent.check();
  const now = recipientOf(agent);
  if (now.origin !== before.origin) await mayAct({ ...action, agents: [now] }, world, signal);
}

/** The agent with the origin that messages go to, or that of its address before its card is known. */
export const recipientOf = ({ name, chosen, addressUrl }: Agent): Recipient => ({
  name,
  origin: originOf(chosen?.interface.url ?? addressUrl),
});

/** The origin of an address; text that is no address is only the same as itself. */
export const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

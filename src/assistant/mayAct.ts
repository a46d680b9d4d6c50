import type { Agent } from '../model/agents/agent.ts';
import { sentence } from '../protocol/problem.ts';
import { refusal } from './refusal.ts';
import type { Action, World } from './world.ts';

/** Asks for consent to an action at these agents. Rejects with a `Problem`, also where the call was canceled meanwhile. */
export async function mayAct(
  action: Omit<Action, 'agents'>,
  agents: readonly Agent[],
  { consent }: World,
  signal: AbortSignal,
): Promise<void> {
  const recipients = agents.map(({ name, chosen, addressUrl }) => ({ name, origin: originOf(chosen?.interface.url ?? addressUrl) }));
  await consent.mayAct({ ...action, agents: recipients });
  if (signal.aborted) throw refusal(sentence('The call was canceled before anything was sent.'));
}

/** Text that is no address is only the same as itself. */
const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

import type { AgentClient } from '../../client/agentClient.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { A2AError } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { Problem } from '../../protocol/problem.ts';
import type { AskedAgent } from './explainedSignIn.ts';
import { seenExchange } from './look.ts';

/** No agent has a task of this id: the request changes nothing. */
const noTask = 'a2a-workbench-explains-the-sign-in';

/**
 * Asks the agent for a task that does not exist. Rejects with what is no `Problem`.
 * @param connect the client; undefined where there is no card, which it then requests over the log instead
 */
export async function askAgent(connect: (log: WireLog) => Promise<AgentClient | undefined>, signal: AbortSignal): Promise<AskedAgent> {
  const seen = new Map<string, Exchange>();
  const log: WireLog = { exchange: exchange => void seen.set(exchange.id, exchange), frames: () => {} };
  let problem: Problem | undefined;
  let carried: boolean | undefined;
  try {
    const client = await connect(log);
    if (client !== undefined) {
      carried = (await client.credentials()) !== undefined;
      await client.call('GetTask', { id: noTask }, { signal, log });
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!(error instanceof A2AError)) problem = error;
  }
  return { problem, carried, exchanges: [...seen.values()].map(exchange => seenExchange(exchange)) };
}

import type { Agents } from '../../model/agents/agents.ts';
import type { LocalAgent } from '../../client/card/localAgent.ts';
import { portsOfThisWindow } from './terminalPorts.ts';

/** Ports of the samples of the A2A SDKs, and those that web frameworks take by themselves. */
const usualPorts = [
  9999, 41241, 41242, 10_000, 10_001, 10_002, 10_003, 10_004, 10_005, 10_010, 10_020, 10_030, 8000, 8001, 8080, 8081, 8083, 8888, 3000,
  3001, 4000, 5000, 5001, 7000, 9000, 9001, 9090, 11_000, 12_000, 50_051,
];
/** Most ports that are asked, and at a time. */
const maxPorts = 80;
const atATime = 8;

/**
 * Asks the usual ports of this machine, and those of this window, for agent cards, and tells of each agent as it is found. Ends when all
 * have been asked, or with the signal.
 */
export async function findRunningAgents(agents: Agents, signal: AbortSignal, found: (agent: LocalAgent) => void): Promise<void> {
  const ports = [...new Set([...(await portsOfThisWindow()), ...usualPorts])].slice(0, maxPorts);
  const next = ports.values();
  const ask = async (): Promise<void> => {
    for (const port of next) {
      if (signal.aborted) return;
      const agent = await agents.onThisMachine(port, signal);
      if (agent !== undefined && !signal.aborted) found(agent);
    }
  };
  await Promise.all(Array.from({ length: atATime }, ask));
}

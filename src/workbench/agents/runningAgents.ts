import type { Agents } from '../../model/agents/agents.ts';
import type { LocalAgent } from '../../client/card/localAgent.ts';
import { portsOfThisWindow } from './terminalPorts.ts';
import { translatedList } from '../platform/report.ts';

/** Ports of the samples of the A2A SDKs, and those that web frameworks take by themselves. */
const usualPorts = [
  9999, 41241, 41242, 10_000, 10_001, 10_002, 10_003, 10_004, 10_005, 10_010, 10_020, 10_030, 8000, 8001, 8080, 8081, 8083, 8888, 3000,
  3001, 4000, 5000, 5001, 7000, 9000, 9001, 9090, 11_000, 12_000, 50_051,
];
/** Maximum number of ports that are asked, and of those at a time. */
const maxPorts = 80;
const atATime = 8;

/** Ports of this machine that may be those of agents: those of this window's programs first, then the usual ones. */
export const portsToAsk = async (): Promise<readonly number[]> =>
  [...new Set([...(await portsOfThisWindow()), ...usualPorts])].slice(0, maxPorts);

/** Ports in their order, neighbours as a range: `9999, 3000–3001`. A row has no room for all: the likely ones stand first. */
export function portRanges(ports: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const port of ports) {
    const range = ranges.at(-1);
    if (range?.[1] === port - 1) range[1] = port;
    else ranges.push([port, port]);
  }
  return translatedList(ranges.map(([first, last]) => (first === last ? first : `${first}–${last}`)));
}

/** Asks ports of this machine for agent cards, and reports each agent as it is found. Ends when all have been asked, or with the signal. */
export async function findRunningAgents(
  agents: Agents,
  ports: readonly number[],
  signal: AbortSignal,
  found: (agent: LocalAgent) => void,
): Promise<void> {
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

import { Currency } from './currency.ts';
import { Helsinki } from './helsinki.ts';
import { Phrasebook } from './phrasebook.ts';
import { Sailboat } from './sailboat.ts';
import { serveAgent, type RunningAgent } from './serve.ts';
import type { Pace } from './turn.ts';
import { Writer } from './writer.ts';

export interface SampleAgentsOptions {
  /** The first agent's port, the others follow it; free ports when left out. */
  readonly basePort?: number;
  /** Of every agent; 1 when left out. */
  readonly pace?: Pace;
}

export interface SampleAgents {
  readonly agents: readonly { readonly name: string; readonly url: string }[];
  stop(): Promise<void>;
}

/** Starts the five sample agents. All of them run, or none: rejects with the first error, such as a taken port. */
export async function startSampleAgents({ basePort, pace = 1 }: SampleAgentsOptions = {}): Promise<SampleAgents> {
  const fleet = [new Sailboat(), new Currency(), new Helsinki(), new Writer(), new Phrasebook()];
  const starts = await Promise.allSettled(fleet.map((agent, at) => serveAgent(agent, basePort === undefined ? 0 : basePort + at, pace)));
  const running = starts.flatMap(start => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((agent: RunningAgent) => agent.stop()));
  };
  const failure = starts.find(start => start.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  return { agents: running.map(({ name, url }) => ({ name, url })), stop };
}

import { startSampleAgents as start } from '../../examples/agents/sampleAgents.ts';
import type { Pace } from '../../examples/agents/turn.ts';

export type SampleAgentName = 'Sailboat' | 'Currency' | 'Helsinki' | 'Writer' | 'Phrasebook';

export interface StartedSampleAgents {
  readonly urls: Readonly<Record<SampleAgentName, string>>;
  stop(): Promise<void>;
}

/** Starts the sample agents in this process, on free loopback ports. `pace` is that of their pauses, 1 when left out. */
export async function startSampleAgents({ pace = 1 }: { pace?: Pace } = {}): Promise<StartedSampleAgents> {
  const { agents, stop } = await start({ pace });
  const urlOf = (name: SampleAgentName): string => {
    const agent = agents.find(candidate => candidate.name === name);
    if (agent === undefined) throw new Error(`No sample agent is called ${name}.`);
    return agent.url;
  };
  return {
    urls: {
      Sailboat: urlOf('Sailboat'),
      Currency: urlOf('Currency'),
      Helsinki: urlOf('Helsinki'),
      Writer: urlOf('Writer'),
      Phrasebook: urlOf('Phrasebook'),
    },
    stop,
  };
}

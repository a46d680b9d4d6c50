import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script } from '../../../src/mock/script.ts';
import { task } from '../../support/client/says.ts';

/** The card of an agent that does not stream: it is asked again and again. */
export const silentCard: Script = { AgentCard: [{ json: { ...minimalCard('/', '1.0'), capabilities: {} } }] };

/** The task in one state after the other, each time it is asked for. */
export function asked(...states: readonly Parameters<typeof task>[0][]): Script['GetTask'] {
  let at = 0;
  return () => [{ answer: task(states[Math.min(at++, states.length - 1)]!) }];
}

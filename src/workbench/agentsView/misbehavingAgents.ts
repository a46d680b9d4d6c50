import type { ChosenFault } from '../../mock/chosenFault.ts';

/** Agents that this window runs itself, by their names in it: they misbehave when the person wants it. */
export interface MisbehavingAgents {
  /** Undefined for an agent that is none of these. */
  faultsOf(name: string): readonly ChosenFault[] | undefined;
  /** From the next request on; none where the list is empty. */
  chooseFaults(name: string, chosen: readonly ChosenFault[]): Promise<void>;
}

import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { findingOf, type Finding } from '../../protocol/finding.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** `error`: the agent cannot be used by its card; `warning`: it can, by guessing; `information`: worth knowing. */
type Severity = 'error' | 'warning' | 'information';

/** A fix. It is stored in the agent's setting `interface`, where it can be seen and undone. */
export interface SuggestedFix {
  readonly title: LocalizedMessage;
  /** The complete new value of `a2a.agents.<name>.interface`. */
  readonly change: InterfaceSelector;
}

/** A statement about an agent's card that does not match the agent. */
export interface Diagnosis {
  /** Finding with a pointer into the card, which its sentence may quote: untrusted text. */
  readonly finding: Finding;
  readonly severity: Severity;
  readonly suggestedFix?: SuggestedFix;
  /** The interface that gave no answer in its version: one over it refutes the diagnosis. */
  readonly unanswered?: AgentInterface;
}

export function diagnosis(rule: RuleId, pointer: string, severity: Severity, what: LocalizedMessage, remedy?: SuggestedFix): Diagnosis {
  return { finding: findingOf(rule, pointer, what), severity, ...(remedy && { suggestedFix: remedy }) };
}

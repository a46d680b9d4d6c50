import { english, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { RuleId } from '../../protocol/rules/index.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** `error`: the agent cannot be spoken to as its card says; `warning`: it can, with luck or by a guess; `information`: worth knowing. */
export type Severity = 'error' | 'warning' | 'information';

/** What would help. It is remembered as the agent's setting `interface`, where it can be seen and undone. */
export interface SuggestedFix {
  readonly title: LocalizedMessage;
  /** The new value of `a2a.agents.<name>.interface`, whole. */
  readonly change: InterfaceSelector;
}

/** Something about an agent's card that does not fit the agent. */
export interface Diagnosis {
  /** Its pointer leads into the card. */
  readonly finding: Finding;
  readonly severity: Severity;
  /** The finding for people. Arguments may quote the card: untrusted text. */
  readonly sentence: LocalizedMessage;
  readonly remedy?: SuggestedFix;
}

export function diagnosis(rule: RuleId, pointer: string, severity: Severity, what: LocalizedMessage, remedy?: SuggestedFix): Diagnosis {
  return { finding: { rule, pointer, message: english(what) }, severity, sentence: what, ...(remedy && { remedy }) };
}

/**
 * `not-applicable`: the agent does not claim the capability; `not-testable`: what the check needs is missing, such as a second identity;
 * `inconclusive`: the agent could not be asked or answered nothing that decides; `disputed`: a deviation that the official texts disagree on.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'not-applicable' | 'not-testable' | 'inconclusive' | 'disputed';

/** Verdicts that a person has to look at, the worst first. */
export const badVerdicts: readonly Verdict[] = ['fail', 'warn', 'disputed', 'inconclusive'];

export const verdictOrder: readonly Verdict[] = [...badVerdicts, 'pass', 'not-testable', 'not-applicable'];

import type { LocalizedMessage } from '../protocol/problem.ts';

/** The checked property of a delivery. */
type VerdictOf = 'token' | 'authorization' | 'signature' | 'issuer' | 'audience' | 'time' | 'task' | 'body';

/** The result of one check of a delivery. Only `failed` refuses it by itself. */
export interface Verdict {
  readonly of: VerdictOf;
  readonly outcome: 'passed' | 'failed' | 'absent';
  readonly sentence: LocalizedMessage;
}

const saying =
  (outcome: Verdict['outcome']) =>
  (of: VerdictOf, said: LocalizedMessage): Verdict => ({ of, outcome, sentence: said });
export const passed = saying('passed');
export const failed = saying('failed');
export const absent = saying('absent');

/** Checks that show the sender of a delivery. */
const proofs: ReadonlySet<VerdictOf> = new Set(['token', 'authorization', 'signature']);

/**
 * True where nothing failed and, where the webhook has credentials, one of them was shown: agents send either the token or `Authorization`,
 * seldom both (A2A 1.0 §4.3.3).
 */
export const isAccepted = (verdicts: readonly Verdict[]): boolean => {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return false;
  const shown = verdicts.filter(({ of }) => proofs.has(of));
  return shown.length === 0 || shown.some(({ outcome }) => outcome === 'passed');
};

import type { Problem } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';

/** Codes of problems for an answer that came and is no JSON, is more than is read, or in a coding that is not read. */
const unreadable: ReadonlySet<string> = new Set([
  'unknown-coding',
  'too-large',
  'nested-too-deeply',
  'not-json',
  'empty-answer',
  'not-grpc',
]);

/** True for the problem of an answer that could not be read, about which no rule can decide. */
export const isUnreadable = ({ code }: Problem): boolean => unreadable.has(code);

/** The rule that is broken by an answer of success that is not the JSON of its binding; undefined for what is no answer of an agent. */
export function ruleOfJson(operation: string, binding: string): RuleId | undefined {
  if (operation === 'AgentCard') return 'CARD-01';
  if (operation === 'PushNotification' || binding === 'HTTP') return undefined;
  return binding === 'JSONRPC' ? 'RPC-01' : binding === 'HTTP+JSON' ? 'HTTP-06' : 'DATA-01';
}

/** The rule that is broken by an answer of success that could not be read for that reason; undefined for any other reason. */
export function ruleOfUnreadable(problem: Problem, operation: string, binding: string): RuleId | undefined {
  // Findings of a card are noted where it is read.
  const rule = operation === 'AgentCard' ? undefined : ruleOfJson(operation, binding);
  const { code } = problem;
  // Servers may use any coding where none is asked for (RFC 9110 §12.5.3).
  if (code === 'unknown-coding') return undefined;
  if (rule === undefined || code === 'not-json' || code === 'empty-answer') return rule;
  return isUnreadable(problem) || code === 'unreadable-answer' ? 'DATA-01' : undefined;
}

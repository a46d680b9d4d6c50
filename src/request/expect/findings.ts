import * as z from 'zod';
import type { Finding } from '../../protocol/finding.ts';
import { sentence } from '../../protocol/problem.ts';
import { levelOf, ruleIds, type RuleId } from '../../protocol/ruleId.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';

/** A deviation in one line: rule, place, words. */
export const findingLine = ({ rule, pointer, message }: Finding): string => `${rule} ${pointer || '/'}: ${message}`;

/** Levels of rules as they are named here: that of a MUST NOT is MUST. */
const levels = ['MUST', 'SHOULD', 'tool'] as const;

const isOfLevel = (rule: RuleId, allowed: readonly string[]): boolean => allowed.includes(levelOf(rule)?.replace(' NOT', '') ?? '');

/** How far the agent may depart from the protocol. */
export const findings = kindOf(
  z.union([z.int().min(0), z.array(z.enum([...ruleIds, ...levels]))]).meta({
    description:
      'Deviations from the protocol that are allowed: at most this many, or those of these rules and levels, such as `["DATA-04", "SHOULD"]`; `[]` allows none.',
  }),
  (allowed, observed): Check[] => {
    const found = observed.findings ?? [];
    const beyond =
      typeof allowed === 'number'
        ? found.length > allowed
          ? found
          : []
        : found.filter(({ rule }) => !allowed.includes(rule) && !isOfLevel(rule, allowed));
    if (beyond.length === 0) return [{ path: [] }];
    const lines = beyond.map(findingLine);
    return [
      {
        path: [],
        failure: {
          message:
            beyond.length === 1
              ? sentence('The agent deviates from the protocol once: {0}', lines[0] ?? '')
              : sentence('The agent deviates from the protocol {0} times: {1}', beyond.length, lines[0] ?? ''),
          expected: shown(allowed),
          actual: shown(lines.join('\n')),
        },
      },
    ];
  },
  neverTurns,
);

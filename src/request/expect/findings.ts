import * as z from 'zod';
import type { Finding } from '../../protocol/finding.ts';
import { sentence } from '../../protocol/problem.ts';
import { rules, type RuleId } from '../../protocol/rules/index.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';

/** A deviation in one line: rule, place, words. */
export const findingLine = ({ rule, pointer, message }: Finding): string => `${rule} ${pointer || '/'}: ${message}`;

const ruleIds = Object.keys(rules) as [RuleId, ...RuleId[]];

/** How far the agent may depart from the protocol. */
export const findings = kindOf(
  z
    .union([z.int().min(0), z.array(z.enum(ruleIds))])
    .meta({ description: 'Departures from the protocol that are allowed: at most so many, or those of these rules; `[]` allows none.' }),
  (allowed, observed): Check[] => {
    const found = observed.findings ?? [];
    const beyond =
      typeof allowed === 'number' ? (found.length > allowed ? found : []) : found.filter(({ rule }) => !allowed.includes(rule));
    if (beyond.length === 0) return [{ path: [] }];
    const lines = beyond.map(findingLine);
    return [
      {
        path: [],
        failure: {
          message:
            beyond.length === 1
              ? sentence('The agent departs from the protocol once: {0}', lines[0] ?? '')
              : sentence('The agent departs from the protocol {0} times: {1}', beyond.length, lines[0] ?? ''),
          expected: shown(allowed),
          actual: shown(lines.join('\n')),
        },
      },
    ];
  },
  neverTurns,
);

import * as z from 'zod';
import { findingSentence, type Finding } from '../../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { levelOf, ruleIds, type RuleId } from '../../protocol/ruleId.ts';
import { kindOf, neverTurns, shown, type Check } from './check.ts';

/** A deviation in one line: rule, place, words. */
export const findingLine = ({ rule, pointer, message }: Finding): string => `${rule} ${pointer || '/'}: ${message}`;

/** The same, to be translated. */
export const lineOfFinding = (finding: Finding): LocalizedMessage =>
  sentence('{0} {1}: {2}', finding.rule, finding.pointer || '/', findingSentence(finding));

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
    const [first] = beyond;
    if (first === undefined) return [{ path: [] }];
    return [
      {
        path: [],
        failure: {
          message:
            beyond.length === 1
              ? sentence('The agent deviates from the protocol once: {0}', lineOfFinding(first))
              : sentence('The agent deviates from the protocol {0} times: {1}', beyond.length, lineOfFinding(first)),
          expected: shown(allowed),
          actual: shown(beyond.map(findingLine).join('\n')),
        },
      },
    ];
  },
  neverTurns,
);

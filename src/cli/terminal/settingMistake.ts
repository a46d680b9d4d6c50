import type * as z from 'zod';
import { english } from '../../protocol/problem.ts';
import { typeWords } from '../../request/schema/typeWords.ts';

/** What is wrong with a setting, in plain words that follow "the setting … is not right:". @param settings all of them */
export function settingMistake(issue: z.core.$ZodIssue, settings: unknown): string {
  const given = issue.path.reduce<unknown>(
    (inside, key) => (inside as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    settings,
  );
  if (given === undefined) return 'it is missing';
  switch (issue.code) {
    case 'invalid_type': {
      const words = typeWords[{ int: 'integer', record: 'object' }[issue.expected as string] ?? issue.expected];
      return words === undefined ? issue.message : `it has to be ${english(words)}`;
    }
    case 'too_small':
      return issue.origin === 'string' ? 'it must not be empty' : `it has to be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? `it has more than ${issue.maximum} characters` : `it has to be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

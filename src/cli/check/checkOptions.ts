import { chosenRules, type CheckLevel } from '../../conformance/chosenRules.ts';
import { madeNames, maxPrompt } from '../../conformance/workPrompts.ts';
import { Problem } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { Made } from '../../conformance/rules/rule/probe.ts';
import { readHeader } from '../terminal/headerOptions.ts';
import type { Values } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import { promptsInFile } from './promptsInFile.ts';

/** The rules of `--rules` and `--level`; undefined for all. @throws UsageError */
export function rulesOf({ rules = [], level }: Values): ReadonlySet<RuleId> | undefined {
  if (level !== undefined && level !== 'must' && level !== 'should')
    throw new UsageError(`--level wants must or should, not ${JSON.stringify(level.slice(0, 60))}.`);
  try {
    const chosen = chosenRules(rules, level as CheckLevel | undefined);
    if (chosen?.size === 0) throw new UsageError('--rules and --level leave no rule.');
    return chosen;
  } catch (error) {
    if (error instanceof Problem) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** The texts of `--prompt WHAT=TEXT` over those of `--prompts FILE`, over those of the settings. @throws UsageError, FileError */
export function promptsOf(
  { prompt = [], prompts }: Values,
  settings: Readonly<Partial<Record<Made, string>>> = {},
): Readonly<Partial<Record<Made, string>>> {
  const given: Partial<Record<Made, string>> = { ...settings, ...(prompts !== undefined && promptsInFile(prompts)) };
  for (const one of prompt) {
    const [, what = '', text = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? [];
    const made = madeNames.find(name => name === what);
    if (made === undefined || text.trim() === '')
      throw new UsageError(`--prompt wants WHAT=TEXT, with one of ${madeNames.join(', ')}; not ${JSON.stringify(one.slice(0, 60))}.`);
    if (text.length > maxPrompt) throw new UsageError(`--prompt takes at most ${maxPrompt} characters.`);
    given[made] = text;
  }
  return given;
}

/** The headers of a second identity. @throws UsageError */
export const otherHeadersOf = ({ 'other-header': lines = [] }: Values): Readonly<Record<string, string>> | undefined =>
  lines.length === 0 ? undefined : Object.fromEntries(lines.map(readHeader));

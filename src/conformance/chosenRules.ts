import { closestMatch } from '../protocol/closestMatch.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { ruleIds, type RuleId } from '../protocol/ruleId.ts';
import { rules } from './rules/index.ts';
import { familyOf } from './checkReport.ts';

/** Which rules: MUST and MUST NOT alone, or SHOULD and SHOULD NOT as well. */
export type CheckLevel = 'must' | 'should';

/**
 * The rules that words choose: ids (`CORE-12`), families (`CORE`), `*` for any letters, with `!` for all but these. Undefined where nothing
 * narrows the choice.
 * @throws Problem `no-rule` for a word that is none of these
 */
export function chosenRules(words: readonly string[], level?: CheckLevel): ReadonlySet<RuleId> | undefined {
  const wanted = words.flatMap(word => word.split(/[\s,]+/)).filter(word => word !== '');
  if (wanted.length === 0 && level === undefined) return undefined;
  const [without, only] = [
    wanted.filter(word => word.startsWith('!')).map(word => word.slice(1)),
    wanted.filter(word => !word.startsWith('!')),
  ];
  const left = new Set(without.flatMap(matching));
  const taken = only.length === 0 ? ruleIds : only.flatMap(matching);
  return new Set(taken.filter(id => !left.has(id) && isOf(id, level)));
}

function matching(word: string): readonly RuleId[] {
  const pattern = word.toUpperCase();
  const parts = pattern.split('*');
  const found = ruleIds.filter(id => id === pattern || familyOf(id) === pattern || (parts.length > 1 && fits(id, parts)));
  if (found.length > 0) return found;
  const like = closestMatch(pattern, ruleIds);
  throw new Problem(
    'no-rule',
    like === undefined
      ? sentence('Unknown rule {0}.', word.slice(0, 60))
      : sentence('Unknown rule {0}. Did you mean {1}?', word.slice(0, 60), like),
  );
}

/** True if the parts come in the id one after the other, the first at its beginning and the last at its end. */
function fits(id: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (id.startsWith(part) ? 0 : -1) : index === parts.length - 1 ? lastAt(id, part, at) : id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

const lastAt = (id: string, part: string, from: number): number =>
  id.endsWith(part) && id.length - part.length >= from ? id.length - part.length : -1;

function isOf(id: RuleId, level: CheckLevel | undefined): boolean {
  const { level: own } = rules[id];
  return level === undefined || own.startsWith('MUST') || (level === 'should' && own.startsWith('SHOULD'));
}

import { sentence } from '../../protocol/problem.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import { deepNesting, maxDepth, nestingOf } from '../../request/text/jsonNode.ts';
import { readCardText, type CardText } from '../cardText.ts';
import { emptyMembers } from './emptiness.ts';
import { addresses, bindingNames, distinct, statedVersion, streaming, versionNumbers } from './interfaces.ts';
import { misspeltMembers } from './memberNames.ts';
import { noCredentials, oneKind, requiredSchemes } from './security.ts';
import { examples, mediaTypes, uniqueSkills } from './skills.ts';
import { camelCase, extensionUris, oldSecurity } from './spelling.ts';

/** All checks of a card. To add a check, add a row. */
export const cardChecks: readonly CardCheck[] = [
  addresses,
  bindingNames,
  versionNumbers,
  statedVersion,
  distinct,
  streaming,
  requiredSchemes,
  oneKind,
  noCredentials,
  oldSecurity,
  uniqueSkills,
  mediaTypes,
  examples,
  emptyMembers,
  misspeltMembers,
  extensionUris,
  camelCase,
];

/** Maximum number of problems reported per card. */
const most = 200;
/** Maximum number of "not checked from here on" problems. */
const maxOmitted = 20;

/**
 * Problems of a card's text that its JSON schema cannot find, in the order of the text. Never throws: incomplete text is checked as far as
 * it can be parsed.
 */
export function cardProblems(text: string): readonly CardProblem[] {
  if (nestingOf(text) > maxDepth)
    return [{ code: 'too-deep', range: { offset: 0, length: 1 }, severity: 'error', sentence: deepNesting, fixes: [] }];
  const card = readCardText(text);
  return card === undefined ? [] : problemsOf(card);
}

/** Like `cardProblems`, for a card that is already parsed. */
export function problemsOf(card: CardText): readonly CardProblem[] {
  const problems: CardProblem[] = [...notChecked(card)];
  for (const check of cardChecks) {
    for (const problem of check(card)) {
      problems.push(problem);
      if (problems.length >= most) return inOrder(problems);
    }
  }
  return inOrder(problems);
}

/** One problem at the start of each range that was not parsed. */
function* notChecked({ omitted }: CardText): Iterable<CardProblem> {
  for (const { offset } of omitted.slice(0, maxOmitted)) {
    yield {
      code: 'not-checked',
      range: { offset, length: 1 },
      severity: 'information',
      fixes: [],
      sentence: sentence('This card is too large to be read whole: what follows here is neither checked nor shown in the preview.'),
    };
  }
}

const inOrder = (problems: readonly CardProblem[]): CardProblem[] =>
  problems.toSorted((one, other) => one.range.offset - other.range.offset);

import { sentence } from '../../protocol/problem.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import { deepNesting, maxDepth, nestingOf } from '../../request/text/jsonNode.ts';
import { readCardText, type CardText } from '../cardText.ts';
import { addresses, bindingNames, distinct, statedVersion, streaming, versionNumbers } from './interfaces.ts';
import { noCredentials, oneKind, requiredSchemes } from './security.ts';
import { examples, mediaTypes, uniqueSkills } from './skills.ts';
import { camelCase, extensionUris, oldSecurity } from './spelling.ts';

/** Everything that is looked at. Adding a check is adding a row. */
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
  extensionUris,
  camelCase,
];

/** Most problems of one card that are told. */
const most = 200;
/** Most places of which is said that what follows is not looked at. */
const mostOmitted = 20;

/** What is wrong in a card's text beyond its JSON schema, in the order of the text. Never throws: half-typed text is read as far as it goes. */
export function cardProblems(text: string): readonly CardProblem[] {
  if (nestingOf(text) > maxDepth)
    return [{ code: 'too-deep', range: { offset: 0, length: 1 }, severity: 'error', sentence: deepNesting, fixes: [] }];
  const card = readCardText(text);
  return card === undefined ? [] : problemsOf(card);
}

/** As `cardProblems`, of a card that is read. */
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

/** Where what is not looked at begins. */
function* notChecked({ omitted }: CardText): Iterable<CardProblem> {
  for (const { offset } of omitted.slice(0, mostOmitted)) {
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

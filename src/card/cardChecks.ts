import type { CardCheck, CardProblem } from './cardProblem.ts';
import { readCardText } from './cardText.ts';
import { addresses, bindingNames, distinct, statedVersion, streaming, versionNumbers } from './checks/interfaces.ts';
import { noCredentials, oneKind, requiredSchemes } from './checks/security.ts';
import { examples, mediaTypes, uniqueSkills } from './checks/skills.ts';
import { camelCase, extensionUris, oldSecurity } from './checks/spelling.ts';

/** Everything that is looked at. Adding a check is adding a row. */
export const cardChecks: readonly CardCheck[] = [
  addresses, bindingNames, versionNumbers, statedVersion, distinct, streaming,
  requiredSchemes, oneKind, noCredentials, oldSecurity,
  uniqueSkills, mediaTypes, examples, extensionUris, camelCase,
];

/** Most problems of one card that are told. */
const most = 200;

/** What is wrong in a card's text beyond its JSON schema, in the order of the text. Never throws: half-typed text is read as far as it goes. */
export function cardProblems(text: string): readonly CardProblem[] {
  const card = readCardText(text);
  if (card === undefined) return [];
  const problems: CardProblem[] = [];
  for (const check of cardChecks) {
    for (const problem of check(card)) {
      problems.push(problem);
      if (problems.length >= most) return inOrder(problems);
    }
  }
  return inOrder(problems);
}

const inOrder = (problems: readonly CardProblem[]): CardProblem[] => problems.toSorted((one, other) => one.range.offset - other.range.offset);

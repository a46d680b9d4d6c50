import type { CardCheck } from './cardFault.ts';
import { emptyMembers } from './emptiness.ts';
import { addresses, bindingNames, distinct, statedVersion, streaming, versionNumbers } from './interfaces.ts';
import { misspeltMembers } from './memberNames.ts';
import { noCredentials, oneKind, requiredSchemes } from './security.ts';
import { examples, mediaTypes, uniqueSkills } from './skills.ts';
import { camelCase, extensionUris, movedMembers, oldSecurity } from './spelling.ts';

/**
 * All checks of a card, for its author.
 *
 * To add one: a check in the file that is about the same, a row here, its code in a rule of `conformance/rules/card/`, and a row of
 * `cardChecks.test.ts` for each code.
 */
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
  movedMembers,
  uniqueSkills,
  mediaTypes,
  examples,
  emptyMembers,
  misspeltMembers,
  extensionUris,
  camelCase,
];

import type { CardCheck } from './cardFault.ts';
import { emptyMembers } from './emptiness.ts';
import { addresses, bindingNames, distinct, statedVersion, streaming, versionNumbers } from './interfaces.ts';
import { misspeltMembers } from './memberNames.ts';
import { noCredentials, oneKind, requiredSchemes } from './security.ts';
import { examples, mediaTypes, uniqueSkills } from './skills.ts';
import { camelCase, extensionUris, oldSecurity } from './spelling.ts';

/** All checks of a card, for its author. To add a check, add a row, and its codes to a rule of `rules/card/`. */
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

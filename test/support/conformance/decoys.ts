import type { Decoy } from './decoy.ts';
import { answerDecoys } from './decoys/answers.ts';
import { cardDecoys } from './decoys/cards.ts';
import { errorDecoys } from './decoys/errors.ts';

/**
 * All decoys of passive checks, a file for each kind of thing that is broken.
 *
 * Each breaks one rule and no other. A rule that none breaks has its reason in `unbroken.ts`.
 */
export const decoys: readonly Decoy[] = [...cardDecoys, ...answerDecoys, ...errorDecoys];

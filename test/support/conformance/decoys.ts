import type { Decoy } from './decoy.ts';
import { answerDecoys } from './decoys/answers.ts';
import { cardDecoys } from './decoys/cards.ts';
import { errorDecoys } from './decoys/errors.ts';

/** All decoys of passive checks, a file for each kind of thing that is broken. */
export const decoys: readonly Decoy[] = [...cardDecoys, ...answerDecoys, ...errorDecoys];

import type { Decoy } from './decoy.ts';
import { answerDecoys } from './decoys/answers.ts';
import { cardDecoys } from './decoys/cards.ts';
import { errorDecoys } from './decoys/errors.ts';

/**
 * All decoys of passive checks, a file for each kind of thing that is broken.
 *
 * Each breaks one rule and no other. A passive rule that none can break is in `unbreakable` of `passiveDecoys.test.ts`. Decoys of probes are in `probeDecoys.ts`.
 */
export const decoys: readonly Decoy[] = [...cardDecoys, ...answerDecoys, ...errorDecoys];

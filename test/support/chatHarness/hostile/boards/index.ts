import type { Board } from '../board.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { conformance } from './conformance.ts';
import { draft } from './draft.ts';
import { forms } from './forms.ts';
import { replay } from './replay.ts';
import { response } from './response.ts';
import { state } from './state.ts';
import { tasks } from './tasks.ts';
import { transcript } from './transcript.ts';
import { wire } from './wire.ts';

/**
 * Everything that shows what agents write.
 *
 * Every place that shows what an agent wrote has a row on a board; every attack of `../vectors` is tried there, and has to get through the
 * build without the sanitizer.
 */
export const boards: Readonly<Record<string, Board>> = {
  transcript,
  state,
  forms,
  draft,
  tasks,
  wire,
  replay,
  card,
  comparison,
  conformance,
  response,
};

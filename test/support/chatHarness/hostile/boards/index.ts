import type { Board } from '../board.ts';
import { card } from './card.ts';
import { forms } from './forms.ts';
import { state } from './state.ts';
import { transcript } from './transcript.ts';
import { wire } from './wire.ts';

/** Everything that shows what agents write. */
export const boards: Readonly<Record<string, Board>> = { transcript, state, forms, wire, card };

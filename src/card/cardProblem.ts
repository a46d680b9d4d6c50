import type { LocalizedMessage } from '../protocol/problem.ts';
import type { TextRange } from '../request/text/textRange.ts';
import type { CardText } from './cardText.ts';

export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

interface Fix {
  readonly title: LocalizedMessage;
  readonly edits: readonly TextEdit[];
}

/** Something in a card that its JSON schema cannot see, and where. */
export interface CardProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly severity: 'error' | 'warning' | 'information';
  readonly sentence: LocalizedMessage;
  /** The likeliest first. Made when somebody asks for them, where that reads the whole text. */
  readonly fixes: readonly Fix[];
}

/** One thing that is looked at in a card. */
export type CardCheck = (card: CardText) => Iterable<CardProblem>;

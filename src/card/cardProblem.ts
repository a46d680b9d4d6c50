import type { LocalizedMessage } from '../protocol/problem.ts';
import type { TextRange } from '../request/text/textRange.ts';

export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

interface Fix {
  readonly title: LocalizedMessage;
  readonly edits: readonly TextEdit[];
}

/** A fault in a card that the JSON schema cannot find, and its place. */
export interface CardProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly severity: 'error' | 'warning' | 'information';
  readonly sentence: LocalizedMessage;
  /** Most likely fix first. May be computed on access, because some fixes need the whole text. */
  readonly fixes: readonly Fix[];
}

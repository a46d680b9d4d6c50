import type { Sentence } from '../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

export type Severity = 'error' | 'warning' | 'information';

/** Something wrong with the text of a request file, and where. Data, so that editor and terminal each show it their way. */
export interface RequestProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly sentence: Sentence;
  readonly severity: Severity;
  /** The JSON schema of the language says it too: an editor that validates by the schema leaves this one out. */
  readonly inSchema?: boolean;
}

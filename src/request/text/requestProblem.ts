import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

type Severity = 'error' | 'warning' | 'information';

/** A problem in the text of a request file, as data that editor and terminal display. */
export interface RequestProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly sentence: LocalizedMessage;
  readonly severity: Severity;
  /** Set where an editor's own JSON support reports it too; editors then leave it out. */
  readonly inSchema?: boolean;
  /** Suggested replacements, most likely first. */
  readonly alternatives?: readonly string[];
}

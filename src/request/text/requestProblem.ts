import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

type Severity = 'error' | 'warning' | 'information';

/** Something wrong with the text of a request file, and where. Data, so that editor and terminal each show it their way. */
export interface RequestProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly sentence: LocalizedMessage;
  readonly severity: Severity;
  /** An editor's own JSON support says it too, so an editor leaves this one out. */
  readonly inSchema?: boolean;
  /** What was most likely meant, likeliest first. */
  readonly alternatives?: readonly string[];
}

import type { LocalizedMessage } from '../../protocol/problem.ts';
import { deepNesting } from './jsonNode.ts';
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

/** A problem with which nothing is sent. */
export const errorAt = (code: string, range: TextRange, sentence: LocalizedMessage): RequestProblem => ({
  code,
  range,
  sentence,
  severity: 'error',
});

export const warningAt = (code: string, range: TextRange, sentence: LocalizedMessage): RequestProblem => ({
  code,
  range,
  sentence,
  severity: 'warning',
});

/** The problem of a text that is nested too deeply to be read, where it begins. */
export const tooDeep = ({ offset, length }: TextRange): RequestProblem =>
  errorAt('too-deep', { offset, length: Math.min(1, length) }, deepNesting);

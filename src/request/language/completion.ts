import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from '../text/textRange.ts';

export type CompletionKind = 'agent' | 'request' | 'variable' | 'function' | 'member' | 'method' | 'id' | 'mediaType' | 'skill' | 'secret';

/** A completion at the caret. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Replaces the range. JSON, with quotes where there are none yet. */
  readonly insert: string;
  readonly range: TextRange;
  /** Short text beside the label; may quote an agent, so it is untrusted text. */
  readonly detail?: string | LocalizedMessage;
  /** Lower ranks come first. */
  readonly rank: number;
}

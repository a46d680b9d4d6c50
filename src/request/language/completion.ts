import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from '../text/textRange.ts';

export type CompletionKind = 'agent' | 'request' | 'variable' | 'function' | 'member' | 'method' | 'id' | 'mediaType' | 'skill' | 'secret';

/** Something that could stand at the caret. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Replaces the range; JSON already, with quotes where there are none. */
  readonly insert: string;
  readonly range: TextRange;
  /** A few words beside the label; may quote an agent, so it is untrusted text. */
  readonly detail?: string | LocalizedMessage;
  /** Smaller comes first. */
  readonly rank: number;
}

import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from '../text/textRange.ts';

export type CompletionKind =
  | 'agent'
  | 'request'
  | 'variable'
  | 'function'
  | 'member'
  | 'id'
  | 'mediaType'
  | 'skill'
  | 'secret'
  | 'key'
  | 'value'
  | 'snippet';

/** A completion at the caret. */
export interface Completion {
  readonly label: string;
  /** Shown in place of the label, where that is a word of ours. */
  readonly title?: LocalizedMessage;
  readonly kind: CompletionKind;
  /** Replaces the range. JSON, with quotes where there are none yet. */
  readonly insert: string;
  readonly range: TextRange;
  /** Short text beside the label; may quote an agent, so it is untrusted text. */
  readonly detail?: string | LocalizedMessage;
  /** `insert` is a snippet of VS Code. */
  readonly snippet?: boolean;
  /** The schema's description, in Markdown. */
  readonly documentation?: string;
  /** Lower ranks come first. */
  readonly rank: number;
}

import type { AgentCard } from '../../protocol/card/agentCard.ts';

/** Sent by the host to the card page each time the text changes. */
export interface CardView {
  /** URI of the document, to restore the page after a reload. */
  readonly uri: string;
  /** In core (1.0) shape, from the last text that was a valid card. Absent until there was one. */
  readonly card?: AgentCard;
  /** The version in which the text is written. */
  readonly form: '1.0' | '0.3';
  /** False while the text is not a complete card: the shown card is older. */
  readonly current: boolean;
  /** Translations of the page's strings, by the English string. */
  readonly strings: Readonly<Record<string, string>>;
}

/** Sent by the card page to the host. */
export type CardPageMessage =
  | { readonly type: 'ready' }
  /** Shows this place in the text: a path of 1.0 member names and indexes. */
  | { readonly type: 'reveal'; readonly path: readonly (string | number)[] };

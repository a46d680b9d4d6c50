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
  /** What is known of the card's signatures, translated; absent for a card without. Empty while they are checked. */
  readonly signatures?: readonly ShownSignature[];
  /** Translations of the page's strings, by the English string. */
  readonly strings: Readonly<Record<string, string>>;
}

/** One signature, or something else that is to be said of them. */
export interface ShownSignature {
  readonly kind: 'good' | 'warning' | 'bad' | 'unknown';
  readonly text: string;
  readonly notes: readonly string[];
  /** Its signer names an address for keys that the person can decide to trust. */
  readonly canTrust: boolean;
}

/** Sent by the card page to the host. */
export type CardPageMessage =
  | { readonly type: 'ready' }
  /** The person wants to trust the signer. The host asks before anything happens. */
  | { readonly type: 'trust' }
  /** Shows this place in the text: a path of 1.0 member names and indexes. */
  | { readonly type: 'reveal'; readonly path: readonly (string | number)[] };

import * as z from 'zod';
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
  /** Results for the card's signatures, translated; absent for a card without. Empty while they are checked. */
  readonly signatures?: readonly ShownSignature[];
  /** Problems of the text as it is now, translated, in the order of the text. */
  readonly problems?: readonly ShownCardProblem[];
  /** Members of 1.0 that the text of `card` does not have: what the card is read with in their place is not shown. */
  readonly missing?: readonly string[];
  /** Names of all security schemes that the text of `card` defines, also of those that cannot be read. */
  readonly schemes?: readonly string[];
  /** Translations of the page's strings, by the English string. */
  readonly strings: Readonly<Record<string, string>>;
}

/** A problem of a card; `offset` is its place in the text. */
export interface ShownCardProblem {
  readonly severity: 'error' | 'warning' | 'information';
  readonly text: string;
  readonly offset: number;
}

/** One signature, or a remark about all of them. */
export interface ShownSignature {
  readonly kind: 'good' | 'warning' | 'bad' | 'unknown';
  readonly text: string;
  readonly notes: readonly string[];
  /** Its signer names an address for keys that the person can decide to trust. */
  readonly canTrust: boolean;
}

/** Sent by the card page to the host. */
export const CardPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The person wants to trust the signer. The host asks before anything happens. */
  z.object({ type: z.literal('trust') }),
  /** Shows the problem at this offset in the text. */
  z.object({ type: z.literal('revealProblem'), offset: z.int().min(0) }),
  /** Shows this place in the text: a path of 1.0 member names and indexes. */
  z.object({
    type: z.literal('reveal'),
    path: z
      .array(z.union([z.string(), z.int().min(0)]))
      .max(20)
      .readonly(),
  }),
]);
export type CardPageMessage = z.infer<typeof CardPageMessage>;

import type { AgentCard } from '../../protocol/card/agentCard.ts';

/** What the host tells the page of an agent card, each time the text has changed. */
export interface CardView {
  /** Of the document: what finds it again after a reload. */
  readonly uri: string;
  /** In core (1.0) shape; of the last text that was a card. Absent until there was one. */
  readonly card?: AgentCard;
  /** The form the text is written in. */
  readonly form: '1.0' | '0.3';
  /** False while the text is no complete card: what is shown is older. */
  readonly current: boolean;
  /** The page's strings in the language of the workbench, English to translation. */
  readonly strings: Readonly<Record<string, string>>;
}

/** What the page tells the host. */
export type CardPageMessage =
  | { readonly type: 'ready' }
  /** The reader wants to see where in the text this is: a path of members and indexes in the 1.0 form. */
  | { readonly type: 'reveal'; readonly path: readonly (string | number)[] };

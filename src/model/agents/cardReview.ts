import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';

/** The card of an agent, as it was fetched. */
export interface FetchedCard {
  readonly agent: string;
  /** The agent's address as the person wrote it. */
  readonly url: string;
  readonly resolved: Pick<ResolvedAgentCard, 'source' | 'original' | 'noCard' | 'findings' | 'cardUrl'>;
}

/** Results of a look at a whole card. */
export interface CardReview {
  /** Undefined for a card without signatures. */
  readonly signature?: SignatureReport;
  /** Undefined for a card with the same content as the one used last. */
  readonly changes?: CardChanges;
  /** Faults of the card: those met while it was read, and broken rules. Those that break a MUST come first. Undefined where there are none. */
  readonly findings?: readonly Finding[];
}

/** How a card differs from the one that was used last. */
interface CardChanges {
  /** Phrases such as "2 skills added", those that matter to safety first. */
  readonly phrases: readonly LocalizedMessage[];
  /** The text of the card that was used last; undefined where it was too long to be kept. */
  readonly before: string | undefined;
}

/** Looks at cards that were fetched. */
export interface CardReviewer {
  review(card: FetchedCard): Promise<CardReview>;
  /** Counts the card as the one that was used last: the person has seen what changed. */
  accept(card: FetchedCard): Promise<void>;
}

interface AgentReviewOptions {
  readonly reviewer: CardReviewer | undefined;
  /** The card that was looked at is still the agent's. */
  readonly isCurrent: (card: FetchedCard) => boolean;
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** The review of the card that an agent has now. */
export class AgentReview {
  readonly #options: AgentReviewOptions;
  #found: CardReview = {};
  /** The card that `#found` is about. */
  #reviewed: FetchedCard | undefined;
  /** The card that is looked at, or was last. */
  #card: FetchedCard | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: AgentReviewOptions) {
    this.#options = options;
  }

  get found(): CardReview {
    return this.#found;
  }

  /** Resolves once `found` holds what the last look at the card brought. Never rejects. */
  get done(): Promise<void> {
    return this.#running;
  }

  look(card: FetchedCard): void {
    this.#card = card;
    this.#running = this.#review(card).catch((error: unknown) => this.#options.onError(error));
  }

  /** Looks at the same card once more: the person trusts other keys now. */
  lookAgain(): void {
    if (this.#card !== undefined) this.look(this.#card);
  }

  /** Rejects with the system's error where that cannot be written down. */
  async accept(): Promise<void> {
    const { reviewer, onDidChange } = this.#options;
    if (this.#reviewed === undefined || reviewer === undefined) return;
    await reviewer.accept(this.#reviewed);
    const { changes: _, ...rest } = this.#found;
    this.#found = rest;
    onDidChange();
  }

  async #review(card: FetchedCard): Promise<void> {
    const { reviewer, isCurrent, onDidChange } = this.#options;
    const found = card.resolved.noCard === undefined ? await reviewer?.review(card) : {};
    if (found === undefined || !isCurrent(card)) return;
    this.#found = found;
    this.#reviewed = card;
    onDidChange();
  }
}

import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';
import type { Finding } from '../../protocol/finding.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { isRequired } from '../../protocol/ruleId.ts';
import { cardChanges, type ComparedCard } from './cardChanges.ts';
import type { CardReview, CardReviewer, FetchedCard } from './cardReview.ts';
import { type KeptCard, keptCardOf, KeptCards } from './keptCards.ts';

interface CardReviewsOptions {
  /** Verifies the signatures of a card's text; undefined for a card without. */
  readonly verify: (text: string) => Promise<SignatureReport | undefined>;
  /** Where the cards that were used last are kept. */
  readonly folder: string;
  /** Rules that the text of a card from this address breaks. */
  readonly brokenRules?: (text: string, url: string) => Promise<readonly Finding[]>;
}

/** True for text that may be a signed card: what verifies signatures is loaded only then. */
const mayBeSigned = (source: string): boolean => source.includes('"signatures"');

/** Verifies the signatures of cards, and compares cards with those that were used last. */
export class CardReviews implements CardReviewer {
  readonly #verify: CardReviewsOptions['verify'];
  readonly #brokenRules: CardReviewsOptions['brokenRules'];
  readonly #kept: KeptCards;

  constructor({ verify, folder, brokenRules }: CardReviewsOptions) {
    this.#verify = verify;
    this.#brokenRules = brokenRules;
    this.#kept = new KeptCards(folder);
  }

  /** Rejects where the kept card can neither be read nor written. */
  async review(card: FetchedCard): Promise<CardReview> {
    const { agent, url, resolved } = card;
    const { source, original, cardUrl } = resolved;
    const signature = mayBeSigned(source) ? await this.#verify(original?.() ?? source) : undefined;
    const now = comparedOf(source, signature);
    const before = await this.#kept.get(agent, url);
    const phrases = before === undefined ? [] : changesSince(before, now);
    // The first card, one with other formatting alone, and one whose signature the person came to trust count as used.
    if (phrases.length === 0 && !isKept(before, now)) await this.#kept.put(agent, url, keptCardOf(now));
    // Signatures have a report of their own.
    const broken = (await this.#brokenRules?.(source, cardUrl))?.filter(({ rule }) => rule.startsWith('CARD-')) ?? [];
    const findings = [...resolved.findings, ...broken].toSorted(
      (one, other) => Number(isRequired(other.rule)) - Number(isRequired(one.rule)),
    );
    return {
      ...(findings.length > 0 && { findings }),
      ...(signature !== undefined && { signature }),
      ...(phrases.length > 0 && { changes: { phrases, before: before?.source } }),
    };
  }

  async accept({ agent, url, resolved: { source, original } }: FetchedCard): Promise<void> {
    const signature = mayBeSigned(source) ? await this.#verify(original?.() ?? source) : undefined;
    await this.#kept.put(agent, url, keptCardOf(comparedOf(source, signature)));
  }
}

function comparedOf(source: string, signature: SignatureReport | undefined): ComparedCard {
  const thumbprint = signature?.signatures.find(({ verdict }) => verdict === signature.verdict)?.key?.thumbprint;
  return { source, verdict: signature?.verdict ?? 'unsigned', ...(thumbprint !== undefined && { thumbprint }) };
}

function changesSince(before: KeptCard, now: ComparedCard): readonly LocalizedMessage[] {
  // The same text says the same: only what the person trusts can have changed, or the time.
  if (before.digest === keptCardOf(now).digest) return [];
  if (before.source === undefined || keptCardOf(now).source === undefined) return [sentence('content changed')];
  return cardChanges({ ...before, source: before.source }, now);
}

/** True where nothing new is to be kept. A signature that cannot be checked at the moment takes nothing from what is known. */
function isKept(before: KeptCard | undefined, now: ComparedCard): boolean {
  const { digest, verdict, thumbprint } = keptCardOf(now);
  if (before === undefined) return false;
  return verdict === 'keys-unavailable' || (before.digest === digest && before.verdict === verdict && before.thumbprint === thumbprint);
}

import type { LocalizedMessage } from '../../../protocol/problem.ts';

/**
 * Verdict on one signature, or on a card. `valid`: made with a key that the person trusts, over this card. `partial`: the same, but some of
 * the card is not covered. `invalid`: by such a key's name, but over something else or with another key. `expired-key`: the key's time is
 * over, or it was revoked. `keys-unavailable`: the keys that the person trusts could not be read. `untrusted-key`: the signer names an
 * address for its keys that the person does not trust; it was not fetched. `unknown-key`: no trusted key fits. `unsupported`, `malformed`:
 * it could not be checked at all.
 *
 * To add one: its rank below, its phrase in `workbench/agentsView/agentItem.ts`, its looks in `workbench/agentCards/preview.ts`,
 * and a case of `verdicts.test.ts`.
 */
export type SignatureVerdict =
  | 'valid'
  | 'partial'
  | 'invalid'
  | 'expired-key'
  | 'keys-unavailable'
  | 'untrusted-key'
  | 'unknown-key'
  | 'unsupported'
  | 'malformed';

/** A key of the person's, as it is shown. */
export interface ShownKey {
  /** Name of the signer in the setting. */
  readonly signer: string;
  /** Source of the key: an address, a path, or the setting. */
  readonly place: LocalizedMessage | string;
  /** RFC 7638, SHA-256, base64url. */
  readonly thumbprint: string;
}

/** One entry of the card's `signatures`. Whatever is from the entry is untrusted text. */
export interface CheckedSignature {
  readonly index: number;
  readonly verdict: SignatureVerdict;
  readonly message: LocalizedMessage;
  /** Further facts, such as the form in which the card was signed. */
  readonly notes: readonly LocalizedMessage[];
  readonly algorithm?: string;
  readonly keyId?: string;
  /** The address that the signer names for its keys, where nothing but a person's own word makes it trusted. */
  readonly keysUrl?: string;
  readonly key?: ShownKey;
}

/** The signatures of a card. */
export interface SignatureReport {
  /** `valid` if one signature is; otherwise the most severe verdict. */
  readonly verdict: SignatureVerdict;
  /** Message of the signature that decides. */
  readonly message: LocalizedMessage;
  readonly signatures: readonly CheckedSignature[];
  /** Why trusted keys could not be read, and which signatures were not looked at. */
  readonly problems: readonly LocalizedMessage[];
}

/** The verdicts of which one signature decides, first to last. */
const decidingOrder: readonly SignatureVerdict[] = [
  'valid',
  'partial',
  'invalid',
  'expired-key',
  'keys-unavailable',
  'untrusted-key',
  'unknown-key',
  'unsupported',
  'malformed',
];

/** The signature whose verdict counts for the card: a valid one if there is one (A2A 1.0 §8.4.3). */
export function decidingSignature(signatures: readonly CheckedSignature[]): CheckedSignature | undefined {
  return decidingOrder.flatMap(verdict => signatures.filter(each => each.verdict === verdict))[0];
}

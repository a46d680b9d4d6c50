import { duplicateMember } from '../../../protocol/json/duplicateMember.ts';
import { isObject } from '../../../protocol/json.ts';
import { isShallow } from '../../../protocol/json/depth.ts';
import { Problem, sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { unwrappedCard } from '../../../protocol/card/unwrappedCard.ts';
import { checkSignature, keysFor, readSignature, type SignedCard } from './checkSignature.ts';
import { fetchKeys } from './keyFetch.ts';
import { findMatch, VerificationBudget } from './keyMatch.ts';
import { whyOver, type PublicKey } from './publicKeys.ts';
import { signatureBounds } from './signatureBounds.ts';
import { signedForms } from './signedForms.ts';
import { decidingSignature, type CheckedSignature, type SignatureReport } from './signatureReport.ts';
import { keysAddress, readSigners } from './signers.ts';
import { TrustedKeys, type TrustedKeysOptions } from './trustedKeys.ts';

export interface CardVerifierOptions extends TrustedKeysOptions {
  /** The setting `a2a.trustedSigningKeys` as it is now, or anything of its shape. */
  readonly trusted: () => unknown;
}

/** The key at the address that a signer names, which made the signature. The person has not trusted it yet. */
export interface OfferedKey {
  readonly url: string;
  readonly keyId?: string;
  /** RFC 7638, SHA-256, base64url. */
  readonly thumbprint: string;
  /** The public key, as the setting `a2a.trustedSigningKeys` has it. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** Verifies the signatures of agent cards (A2A 1.0 §8.4: JWS over RFC 8785) with keys of signers whom the person trusts. */
export class CardVerifier {
  readonly #options: CardVerifierOptions;
  readonly #keys: TrustedKeys;

  constructor(options: CardVerifierOptions) {
    this.#options = options;
    this.#keys = new TrustedKeys(options);
  }

  /** Keys are fetched anew when they are needed next. */
  forget(): void {
    this.#keys.forget();
  }

  /**
   * @param text the card as it was received
   * @returns undefined for a card without signatures, and for text that is not JSON
   */
  async verify(text: string): Promise<SignatureReport | undefined> {
    const read = readCard(text);
    if (read === undefined || 'verdict' in read) return read;
    const { signers, problems } = readSigners(this.#options.trusted());
    const { signatures } = read;
    const budget = new VerificationBudget(signatureBounds.verifications);
    const checked: CheckedSignature[] = [];
    for (const [index, signature] of signatures.slice(0, signatureBounds.signatures).entries())
      checked.push(await checkSignature(read, signature, index, { signers, keys: this.#keys, budget, now: this.#now() }));
    const deciding = decidingSignature(checked);
    if (deciding === undefined) return undefined;
    const omitted = signatures.length - checked.length;
    return {
      verdict: deciding.verdict,
      message: deciding.message,
      signatures: checked,
      problems: [
        ...problems,
        ...(omitted === 0 ? [] : [sentence('The card has {0} signatures; the first {1} were checked.', signatures.length, checked.length)]),
      ],
    };
  }

  /**
   * Fetches the keys at the address that a signature of this card names, because the person asked for it, and finds the one that made the
   * signature. Nothing is trusted by that.
   * @throws Problem `no-signer-address`, `signer-key-differs`; those of `fetchKeys`
   */
  async offeredKey(text: string): Promise<OfferedKey> {
    const report = await this.verify(text);
    const read = readCard(text);
    const untrusted = report?.signatures.find(({ verdict, keysUrl }) => verdict === 'untrusted-key' && keysUrl !== undefined);
    const url = untrusted?.keysUrl === undefined ? undefined : keysAddress(untrusted.keysUrl);
    if (untrusted === undefined || url === undefined || read === undefined || 'verdict' in read)
      throw new Problem('no-signer-address', sentence('No signature of this card names an address for keys that are not trusted yet.'));
    const signature = readSignature(read.signatures[untrusted.index], untrusted.index);
    const keys = await fetchKeys(url, this.#options);
    const key = 'verdict' in signature ? undefined : await this.#maker(read, signature, keys);
    if (key === undefined)
      throw new Problem('signer-key-differs', sentence('None of the keys at {0} made the signature of this card.', url.href), {
        nextStep: sentence("The card was changed, or its signer now has other keys. Ask the agent's operator."),
      });
    const { jwk, keyId, thumbprint } = key;
    return {
      url: url.href,
      thumbprint,
      jwk: { ...jwk, ...(keyId !== undefined && { kid: keyId }) },
      ...(keyId !== undefined && { keyId }),
    };
  }

  async #maker(
    { forms }: SignedCard,
    { entry, header }: Exclude<ReturnType<typeof readSignature>, CheckedSignature>,
    keys: readonly PublicKey[],
  ): Promise<PublicKey | undefined> {
    const current = keysFor(keys, header).filter(key => whyOver(key, this.#now()) === undefined);
    return (await findMatch(entry, header, current, forms, new VerificationBudget(signatureBounds.verifications)))?.key;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

type ReadCard = SignedCard & { readonly signatures: readonly unknown[] };

const unchecked = (verdict: 'unsupported' | 'malformed', message: LocalizedMessage): SignatureReport => ({
  verdict,
  message,
  signatures: [],
  problems: [],
});

/** The card with what can be signed of it; a report where that cannot be known. */
function readCard(text: string): ReadCard | SignatureReport | undefined {
  if (text.length > signatureBounds.cardLength)
    return unchecked('unsupported', sentence('Not checked: the card is longer than {0} KiB.', signatureBounds.cardLength / 1024));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const card = unwrappedCard(value);
  if (!isObject(card) || card['signatures'] === undefined || card['signatures'] === null) return undefined;
  const { signatures } = card;
  if (!Array.isArray(signatures)) return unchecked('malformed', sentence('Not checked: signatures is not a list.'));
  if (signatures.length === 0) return undefined;
  if (!isShallow(card)) return unchecked('malformed', sentence('Not checked: the card is nested too deeply.'));
  const twice = duplicateMember(text)?.name;
  if (twice !== undefined)
    return unchecked(
      'malformed',
      sentence('Not checked: the card has the member {0} twice, so it can be read in two ways.', twice.slice(0, 100)),
    );
  if (!isUnicode(card)) return unchecked('malformed', sentence('Not checked: the card has text that is not Unicode.'));
  return { card, forms: signedForms(card), signatures };
}

/** False where a text or a name has half a surrogate pair, which RFC 8785 refuses. */
function isUnicode(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isUnicode);
  return !isObject(value) || Object.entries(value).every(([name, member]) => name.isWellFormed() && isUnicode(member));
}

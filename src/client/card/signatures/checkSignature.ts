import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { findMatch, type VerificationBudget } from './keyMatch.ts';
import { isFor, whyOver } from './publicKeys.ts';
import { readEntry, readHeader, type SignatureEntry, type SignatureHeader } from './signatureHeader.ts';
import { signatureBounds } from './signatureBounds.ts';
import { formsWithSignatures, type SignedForm } from './signedForms.ts';
import type { CheckedSignature, ShownKey } from './signatureReport.ts';
import { keysAddress, type Signer } from './signers.ts';
import type { FoundKeys, TrustedKey, TrustedKeys } from './trustedKeys.ts';

/** A card whose signatures are checked. */
export interface SignedCard {
  readonly card: Readonly<Record<string, unknown>>;
  readonly forms: readonly SignedForm[];
}

interface CheckNeeds {
  readonly signers: readonly Signer[];
  readonly keys: TrustedKeys;
  readonly budget: VerificationBudget;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An entry of `signatures` with its header, where both can be read. */
export function readSignature(
  value: unknown,
  index: number,
): { readonly entry: SignatureEntry; readonly header: SignatureHeader } | CheckedSignature {
  const entry = readEntry(value);
  if ('verdict' in entry) return { index, notes: [], ...entry };
  const header = readHeader(entry.protected);
  return 'verdict' in header ? { index, notes: [], ...header } : { entry, header };
}

/** Verdict on one signature of a card (A2A 1.0 §8.4.3), with keys of trusted signers only. */
export async function checkSignature(signed: SignedCard, value: unknown, index: number, needs: CheckNeeds): Promise<CheckedSignature> {
  const read = readSignature(value, index);
  if ('verdict' in read) return read;
  const { entry, header } = read;
  const found = await needs.keys.find(needs.signers, header);
  const { named, unnamed } = candidates(found.keys, header);
  const about = { index, algorithm: header.algorithm, ...(header.keyId !== undefined && { keyId: header.keyId }) };
  const match = await findMatch(entry, header, [...named, ...unnamed], signed.forms, needs.budget);
  if (match !== undefined) return { ...about, ...ofMatch(match.key, match.form, signed, header, needs.now) };
  const suspects = named.filter(key => isOf(key.signer, header));
  const [suspect] = suspects;
  if (suspect !== undefined)
    return {
      ...about,
      verdict: 'invalid',
      message: await whyInvalid(signed, entry, header, index, suspects, needs),
      notes: [],
      key: shown(suspect),
    };
  const tried = [...named, ...unnamed].filter(key => isFor(key, header.algorithm));
  return { ...about, ...withoutKey(header, found, tried, needs) };
}

/** Keys that may have made a signature: those that it names, and those without a name. Without a key id in the signature, all. */
function candidates<Key extends { readonly keyId?: string }>(
  keys: readonly Key[],
  { keyId }: SignatureHeader,
): { readonly named: readonly Key[]; readonly unnamed: readonly Key[] } {
  if (keyId === undefined) return { named: keys, unnamed: [] };
  return { named: keys.filter(key => key.keyId === keyId), unnamed: keys.filter(key => key.keyId === undefined) };
}

/** The keys among these that may have made a signature. */
export const keysFor = <Key extends { readonly keyId?: string }>(keys: readonly Key[], header: SignatureHeader): readonly Key[] => {
  const { named, unnamed } = candidates(keys, header);
  return [...named, ...unnamed];
};

/**
 * True for the signer whom a signature names. Ids of keys are not unique: where the signature is from another address than the trusted key, it
 * is another signer's. Without an id and an address, a signature names none.
 */
function isOf({ source, from }: Signer, { keysUrl, keyId }: SignatureHeader): boolean {
  const own = 'url' in source ? source.url.href : from;
  if (keysUrl === undefined || own === undefined) return keyId !== undefined;
  return own === keysUrl || own === keysAddress(keysUrl)?.href;
}

function shown({ signer: { name, source }, thumbprint }: TrustedKey): ShownKey {
  const place = 'url' in source ? source.url.href : 'file' in source ? source.file : sentence('the settings');
  return { signer: name, place, thumbprint };
}

const nameOf = ({ keyId, thumbprint }: TrustedKey): string => keyId ?? thumbprint;

function ofMatch(
  key: TrustedKey,
  form: SignedForm,
  { card }: SignedCard,
  { algorithm }: SignatureHeader,
  now: number,
): Pick<CheckedSignature, 'verdict' | 'message' | 'notes' | 'key'> {
  const ownKey = shown(key);
  const [name, { signer, place }] = [nameOf(key), ownKey];
  const uncovered = placesOf(form.uncovered());
  const about = { key: ownKey, notes: formNotes(form, card) };
  switch (whyOver(key, now)) {
    case 'expired': {
      const message = sentence('Signed by {0}, but the key {1} has expired: {2}.', signer, name, dateOf(key.expiresAt));
      return { ...about, verdict: 'expired-key', message };
    }
    case 'early': {
      const message = sentence('Signed by {0}, but the key {1} is not valid before {2}.', signer, name, dateOf(key.notBefore));
      return { ...about, verdict: 'expired-key', message };
    }
    case 'revoked':
      return { ...about, verdict: 'expired-key', message: sentence('Signed by {0}, but the key {1} was revoked.', signer, name) };
    case undefined:
      return uncovered === ''
        ? {
            ...about,
            verdict: 'valid',
            message: sentence('Signed by {0}, verified with the key {1} ({2}) from {3}.', signer, name, algorithm, place),
          }
        : {
            ...about,
            verdict: 'partial',
            message: sentence(
              'Signed in part by {0}, verified with the key {1} ({2}) from {3}. Not covered, so anyone could have added it: {4}.',
              signer,
              name,
              algorithm,
              place,
              uncovered,
            ),
          };
  }
}

const dateOf = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString().slice(0, 10));

const placesOf = (pointers: readonly string[]): string =>
  [...pointers.slice(0, signatureBounds.uncovered), ...(pointers.length > signatureBounds.uncovered ? ['…'] : [])].join(', ');

function formNotes({ name }: SignedForm, card: SignedCard['card']): readonly LocalizedMessage[] {
  if (name === undefined) return [];
  return [
    'supportedInterfaces' in card
      ? sentence('The signature is over {0}, not over the form that A2A 1.0 §8.4.1 specifies.', name)
      : sentence('The signature is over {0}. A2A 0.3 does not specify which form of a card is signed.', name),
  ];
}

async function whyInvalid(
  { card }: SignedCard,
  entry: SignatureEntry,
  header: SignatureHeader,
  index: number,
  suspects: readonly TrustedKey[],
  { budget }: CheckNeeds,
): Promise<LocalizedMessage> {
  const [key] = suspects;
  const name = key === undefined ? '' : nameOf(key);
  const signer = key?.signer.name ?? '';
  if (!suspects.some(each => isFor(each, header.algorithm)))
    return sentence('Signature does not match: the key {0} of {1} is not for {2}.', name, signer, header.algorithm);
  const withSignatures = formsWithSignatures(card, index).map(bytes => ({ bytes }));
  if ((await findMatch(entry, header, suspects, withSignatures, budget)) !== undefined)
    return sentence(
      'Signature does not match: {0} signed the card with its member signatures, which must be left out (A2A 1.0 §8.4.1).',
      signer,
    );
  return sentence(
    'Signature does not match: the card was changed after it was signed, or it was not signed with the key {0} of {1}.',
    name,
    signer,
  );
}

/**
 * Verdict where no trusted key fits. No request goes to the address that the signature names.
 * @param tried keys that may be the signer's, since they have no name or the signature names none
 */
function withoutKey(
  header: SignatureHeader,
  { problems }: FoundKeys,
  tried: readonly TrustedKey[],
  { signers, budget }: CheckNeeds,
): Pick<CheckedSignature, 'verdict' | 'message' | 'notes' | 'keysUrl'> {
  const { keyId, keysUrl, ownKey } = header;
  const own = ownKey ? [sentence('The signature has a key or a certificate of its own, which proves nothing and was not used.')] : [];
  const misfit = tried.length === 0 ? undefined : misfitOf(header, tried);
  const notes = misfit === undefined ? own : [misfit, ...own];
  const [problem] = problems;
  if (budget.isSpent)
    return { verdict: 'unsupported', message: sentence('Not checked: the card has too many signatures for so many keys.'), notes };
  if (problem !== undefined) return { verdict: 'keys-unavailable', message: problem, notes: [...notes, ...problems.slice(1)] };
  const address = keysUrl === undefined ? undefined : keysAddress(keysUrl);
  const trusted = signers.find(({ source }) => 'url' in source && source.url.href === address?.href);
  if (trusted !== undefined)
    return { verdict: 'unknown-key', message: sentence('Signed, but {0} has no key {1}.', trusted.name, keyId ?? '?'), notes };
  if (address !== undefined)
    return {
      verdict: 'untrusted-key',
      message: sentence('Signed, but the key is not trusted. The card itself names {0} for it, which was not fetched.', address.href),
      notes,
      keysUrl: address.href,
    };
  if (keysUrl !== undefined)
    return {
      verdict: 'untrusted-key',
      message: sentence('Signed, but the key is not trusted. The card itself names {0} for it; keys are not fetched from there.', keysUrl),
      notes,
    };
  return {
    verdict: 'unknown-key',
    message:
      misfit ??
      (keyId === undefined
        ? sentence('Signed, but with none of the keys that you trust, and it names none.')
        : sentence('Signed, but the key {0} is not one that you trust.', keyId)),
    notes: own,
  };
}

/** A key without a name may be the one that signed: then the card is another one. */
function misfitOf({ keyId }: SignatureHeader, tried: readonly TrustedKey[]): LocalizedMessage {
  const signers = [...new Set(tried.map(({ signer }) => signer.name))].slice(0, 3).join(', ');
  return keyId === undefined
    ? sentence(
        'Signed, but no key that you trust matches: the card was changed after it was signed, or it was not signed with the key of {0}.',
        signers,
      )
    : sentence(
        'Signed, but no key that you trust matches: the card was changed after it was signed, or the key {0} is not the one of {1}.',
        keyId,
        signers,
      );
}

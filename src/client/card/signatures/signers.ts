import { isLoopback } from '../../../protocol/card/agentOrigin.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { signatureBounds } from './signatureBounds.ts';

/** Whom the person trusts to sign agent cards: one entry of the setting `a2a.trustedSigningKeys`. */
export interface Signer {
  /** Name that the person gave them. */
  readonly name: string;
  /** Source of the keys: a JWKS address, a file with PEM or JSON, or a key itself. */
  readonly source: { readonly url: URL } | { readonly file: string } | { readonly jwk: unknown };
  /** The `jku` with which the key came, where the person trusted that key alone. */
  readonly from?: string;
}

/** Signers, and what is wrong with other entries of the setting. */
interface Signers {
  readonly signers: readonly Signer[];
  readonly problems: readonly LocalizedMessage[];
}

/** True for an address that keys may be fetched from: over TLS, or on this machine. Without a password, which would be sent. */
const mayHaveKeys = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && username === '' && password === '';

/** The address that keys may be fetched from; undefined for any other text. */
export function keysAddress(text: string): URL | undefined {
  const url = text.length <= signatureBounds.addressLength && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && mayHaveKeys(url) ? url : undefined;
}

/** Reads the setting, or anything of its shape: signers by name. */
export function readSigners(setting: unknown): Signers {
  const signers: Signer[] = [];
  const problems: LocalizedMessage[] = [];
  const entries = isObject(setting) ? Object.entries(setting) : [];
  if (entries.length > signatureBounds.signers)
    problems.push(sentence('Only the first {1} of {0} trusted signers are used.', entries.length, signatureBounds.signers));
  for (const [name, entry] of entries.slice(0, signatureBounds.signers)) {
    const signer = readSigner(name, entry);
    if ('template' in signer) problems.push(sentence('The trusted signer "{0}" is not used: {1}', name, signer));
    else signers.push(signer);
  }
  return { signers, problems };
}

function readSigner(name: string, entry: unknown): Signer | LocalizedMessage {
  if (!isObject(entry)) return sentence('it must be an object with one of jwks, file and jwk.');
  const { jwks, file, jwk, from } = entry;
  const given = [jwks, file, jwk].filter(each => each !== undefined);
  if (given.length !== 1) return sentence('it must be an object with one of jwks, file and jwk.');
  const origin = typeof from === 'string' ? { from } : {};
  if (jwk !== undefined) return { name, source: { jwk }, ...origin };
  if (file !== undefined) {
    return typeof file === 'string' && isAbsolute(file)
      ? { name, source: { file }, ...origin }
      : sentence('file must be the absolute path of a file.');
  }
  const url = typeof jwks === 'string' ? keysAddress(jwks) : undefined;
  return url === undefined
    ? sentence('jwks must be an address with https, or with http on this machine, without a password.')
    : { name, source: { url } };
}

/** On any system: a workspace's folder must never decide which file a path means. */
const isAbsolute = (path: string): boolean => /^(?:\/|~[\\/]|[a-z]:[\\/]|\\\\)/i.test(path);

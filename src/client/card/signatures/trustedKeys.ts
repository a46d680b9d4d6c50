import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Problem, sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { fetchKeys, type KeyFetchOptions } from './keyFetch.ts';
import { keysIn, keysOfJson, type PublicKey } from './publicKeys.ts';
import { signatureBounds } from './signatureBounds.ts';
import type { SignatureHeader } from './signatureHeader.ts';
import type { Signer } from './signers.ts';

/** A key of a signer whom the person trusts. */
export interface TrustedKey extends PublicKey {
  readonly signer: Signer;
}

/** Keys that may have made a signature, and why those of some signers could not be read. */
export interface FoundKeys {
  readonly keys: readonly TrustedKey[];
  readonly problems: readonly LocalizedMessage[];
}

/** How long fetched keys count as current, how long a failure does, and the least time between two fetches, in milliseconds. */
const lifetime = 5 * 60_000;
const failureLifetime = 30_000;
const leastPause = 30_000;

interface Fetched {
  readonly at: number;
  readonly keys: readonly PublicKey[];
  readonly problem?: Error;
}

export interface TrustedKeysOptions extends KeyFetchOptions {
  /** Milliseconds since the epoch; default: the clock. */
  readonly now?: () => number;
}

/** The keys of the signers whom the person trusts: read from files and settings each time, fetched from addresses now and then. */
export class TrustedKeys {
  readonly #options: TrustedKeysOptions;
  readonly #now: () => number;
  readonly #fetched = new Map<string, Promise<Fetched>>();

  constructor(options: TrustedKeysOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Fetched keys are fetched anew when they are needed next. */
  forget(): void {
    this.#fetched.clear();
  }

  /**
   * Keys of trusted signers for a signature. Where the signature names an address that the person trusts, only that one gets a request, so
   * that signers do not learn of each other's cards. Never rejects.
   */
  async find(signers: readonly Signer[], { keysUrl, keyId }: SignatureHeader): Promise<FoundKeys> {
    const named = signers.filter(({ source }) => 'url' in source && source.url.href === hrefOf(keysUrl));
    const asked = signers.filter(signer => !('url' in signer.source) || named.length === 0 || named.includes(signer));
    const read = await Promise.all(
      asked.map(async signer => {
        try {
          return { keys: (await this.#keysOf(signer, keyId)).map(key => ({ ...key, signer })), problems: [] };
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          return { keys: [], problems: [sentence('The keys of "{0}" could not be read: {1}', signer.name, error.sentence)] };
        }
      }),
    );
    return { keys: read.flatMap(({ keys }) => keys), problems: read.flatMap(({ problems }) => problems) };
  }

  async #keysOf({ source }: Signer, keyId: string | undefined): Promise<readonly PublicKey[]> {
    if ('jwk' in source) return keysOfJson(source.jwk);
    if ('file' in source) return keysIn(await readKeyFile(source.file));
    const known = await this.#fetch(
      source.url,
      ({ at, problem }) => this.#now() - at < (problem === undefined ? lifetime : failureLifetime),
    );
    if (known.problem !== undefined) throw known.problem;
    if (keyId === undefined || known.keys.some(key => key.keyId === undefined || key.keyId === keyId)) return known.keys;
    // A signer has changed keys, perhaps.
    const { keys, problem } = await this.#fetch(source.url, ({ at }) => this.#now() - at < leastPause);
    if (problem !== undefined) throw problem;
    return keys;
  }

  /** The last fetch if it is still current, otherwise a new one, which concurrent callers share. */
  async #fetch(url: URL, isCurrent: (fetched: Fetched) => boolean): Promise<Fetched> {
    const last = this.#fetched.get(url.href);
    if (last !== undefined && isCurrent(await last)) return last;
    const other = this.#fetched.get(url.href);
    if (other !== undefined && other !== last) return other;
    const next = fetchKeys(url, this.#options).then(
      keys => ({ at: this.#now(), keys }),
      (error: unknown) => ({ at: this.#now(), keys: [], problem: error instanceof Error ? error : new Error(String(error)) }),
    );
    this.#fetched.set(url.href, next);
    return next;
  }
}

const hrefOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).href : undefined;

/** @throws Problem `no-key-file`, `keys-too-large` */
async function readKeyFile(path: string): Promise<string> {
  const whole = /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : path;
  const { keyTextBytes } = signatureBounds;
  try {
    // A pipe without a writer would never be opened, or never end.
    const file = await open(whole, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await file.stat()).isFile()) throw new Problem('no-key-file', sentence('{0} is not a file.', path));
      const { bytesRead, buffer } = await file.read(Buffer.alloc(keyTextBytes + 1), 0, keyTextBytes + 1, 0);
      if (bytesRead > keyTextBytes) throw new Problem('keys-too-large', sentence('{0} has more than {1} KiB.', path, keyTextBytes / 1024));
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('no-key-file', sentence('{0} could not be read: {1}', path, error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

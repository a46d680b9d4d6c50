import { securedBy } from './securedBy.ts';
import type { TlsOptions } from '../dispatcher/tlsOptions.ts';

/** What secures the connections to one agent, besides what the machine has. Files in PEM, but for `pfx`. */
export interface TlsMaterial {
  /** The client's certificate, followed by those of its authorities if the server needs them. */
  readonly certificate?: Uint8Array;
  readonly key?: Uint8Array;
  /** Certificate and key in one file (PKCS #12), instead of the two above. */
  readonly pfx?: Uint8Array;
  /** Of the key or the PFX file. */
  readonly passphrase?: string;
  /** Certificate authorities that are trusted for this agent besides those of the machine. */
  readonly ca?: Uint8Array;
  /** False: any certificate of the server is accepted, so that anybody on the way can read and change what is sent. */
  readonly rejectUnauthorized?: boolean;
}

/** Reads it for each connection: files may be renewed, and a passphrase is kept nowhere. Rejects with a `Problem`. */
export type AgentTls = (url: URL) => Promise<TlsMaterial>;

/** Connections with the same key are secured in the same way. */
export interface SecuredConnection {
  readonly key: string;
  readonly options: TlsOptions;
}

/**
 * How a connection to an approved address of an agent is secured; undefined where nothing but the machine's own settings counts.
 * @param systemCertificates whether the authorities of the machine are trusted beside those of Node
 * @throws Problem `tls-files` where what the person configured does not fit together
 */
export async function secured(tls: AgentTls | undefined, url: URL, systemCertificates: boolean): Promise<SecuredConnection | undefined> {
  if (tls === undefined || (url.protocol !== 'https:' && url.protocol !== 'wss:')) return undefined;
  return securedBy(await tls(url), systemCertificates);
}

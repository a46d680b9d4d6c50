import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import type { Headers } from '../../protocol/exchange.ts';

const scheme = /^(Basic|Bearer|Digest|Negotiate|DPoP)\s/i;
/** Shown in place of a credential. */
export const mask = '••••••';

/** Request headers with secret values, besides those whose names say so. */
export interface SecretHeaders {
  /** True for a configured header. @param name in lower case */
  has(name: string): boolean;
  /** True where its value is certainly a credential, because a stored secret is in it. @param name in lower case */
  isCertain?(name: string): boolean;
  /** True for a parameter of the address that has a credential, whatever its name says. */
  hasParameter?(name: string): boolean;
  /** Further credentials that may be in an answer although this request does not carry them. */
  others?(): readonly string[];
}

/** Masks header values with credentials; the scheme of an authorization stays readable. */
export function maskedHeaders(headers: Headers, secret: SecretHeaders): Headers {
  return headers.map(([name, value]) => (namesCredential(name) || secret.has(name.toLowerCase()) ? [name, masked(value)] : [name, value]));
}

/** The scheme of an authorization with the space after it; `""` where there is none. */
export const authorizationScheme = (value: string): string => scheme.exec(value)?.[0] ?? '';

const masked = (value: string): string => authorizationScheme(value) + mask;

/** The address with the values of credential parameters masked. */
export function maskedUrl(url: URL, secret?: SecretHeaders): string {
  const isSecret = (name: string): boolean => namesCredential(name) || secret?.hasParameter?.(name) === true;
  if (![...url.searchParams.keys()].some(isSecret)) return url.href;
  const shown = new URL(url);
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecret(name)) shown.searchParams.set(name, 'masked');
  }
  return shown.href;
}

import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import type { Headers } from '../../protocol/exchange.ts';

const scheme = /^(Basic|Bearer|Digest|Negotiate|DPoP)\s/i;
/** Shown in place of a credential. */
export const mask = '••••••';

/** Masks header values with credentials; the scheme of an authorization stays readable. */
export function maskedHeaders(headers: Headers, secret: ReadonlySet<string>): Headers {
  return headers.map(([name, value]) => (namesCredential(name) || secret.has(name.toLowerCase()) ? [name, masked(value)] : [name, value]));
}

/** The scheme of an authorization with the space after it; `""` where there is none. */
export const authorizationScheme = (value: string): string => scheme.exec(value)?.[0] ?? '';

const masked = (value: string): string => authorizationScheme(value) + mask;

/** The address with the values of credential parameters masked. */
export function maskedUrl(url: URL): string {
  if (![...url.searchParams.keys()].some(namesCredential)) return url.href;
  const shown = new URL(url);
  for (const name of new Set(url.searchParams.keys())) {
    if (namesCredential(name)) shown.searchParams.set(name, 'masked');
  }
  return shown.href;
}

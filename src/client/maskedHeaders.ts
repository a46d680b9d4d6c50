import type { Headers } from '../protocol/exchange.ts';

const credentialName = /authorization|cookie|key|token|secret|auth/i;
/** These ask for credentials and hold none. */
const challenges = new Set(['www-authenticate', 'proxy-authenticate']);
const scheme = /^(Basic|Bearer|Digest|Negotiate|DPoP)\s/i;
/** What stands in the place of a credential. */
export const mask = '••••••';

/** True where the name of a header or query parameter says that its value is a credential. */
export const namesCredential = (name: string): boolean => credentialName.test(name) && !challenges.has(name.toLowerCase());

/** Header values that carry credentials replaced by dots; the scheme of an authorization stays readable. */
export function maskedHeaders(headers: Headers, secret: ReadonlySet<string>): Headers {
  return headers.map(([name, value]) =>
    (namesCredential(name) || secret.has(name.toLowerCase()) ? [name, masked(value)] : [name, value]));
}

/** The scheme of an authorization with the space behind it; `""` where there is none. */
export const authorizationScheme = (value: string): string => scheme.exec(value)?.[0] ?? '';

const masked = (value: string): string => authorizationScheme(value) + mask;

/** The address with the values of credential parameters replaced. */
export function maskedUrl(url: URL): string {
  if (![...url.searchParams.keys()].some(namesCredential)) return url.href;
  const shown = new URL(url);
  for (const name of new Set(url.searchParams.keys())) {
    if (namesCredential(name)) shown.searchParams.set(name, 'masked');
  }
  return shown.href;
}

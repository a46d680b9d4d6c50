import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { hint, sentence } from '../../protocol/problem.ts';
import type { Network, Proxy } from './network.ts';
import { isDirect } from './noProxy.ts';
import { ProxyFailure } from './proxyFailure.ts';

/** The settings `http.*` of VS Code that are about proxies. */
export interface ProxySettings {
  /** `http.proxySupport`. All but `off` mean the same here: there are no other proxy settings that these would have to give way to. */
  readonly support: 'off' | 'on' | 'fallback' | 'override';
  /** `http.proxy`: an address with or without credentials; `""` for none. */
  readonly proxy: string;
  /** `http.noProxy`; where it is empty, the variable NO_PROXY counts. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: a value for the header, used instead of the credentials in the proxy's address. */
  readonly authorization: string | undefined;
  /** `http.proxyStrictSSL` */
  readonly strictTls: boolean;
}

/** Without settings, as in a terminal: the variables alone. */
export const noSettings: ProxySettings = { support: 'override', proxy: '', noProxy: [], authorization: undefined, strictTls: true };

/** Finds the machine's proxy for an address (PAC), such as `http://proxy.example:8080`; undefined for none. */
export type ProxyResolver = (url: string) => Promise<string | undefined>;

/** Longest wait for the machine's proxy, in milliseconds: a PAC script may have to be downloaded first. */
const resolverLimitMs = 5_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a request: that of the settings, else the machine's, else that of the variables HTTPS_PROXY or HTTP_PROXY, and ALL_PROXY, in
 * lower or upper case (curl's names). Addresses of this machine, and those of `http.noProxy` or else NO_PROXY, have none.
 * @throws ProxyFailure for a proxy whose address cannot be used
 */
export async function chooseProxy(
  url: URL,
  settings: ProxySettings,
  environment: Environment,
  resolver?: ProxyResolver,
): Promise<Proxy | undefined> {
  if (settings.support === 'off' || isLoopback(url.hostname)) return undefined;
  const exceptions = settings.noProxy.length > 0 ? settings.noProxy.join(',') : (variable(environment, 'NO_PROXY') ?? '');
  if (isDirect(url, exceptions)) return undefined;
  if (settings.proxy.trim() !== '') return readProxy(settings.proxy, 'http.proxy', settings);
  const resolved = resolver === undefined ? undefined : await withinLimit(resolver, url.href);
  if (resolved !== undefined && resolved !== '') return readProxy(resolved, settingsOfMachine, settings);
  for (const name of [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']) {
    const written = variable(environment, name);
    if (written !== undefined) return readProxy(written, name, settings);
  }
  return undefined;
}

const settingsOfMachine = 'PAC';

/** A variable in lower or, as only some programs have it, upper case; undefined where both are empty. */
function variable(environment: Environment, name: string): string | undefined {
  const value = (environment[name.toLowerCase()] ?? '').trim() || (environment[name] ?? '').trim();
  return value === '' ? undefined : value;
}

/** The resolver is undocumented: where it fails or does not answer, the machine counts as one without a proxy. */
async function withinLimit(resolver: ProxyResolver, url: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => (timer = setTimeout(resolve, resolverLimitMs, undefined)));
  try {
    return await Promise.race([resolver(url), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** @param from the setting or variable it was written in. The text itself may contain a password, so no message quotes it. */
function readProxy(written: string, from: string, { authorization, strictTls }: ProxySettings): Proxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(written.trim()) ? written.trim() : `http://${written.trim()}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '') {
    throw new ProxyFailure(sentence('The address of the proxy in {0} cannot be read.', from), writeLike);
  }
  if (!/^https?:$/.test(url.protocol)) {
    throw new ProxyFailure(
      sentence('The proxy in {0} is one for {1}, and only http:// and https:// proxies are supported.', from, url.protocol.slice(0, -1)),
      writeLike,
    );
  }
  const header = authorization ?? basic(url);
  if (header !== undefined && !/^[\t\x20-\x7e\x80-\xff]*$/.test(header)) {
    throw new ProxyFailure(
      sentence('The credentials for the proxy cannot be sent: they have characters that HTTP does not allow.'),
      sentence('Correct the setting http.proxyAuthorization.'),
    );
  }
  return { url: new URL(url.origin), authorization: header, strictTls };
}

const writeLike = hint(
  sentence('Write the setting http.proxy like http://proxy.example:8080, or list the host in http.noProxy.'),
  'Write it like http://proxy.example:8080, or list the host in NO_PROXY.',
);

/** Credentials of the address for Basic authentication (RFC 7617). */
function basic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no escape: the password is meant as it is written.
    return text;
  }
}

/** Proxies by the variables HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, for programs without settings. */
export const environmentNetwork = (environment: Environment): Network => ({
  proxyFor: url => chooseProxy(url, noSettings, environment),
  systemCertificates: true,
});

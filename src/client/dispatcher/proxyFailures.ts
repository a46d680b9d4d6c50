import { hint, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Proxy } from '../network/network.ts';
import { ProxyFailure } from '../network/proxyFailure.ts';
import { codeOf } from '../network/errorCode.ts';

const correctProxy = hint(
  sentence('Correct the setting http.proxy, or list the host in http.noProxy.'),
  'Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or list the host in NO_PROXY.',
);
const signIn = hint(
  sentence('Set user name and password in the setting http.proxy (http://user:password@host:port), or set http.proxyAuthorization.'),
  'Give user name and password in the address of the proxy: http://user:password@host:port.',
);
const askOwner = hint(
  sentence("Ask the proxy's administrator whether it may connect there, or list the host in http.noProxy."),
  'Ask the operator of the proxy to allow the host, or list it in NO_PROXY.',
);
const trustProxy = hint(
  sentence('If you trust it, add its certificate authority to this machine, or switch http.proxyStrictSSL off.'),
  'If you trust it, add its certificate authority to this machine or to the file in NODE_EXTRA_CA_CERTS.',
);

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const placeOf = ({ url }: Proxy): string => `${url.hostname}:${portOf(url)}`;

/** The failure for a status other than 2xx that a proxy answered. */
export function refusedByProxy(proxy: Proxy, authority: string, status: number): ProxyFailure {
  const place = placeOf(proxy);
  const details = { details: `HTTP ${status}` };
  if (status === 407) {
    return proxy.authorization === undefined
      ? new ProxyFailure(sentence('The proxy {0} requires credentials (HTTP 407).', place), signIn, details)
      : new ProxyFailure(sentence('The proxy {0} does not accept the credentials (HTTP 407).', place), signIn, details);
  }
  return new ProxyFailure(
    [502, 503, 504].includes(status)
      ? sentence('The proxy {0} could not reach {1} (HTTP {2}).', place, authority, status)
      : sentence('The proxy {0} refuses to connect to {1} (HTTP {2}).', place, authority, status),
    [502, 503, 504].includes(status)
      ? hint(
          sentence('Check the address of the agent. If it is in your own network, list its host in http.noProxy.'),
          'Check the address of the agent. If it is in your own network, list its host in NO_PROXY.',
        )
      : askOwner,
    details,
  );
}

/** The failure for an error of Node or undici while connecting to a proxy. */
export function proxyFailure(error: unknown, proxy: Proxy, timeoutMs: number): ProxyFailure {
  const code = codeOf(error);
  const place = placeOf(proxy);
  const details = error instanceof Error ? `${code}: ${error.message}` : String(error);
  if (/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) {
    const isPlain = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].includes(code);
    return new ProxyFailure(
      isPlain
        ? sentence('The proxy {0} does not use TLS ({1}).', place, code)
        : sentence('The certificate of the proxy {0} is not trusted ({1}).', place, code),
      isPlain ? correctProxy : trustProxy,
      { kind: 'tls', details, cause: error },
    );
  }
  return new ProxyFailure(whatFailed(code, proxy, timeoutMs), correctProxy, { details, cause: error });
}

function whatFailed(code: string, proxy: Proxy, timeoutMs: number): LocalizedMessage {
  const place = placeOf(proxy);
  switch (code) {
    case 'ECONNREFUSED':
      return sentence('No proxy is listening at {0}.', place);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return sentence('The host "{0}" of the proxy was not found (DNS).', proxy.url.hostname);
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'TimeoutError':
      return sentence('The proxy {0} did not answer within {1} seconds.', place, timeoutMs / 1000);
  }
  return sentence('The proxy {0} closed the connection or is not an HTTP proxy ({1}).', place, code);
}

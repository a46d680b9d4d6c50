import { chooseProxy, noSettings, type Environment } from './chooseProxy.ts';
import type { Network } from './network.ts';

/** Proxies by the variables HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, for programs without settings. */
export const environmentNetwork = (environment: Environment = process.env): Network => ({
  proxyFor: url => chooseProxy(url, noSettings, environment),
  systemCertificates: true,
});

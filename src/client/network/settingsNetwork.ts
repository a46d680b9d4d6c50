import { chooseProxy, type ProxyResolver, type ProxySettings } from './chooseProxy.ts';
import type { Network } from './network.ts';

/** Settings of VS Code for connections. */
export interface NetworkSettings extends ProxySettings {
  /** `http.systemCertificates` */
  readonly systemCertificates: boolean;
}

/** Network by the current settings of VS Code, else by VS Code's own resolver, else by the environment. */
export function settingsNetwork(settings: NetworkSettings, resolver: ProxyResolver | undefined): Network {
  return {
    proxyFor: url => chooseProxy(url, settings, process.env, resolver),
    systemCertificates: settings.systemCertificates,
  };
}

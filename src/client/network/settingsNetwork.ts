import { chooseProxy, type ProxyResolver, type ProxySettings } from './chooseProxy.ts';
import type { Network } from './network.ts';

/** What the settings of VS Code say about connections. */
export interface NetworkSettings extends ProxySettings {
  /** `http.systemCertificates` */
  readonly systemCertificates: boolean;
}

/** By the settings of VS Code as they are now, else by VS Code's own resolver, else by the environment. */
export function settingsNetwork(settings: NetworkSettings, resolver: ProxyResolver | undefined): Network {
  return {
    proxyFor: url => chooseProxy(url, settings, process.env, resolver),
    systemCertificates: settings.systemCertificates,
  };
}

import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ProxyResolver } from '../../client/network/chooseProxy.ts';
import type { NetworkSettings } from '../../client/network/settingsNetwork.ts';

const supports: readonly string[] = ['off', 'on', 'fallback', 'override'];

/**
 * VS Code's settings `http.*` as they are now. Only the user's own values: a workspace must not choose where requests with credentials go.
 * (VS Code gives these settings the scope of the application too.)
 */
export function httpSettings(): NetworkSettings {
  const values = vscode.workspace.getConfiguration('http');
  const own = (name: string): unknown => {
    const value = values.inspect<unknown>(name);
    return value?.globalValue ?? value?.defaultValue;
  };
  const text = (name: string): string => (typeof own(name) === 'string' ? (own(name) as string) : '');
  const support = text('proxySupport');
  const noProxy = own('noProxy');
  return {
    support: supports.includes(support) ? (support as NetworkSettings['support']) : 'override',
    proxy: text('proxy'),
    noProxy: Array.isArray(noProxy) ? noProxy.filter(entry => typeof entry === 'string') : [],
    authorization: text('proxyAuthorization') || undefined,
    strictTls: own('proxyStrictSSL') !== false,
    systemCertificates: own('systemCertificates') !== false,
  };
}

/** VS Code's module that finds the machine's proxy. Undocumented: it may be missing or another one. */
interface ProxyAgent {
  readonly resolveProxyURL?: ProxyResolver;
}

let found: { readonly resolver: ProxyResolver | undefined } | undefined;

/** Finds the machine's proxy (PAC) as VS Code itself does; undefined where VS Code does not offer that. */
export const machineProxy = (): ProxyResolver | undefined => (found ??= { resolver: findResolver() }).resolver;

function findResolver(): ProxyResolver | undefined {
  try {
    const path = join(vscode.env.appRoot, 'node_modules', '@vscode', 'proxy-agent');
    const { resolveProxyURL } = createRequire(join(vscode.env.appRoot, 'package.json'))(path) as ProxyAgent;
    return typeof resolveProxyURL === 'function' ? url => resolveProxyURL(url) : undefined;
  } catch {
    return undefined;
  }
}

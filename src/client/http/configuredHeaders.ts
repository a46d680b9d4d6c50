import type { Headers } from '../../protocol/exchange.ts';
import type { AgentTls } from './agentTls.ts';
import type { SecretHeaders } from '../wireLog/maskedHeaders.ts';

/** The values of headers for a request to an address. Rejects with a `Problem` where one has no value, or may not go there. */
export type HeaderValues = (url: URL) => Promise<Readonly<Record<string, string>>>;

export interface ConfiguredOptions {
  /** Names of headers that contain a stored secret. */
  readonly certain?: readonly string[];
  readonly tls?: AgentTls | undefined;
}

/**
 * Headers that the user configured for an agent, and what secures its connections. They are sent only to origins that the user approved. All their values count as secret,
 * whatever the header names are.
 */
export class ConfiguredHeaders {
  readonly names: readonly string[];
  /** Their names in lower case; their values are masked in the log. */
  readonly secret: SecretHeaders;
  /** For the same origins as the headers. */
  readonly tls: AgentTls | undefined;
  readonly #values: HeaderValues;

  /**
   * @param values called for each request, so that nothing keeps the values
   */
  constructor(names: readonly string[], values: HeaderValues, { certain = [], tls }: ConfiguredOptions = {}) {
    const all = new Set(names.map(name => name.toLowerCase()));
    const known = new Set(certain.map(name => name.toLowerCase()));
    this.names = names;
    this.tls = tls;
    this.secret = { has: name => all.has(name), isCertain: name => known.has(name) };
    this.#values = values;
  }

  /** Rejects with a `Problem`. */
  to(url: URL): Promise<Readonly<Record<string, string>>> {
    return this.#values(url);
  }
}

/** Headers as callers give them: their values, or what makes them when a request is sent. */
export type GivenHeaders = ConfiguredHeaders | Readonly<Record<string, string>>;

export function configuredHeaders(headers: GivenHeaders = {}): ConfiguredHeaders {
  return headers instanceof ConfiguredHeaders ? headers : new ConfiguredHeaders(Object.keys(headers), () => Promise.resolve(headers));
}

export const noHeaders: ConfiguredHeaders = configuredHeaders();

/** The headers of a request to an address with the configured ones, which replace those with the same name. Rejects with a `Problem`. */
export async function withConfigured(own: Headers, configured: ConfiguredHeaders, url: URL): Promise<Headers> {
  const values = Object.entries(await configured.to(url));
  const names = new Set(values.map(([name]) => name.toLowerCase()));
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...values];
}

import type { Headers } from '../../protocol/exchange.ts';

/**
 * Headers that the user configured for an agent. They are sent only to origins that the user approved. All their values count as secret,
 * whatever the header names are.
 */
export interface ConfiguredHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Their names in lower case; their values are masked in the log. */
  readonly secret: ReadonlySet<string>;
}

export const noHeaders: ConfiguredHeaders = { headers: {}, secret: new Set() };

export function configuredHeaders(headers: Readonly<Record<string, string>> = {}): ConfiguredHeaders {
  return { headers, secret: new Set(Object.keys(headers).map(name => name.toLowerCase())) };
}

/** A request's headers with the configured ones, which replace those with the same name. */
export function withConfigured(own: Headers, { headers }: ConfiguredHeaders): Headers {
  const configured = Object.entries(headers);
  const names = new Set(configured.map(([name]) => name.toLowerCase()));
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...configured];
}

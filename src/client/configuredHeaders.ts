import type { Headers } from '../protocol/exchange.ts';

/** Headers that the user configured for an agent. They go to origins that the user approved, and nowhere else. */
export interface ConfiguredHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case names of those whose values never reach the log. */
  readonly secret: ReadonlySet<string>;
}

export const noHeaders: ConfiguredHeaders = { headers: {}, secret: new Set() };

/** @param secretNames headers, in any case, whose values come from a secret store. */
export function configuredHeaders(headers: Readonly<Record<string, string>> = {}, secretNames: readonly string[] = []): ConfiguredHeaders {
  return { headers, secret: new Set(secretNames.map(name => name.toLowerCase())) };
}

/** A request's own headers with the configured ones, which win over those of the same name. */
export function withConfigured(own: Headers, { headers }: ConfiguredHeaders): Headers {
  const configured = Object.entries(headers);
  const names = new Set(configured.map(([name]) => name.toLowerCase()));
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...configured];
}

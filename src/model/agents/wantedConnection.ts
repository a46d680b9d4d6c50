import { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** How one request of a file wants to be sent: which interface of its agent, and headers of its own. */
export interface WantedConnection extends InterfaceSelector {
  /** Not for the card, and only for the address that they were released to. */
  readonly headers?: ConfiguredHeaders;
  /** URIs of extensions that it asks for beside those of the agent's settings. */
  readonly extensions?: readonly string[];
  /** Name of the sign-in that it carries, or `none`; that of the agent's settings if left out. */
  readonly identity?: string;
  /** Leaves out headers of the settings that have credentials; `identity` still applies. */
  readonly withoutCredentials?: boolean;
}

/** The headers of a request, for the origin of one address alone. */
export function headersFor(
  url: string,
  { values, secret }: { readonly values: Readonly<Record<string, string>>; readonly secret: readonly string[] },
): ConfiguredHeaders {
  const { origin } = new URL(url);
  return new ConfiguredHeaders(Object.keys(values), async target => (target.origin === origin ? values : {}), { certain: secret });
}

/** The agent's headers with those of a request, which replace those of the same name. */
export function withRequestHeaders(agent: ConfiguredHeaders, own: ConfiguredHeaders): ConfiguredHeaders {
  const both = [...agent.names, ...own.names];
  return new ConfiguredHeaders(
    both,
    async url => {
      const values = await own.to(url);
      const names = new Set(Object.keys(values).map(name => name.toLowerCase()));
      const others = Object.entries(await agent.to(url)).filter(([name]) => !names.has(name.toLowerCase()));
      return { ...Object.fromEntries(others), ...values };
    },
    {
      certain: both.filter(name => [agent, own].some(({ secret }) => secret.isCertain?.(name.toLowerCase()) === true)),
      tls: agent.tls,
      templates: Object.fromEntries(
        Object.entries(agent.templates).filter(([name]) => !own.names.some(each => each.toLowerCase() === name)),
      ),
    },
  );
}

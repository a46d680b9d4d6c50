import { createHash } from 'node:crypto';
import type { Headers, SatisfiedRequirement } from '../../protocol/exchange.ts';
import type { AgentTls } from './agentTls.ts';
import type { SecretHeaders } from '../wireLog/maskedHeaders.ts';
import type { RequestAuthentication, WithheldCredentials } from './requestAuthentication.ts';

/** The values of headers for a request to an address. Rejects with a `Problem` where one has no value, or may not go there. */
type HeaderValues = (url: URL) => Promise<Readonly<Record<string, string>>>;

interface ConfiguredOptions {
  /** Names of headers that contain a stored secret. */
  readonly certain?: readonly string[];
  readonly tls?: AgentTls | undefined;
  /** The templates of headers by their names in lower case, such as `{{$secret TOKEN}}`, for people. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Signs requests in; what the person configured comes first. */
  readonly authentication?: RequestAuthentication | undefined;
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
  readonly #authentication: RequestAuthentication | undefined;
  /** See `ConfiguredOptions`. */
  readonly templates: Readonly<Record<string, string>>;
  /** Headers and parameters that a sign-in has filled so far; in lower case, and as they are. */
  readonly #filled = { headers: new Set<string>(), parameters: new Set<string>() };

  /**
   * @param values called for each request, so that nothing keeps the values
   */
  constructor(
    names: readonly string[],
    values: HeaderValues,
    { certain = [], tls, templates = {}, authentication }: ConfiguredOptions = {},
  ) {
    const all = new Set(names.map(name => name.toLowerCase()));
    const known = new Set(certain.map(name => name.toLowerCase()));
    this.names = names;
    this.tls = tls;
    const { headers, parameters } = this.#filled;
    this.secret = {
      has: name => all.has(name) || headers.has(name),
      isCertain: name => known.has(name) || headers.has(name),
      hasParameter: name => parameters.has(name),
      others: () => authentication?.secrets?.() ?? [],
    };
    this.#values = values;
    this.#authentication = authentication;
    this.templates = templates;
  }

  /** Rejects with a `Problem`. */
  async to(url: URL): Promise<Readonly<Record<string, string>>> {
    const values = await this.#values(url);
    const credentials = await this.#authentication?.credentialsFor(url);
    if (credentials === undefined) return values;
    const own = new Set(Object.keys(values).map(name => name.toLowerCase()));
    const added = Object.entries(credentials.headers).filter(([name]) => !own.has(name.toLowerCase()));
    for (const [name] of added) this.#filled.headers.add(name.toLowerCase());
    return { ...Object.fromEntries(added), ...values };
  }

  /** The address of a request with the credentials that travel in its query. Rejects with a `Problem`. */
  async addressed(url: URL): Promise<URL> {
    const query = Object.entries((await this.#authentication?.credentialsFor(url))?.query ?? {});
    if (query.length === 0) return url;
    const address = new URL(url);
    for (const [name, value] of query) {
      this.#filled.parameters.add(name);
      address.searchParams.set(name, value);
    }
    return address;
  }

  /**
   * The requirement that the sign-in satisfies in a request to an address; undefined without a sign-in, or where the person's own headers
   * replace all of it. Rejects with a `Problem`.
   */
  async satisfies(url: URL): Promise<SatisfiedRequirement | undefined> {
    const credentials = await this.#authentication?.credentialsFor(url);
    if (credentials === undefined) return undefined;
    const own = new Set(this.names.map(name => name.toLowerCase()));
    const headers = Object.keys(credentials.headers);
    const isReplaced =
      headers.length > 0 && Object.keys(credentials.query).length === 0 && headers.every(name => own.has(name.toLowerCase()));
    return isReplaced ? undefined : { schemes: credentials.schemes, identity: credentials.identity };
  }

  /** Credentials and headers of the person in a request to an address, without values. Rejects with a `Problem`. */
  async carried(url: URL): Promise<CarriedBy> {
    const satisfied = await this.satisfies(url);
    const { variables } = (satisfied && (await this.#authentication?.credentialsFor(url))) ?? {};
    const withheld = await this.#authentication?.withheld?.(url);
    return { satisfied, variables, withheld, names: Object.keys(await this.#values(url)) };
  }

  /** The same headers with the credentials of a sign-in. */
  signedIn(authentication: RequestAuthentication): ConfiguredHeaders {
    const certain = this.names.filter(name => this.secret.isCertain?.(name.toLowerCase()) === true);
    return new ConfiguredHeaders(this.names, this.#values, { certain, tls: this.tls, templates: this.templates, authentication });
  }

  /** Credentials of a request to an address; undefined where it carries none. Rejects with a `Problem`. */
  async credentialsUsed(url: URL): Promise<CredentialsUsed | undefined> {
    const values = await this.to(url);
    const { search } = await this.addressed(url);
    const identity = (await this.#authentication?.credentialsFor(url))?.identity;
    if (identity === undefined && Object.keys(values).length === 0 && this.tls === undefined) return undefined;
    const digest = createHash('sha256').update(
      JSON.stringify([identity, Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)), search]),
    );
    return { key: digest.digest('base64'), ...(identity !== undefined && { identity }) };
  }

  /** See `RequestAuthentication.renew`. */
  async renew(since: number, signal?: AbortSignal): Promise<boolean> {
    return (await this.#authentication?.renew(since, signal)) ?? false;
  }
}

/** Credentials and headers of a request, without any values. */
export interface CarriedBy {
  /** The requirement that a sign-in satisfies in it. */
  readonly satisfied: SatisfiedRequirement | undefined;
  /** See `RequestCredentials`. */
  readonly variables: readonly string[] | undefined;
  /** See `RequestAuthentication.withheld`. */
  readonly withheld: WithheldCredentials | undefined;
  /** Names of headers that the person configured. */
  readonly names: readonly string[];
}

/** Identity of the credentials of requests, without their values. */
export interface CredentialsUsed {
  /** Digest that differs for other credentials. Kept in memory only. */
  readonly key: string;
  /** Under which name the person keeps the sign-in; undefined where the settings have the credentials. */
  readonly identity?: string;
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

import type { LocalizedMessage } from '../../protocol/problem.ts';

/** The credentials that a request carried, for people: never their values. */
export interface CarriedCredentials {
  /** The credentials, and where they come from: `API key X-API-Key (header) of the sign-in "bob"`. */
  readonly what: LocalizedMessage;
  /** How they are replaced. */
  readonly nextStep: LocalizedMessage;
  /** Names of the schemes or headers alone. */
  readonly names: string;
}

/** Credentials of one request. All values are secrets: they are masked wherever the request is shown or kept. */
export interface RequestCredentials {
  /** Headers, several cookies as one `Cookie`. A header that the person configured for the agent replaces the one of the same name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters that are added to the query of the address. */
  readonly query: Readonly<Record<string, string>>;
  /** Names of the card's security schemes that are satisfied together. */
  readonly schemes: readonly string[];
  /** Under which name the person keeps this sign-in, such as `alice`. */
  readonly identity: string;
  /** Names of the environment variables that they are from, where the person keeps no sign-in. */
  readonly variables?: readonly string[];
}

/** Why an address gets no credentials of a sign-in that there is. */
export interface WithheldCredentials {
  /** The origin that would get them if the person allowed it, as `URL.origin` writes it; undefined where it must not get them. */
  readonly origin?: string;
  readonly what: LocalizedMessage;
  readonly nextStep: LocalizedMessage;
}

/** Signs the requests to one agent in. */
export interface RequestAuthentication {
  /**
   * The credentials for a request; a token that is about to expire is refreshed before. Undefined without a sign-in, or where the person
   * has not approved the origin of the address. Rejects with a `Problem`.
   */
  credentialsFor(url: URL, signal?: AbortSignal): Promise<RequestCredentials | undefined>;
  /**
   * The agent answered 401 to a request. True if there are other credentials now, so that the request, which the agent refused, can be sent
   * once more. Rejects with a `Problem`.
   * @param since when the request was begun, in milliseconds since 1970: credentials that are newer are not renewed again
   */
  renew(since: number, signal?: AbortSignal): Promise<boolean>;
  /** Why an address gets no credentials, although there is a sign-in. Rejects with a `Problem`. */
  withheld?(url: URL): Promise<WithheldCredentials | undefined>;
  /**
   * Every secret of the person's sign-ins at the agent that this process knows, also tokens that were renewed since and what only the
   * authorization server got: an agent that quotes one, whenever and wherever it has it from, has it masked.
   */
  secrets?(): readonly string[];
}

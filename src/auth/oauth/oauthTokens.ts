/** How a client shows the token endpoint who it is (OpenID Connect Core §9); kept, so that refreshing does as the first request did. */
export type ClientAuthentication = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  readonly authentication: ClientAuthentication;
  /** It was registered by this program (RFC 7591), or its id is the address of a metadata document; otherwise the person gave it. */
  readonly origin: 'registered' | 'document' | 'given';
  /** Milliseconds since 1970. */
  readonly secretExpiresAt?: number;
}

/** Tokens of a sign-in, with all that a refresh needs. Kept as JSON. */
export interface OAuthTokens {
  readonly accessToken: string;
  /** Type as the server wrote it; `Bearer` is sent for any spelling of it. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  /** Milliseconds since 1970; undefined where the server named no time. */
  readonly expiresAt?: number;
  readonly scopes: readonly string[];
  /** Resource indicator of the request (RFC 8707). */
  readonly resource?: string;
  /** Whom the ID token or user info names. */
  readonly account?: string;
  readonly issuer?: string;
  readonly tokenEndpoint: string;
  /** Address for refreshes in the card (`refreshUrl`); used only at the origin of the token endpoint. */
  readonly refreshEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly client: OAuthClient;
}

/**
 * True for an address at the origin of the token endpoint: a refresh token and the secret of a client are that server's, whatever card or
 * agent names another place for them.
 */
export const isAtTokenEndpoint = (address: string, { tokenEndpoint }: Pick<OAuthTokens, 'tokenEndpoint'>): boolean =>
  URL.canParse(address) && URL.canParse(tokenEndpoint) && new URL(address).origin === new URL(tokenEndpoint).origin;

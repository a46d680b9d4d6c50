import type { SecurityScheme } from '../protocol/card/securityScheme.ts';
import type { LocalizedMessage } from '../protocol/problem.ts';

/** How the person (or a program) gets a token of OAuth 2.0. */
export type OAuthFlow = 'authorizationCode' | 'deviceCode' | 'clientCredentials';

/** One security scheme that has to be satisfied. */
export interface SignInStep {
  /** Name of the scheme in the card. */
  readonly name: string;
  readonly kind: 'apiKey' | 'basic' | 'bearer' | 'http' | 'oauth2' | 'openIdConnect' | 'mtls';
  readonly scheme: SecurityScheme;
  /** Scopes that the requirement lists. */
  readonly scopes: readonly string[];
  /** Supported ones alone, the usual first; empty for other kinds. */
  readonly flows: readonly OAuthFlow[];
  /** Why it cannot be satisfied here; undefined where it can. */
  readonly unsupported?: LocalizedMessage;
}

/** Schemes that are needed together (A2A 1.0 §4.5.8). */
export interface SignInOption {
  readonly steps: readonly SignInStep[];
  /** Names of the skills that require more than the rest of the agent, and that this satisfies as well. */
  readonly skills?: readonly string[];
}

/** Ways to sign in that a card offers. */
export interface SignInPlan {
  /** One of these has to be satisfied; those that are supported come first. Empty where the card requires nothing. */
  readonly options: readonly SignInOption[];
  /** Requests without credentials are allowed too. */
  readonly optional: boolean;
}

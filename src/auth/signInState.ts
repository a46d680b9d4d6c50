/** The sign-in state of an agent's requests, for views. Times are milliseconds since 1970. */
export type SignInState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'signedIn';
      /** Under which name the person keeps it. */
      readonly identity: string;
      /** Whom the server names (`preferred_username`, `email`, `name`, `sub`) or who was typed. */
      readonly account: string | undefined;
      /** Names of the schemes in the card. */
      readonly schemes: readonly string[];
      readonly expiresAt: number | undefined;
      /** It is renewed without the person. */
      readonly renews: boolean;
    }
  /** The token is over and cannot be renewed: the person signs in again. */
  | { readonly kind: 'expired'; readonly identity: string; readonly account: string | undefined };

/** The sign-ins at one agent. */
export interface SignInsAtAgent {
  /** The identity that requests use where they name none. */
  readonly current: string;
  readonly states: ReadonlyMap<string, SignInState>;
  /**
   * By identity, the origins that may have its credentials, as `URL.origin` writes them. None for an identity with client certificates
   * alone: those go where the agent's settings say.
   */
  readonly recipients: ReadonlyMap<string, readonly string[]>;
}

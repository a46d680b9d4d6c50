/** What an address does in a sign-in: the person signs in at `page`, and the others are sent codes, secrets or tokens. */
export type RecipientUse = 'page' | 'device' | 'registration' | 'token' | 'account' | 'revocation';

/** An origin that takes part in a sign-in. */
export interface SignInRecipient {
  /** As `URL.origin` writes it. */
  readonly origin: string;
  /** Nothing for one that is only asked how to sign in. */
  readonly uses: readonly RecipientUse[];
}

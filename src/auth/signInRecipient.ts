/** Use of an address in a sign-in: the person signs in at `page`; the others receive codes, secrets or tokens. */
export type RecipientUse = 'page' | 'device' | 'registration' | 'token' | 'account' | 'revocation';

/** An origin that takes part in a sign-in. */
export interface SignInRecipient {
  /** Origin as `URL.origin` writes it. */
  readonly origin: string;
  /** Empty where only metadata are fetched. */
  readonly uses: readonly RecipientUse[];
}

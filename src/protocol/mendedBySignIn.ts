/** Codes of `Problem`s that are over when the person signs in to the agent. */
export const mendedBySignIn: readonly string[] = ['unauthorized', 'sign-in-missing'];

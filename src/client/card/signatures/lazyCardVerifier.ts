import type { CardVerifier, CardVerifierOptions } from './cardVerifier.ts';

/** Verifier of the signatures of cards; see `CardVerifier`. */
export type CardVerifying = Pick<CardVerifier, 'verify' | 'offeredKey' | 'forget'>;

/** Verifies signatures of cards; what that takes is loaded for the first of them. */
export function lazyCardVerifier(options: CardVerifierOptions): CardVerifying {
  let loading: Promise<CardVerifier> | undefined;
  const verifier = (): Promise<CardVerifier> => (loading ??= import('./cardVerifier.ts').then(module => new module.CardVerifier(options)));
  return {
    verify: async text => (await verifier()).verify(text),
    offeredKey: async text => (await verifier()).offeredKey(text),
    forget: () => void loading?.then(loaded => loaded.forget()),
  };
}

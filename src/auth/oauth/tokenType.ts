import { Problem, sentence } from '../../protocol/problem.ts';

/** Longest type that is quoted, in characters. */
const maxQuoted = 60;

/** Servers write the type in any case (RFC 6749 §7.1). */
export const isBearer = (tokenType: string): boolean => /^bearer$/i.test(tokenType);

/** A token that no request can carry: other types want a proof of a key with each request, such as DPoP (RFC 9449), or a signature. */
export const unsendableToken = (tokenType: string): Problem =>
  new Problem(
    'sign-in-token-type',
    sentence('The authorization server issued a token of the type "{0}", which cannot be sent.', tokenType.slice(0, maxQuoted)),
    {
      nextStep: sentence(
        'Let the authorization server issue Bearer tokens to this client, as no other type can be sent, or choose another way to sign in.',
      ),
    },
  );

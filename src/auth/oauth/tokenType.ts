import { Problem, sentence } from '../../protocol/problem.ts';

/** Longest type that is quoted, in characters. */
const maxQuoted = 60;

/** Servers write the type in any case (RFC 6749 §7.1). */
export const isBearer = (tokenType: string): boolean => /^bearer$/i.test(tokenType);

/** A token that no request can carry: other types want a proof of a key with each request, such as DPoP (RFC 9449), or a signature. */
export const unsendableToken = (tokenType: string): Problem =>
  new Problem(
    'sign-in-token-type',
    sentence('The authorization server gave a token of the type "{0}", which cannot be sent.', tokenType.slice(0, maxQuoted)),
    {
      nextStep: sentence(
        'Let the authorization server give this client tokens of the type Bearer, the only one that can be sent, or choose another way to sign in.',
      ),
    },
  );

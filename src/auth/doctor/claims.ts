import { jsonIn, type Json } from './look.ts';

/** Longest token that is decoded, in characters. */
const maxToken = 32_768;

/** The claims of a JWT, whose signature is not checked; undefined for a token of another form, which only its server can read. */
export function claimsIn(token: string): Json | undefined {
  const [header = '', payload, signature, ...more] = token.slice(0, maxToken).split('.');
  if (payload === undefined || signature === undefined || more.length > 0 || decoded(header) === undefined) return undefined;
  return decoded(payload);
}

const decoded = (part: string): Json | undefined => jsonIn(Buffer.from(part, 'base64url').toString('utf8'));

/** A time of a claim (seconds since 1970) in milliseconds. */
export const timeOf = (claim: unknown): number | undefined =>
  typeof claim === 'number' && Number.isFinite(claim) ? claim * 1000 : undefined;

/** Texts of a claim that is a text, several texts with spaces between them, or a list of texts. */
export function textsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter(text => text !== '');
  return Array.isArray(claim) ? claim.filter(text => typeof text === 'string') : [];
}

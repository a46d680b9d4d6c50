/** Shapes of credentials as they are in the world, each with the number of its case. */
const shapes: readonly ((at: string) => string)[] = [
  at => `sk-proj-${at}Qz7KxLm4Vw9Tb2`,
  at => `${at}${'0f3a9c'.repeat(5)}`,
  at => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"sub":"${at}","n":"Qz7KxLm4"}`).toString('base64url')}.5x${at}Yw-_k1`,
  at => `p"ss/${at}+w<o>rd&Tw9 ü`,
  at => `ghp_${at}AbCdEfGhIjKlMnOp0123`,
  at => `${at}-4f1c-4b7e-9d3a-77aa01bb22cc`,
  at => `AKIA${at.toUpperCase()}QZ7KXLM4`,
  at => `xoxb-${at}-99-QzKxLm`,
  at => `${at}:with:colons:Qz7Kx`,
  at => `${at}Qz7/KxLm4+Vw9==`,
];
const kinds = ['key', 'password', 'token', 'client-secret', 'access', 'refresh', 'id', 'device'] as const;
export type Kind = (typeof kinds)[number];
export type Secrets = Readonly<Record<Kind, string>>;
/** What is sent in headers as it is, and in forms. */
const inHeaders = new Set<Kind>(['key', 'token', 'access']);
/** The ID token is known once the server was asked for it: see `idTokenOf`. */
export const secretsOf = (index: number): Record<Kind, string> =>
  Object.fromEntries(
    kinds.map((kind, row) => {
      if (kind === 'id') return [kind, ''];
      const at = `Kz9${index}n${row}ry`;
      // A header takes no "ü", a cookie no quote.
      const usable = inHeaders.has(kind) ? shapes.filter((_, each) => each !== 3) : shapes;
      return [kind, usable[(index + row) % usable.length]!(at)];
    }),
  ) as Record<Kind, string>;

/** An ID token of OpenID Connect (Core §2) for the client "client", whose signature nobody has the key of. */
export function idTokenOf(index: number, issuer: string, nonce: string | undefined): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: 'ann', aud: 'client', iat: now, exp: now + 600, sid: `Kz9${index}idry`, ...(nonce && { nonce }) };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}.${Buffer.from(`signature ${index} Qz7KxLm4`).toString('base64url')}`;
}

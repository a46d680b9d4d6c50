import type { RequestCredentials } from '../../client/http/requestAuthentication.ts';
import type { KeptSignIn } from './keptSignIns.ts';

/** What a request carries for a sign-in. */
export function requestCredentials({ credentials }: KeptSignIn, identity: string): RequestCredentials {
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const cookies: string[] = [];
  for (const credential of credentials)
    switch (credential.kind) {
      case 'apiKey':
        if (credential.location === 'header') headers[credential.name] = credential.value;
        else if (credential.location === 'query') query[credential.name] = credential.value;
        else cookies.push(`${credential.name}=${credential.value}`);
        break;
      case 'authorization':
        headers['Authorization'] = `${credential.type} ${credential.value}`;
        break;
      case 'oauth':
        headers['Authorization'] = `${authorizationType(credential.tokens.tokenType)} ${credential.tokens.accessToken}`;
        break;
      case 'mtls':
        break;
    }
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ');
  return { headers, query, schemes: credentials.map(({ scheme }) => scheme), identity };
}

/** Servers write the type in any case, and some agents know `Bearer` alone (RFC 6750 §2.1). */
const authorizationType = (tokenType: string): string => (/^bearer$/i.test(tokenType) ? 'Bearer' : tokenType);

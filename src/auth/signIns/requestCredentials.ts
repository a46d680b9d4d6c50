import type { RequestCredentials } from '../../client/http/requestAuthentication.ts';
import { isBearer, unsendableToken } from '../oauth/tokenType.ts';
import type { KeptSignIn } from './keptSignIns.ts';

/** Credentials of a sign-in in a request. @throws Problem `sign-in-token-type` for a token of another type than Bearer */
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
        if (!isBearer(credential.tokens.tokenType)) throw unsendableToken(credential.tokens.tokenType);
        // Some agents accept this spelling only (RFC 6750 §2.1).
        headers['Authorization'] = `Bearer ${credential.tokens.accessToken}`;
        break;
      case 'mtls':
        break;
    }
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ');
  return { headers, query, schemes: credentials.map(({ scheme }) => scheme), identity };
}

import type { Http } from '../../client/http/http.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CardEndpoints } from '../oauth/discovery.ts';
import { signInByOAuth } from '../oauth/oauthFlows.ts';
import type { SignInRecipient } from '../signInRecipient.ts';
import { SignInCanceled } from '../signInCanceled.ts';
import type { OAuthFlow, SignInStep } from '../signInPlan.ts';
import type { SignInPrompts, TypedValue } from '../signInPrompts.ts';
import type { KeptCredential } from './keptSignIns.ts';
import { keyPlaces } from './planOf.ts';

interface CredentialRequest {
  readonly step: SignInStep;
  readonly agentUrl: string;
  readonly challenge?: string | undefined;
  readonly challengedUrl?: string | undefined;
  readonly prompts: SignInPrompts;
  readonly http: Pick<Http, 'request'>;
  readonly signal?: AbortSignal | undefined;
  readonly requireRecipients: (recipients: readonly SignInRecipient[], scopes: readonly string[]) => Promise<void>;
  readonly onSecret?: (secret: string) => void;
  /** Credential of the earlier sign-in, whose client is used again. */
  readonly before?: KeptCredential | undefined;
  readonly now: () => number;
}

/** Longest value that is typed, in characters; servers take no longer headers. */
const maxValue = 16_384;

/** Gets the credential for one scheme from the person or from an authorization server. Rejects with a `Problem`. */
export async function credentialFor(request: CredentialRequest): Promise<KeptCredential> {
  const { step, prompts } = request;
  const { name: scheme } = step;
  if (step.unsupported !== undefined) throw new Problem('sign-in-unsupported', step.unsupported);
  switch (step.kind) {
    case 'apiKey': {
      const { location = 'header', name = 'X-API-Key' } = step.scheme.apiKeySecurityScheme ?? {};
      const value = await typed(prompts, {
        name: 'key',
        title: sentence('API Key'),
        prompt: sentence('Value of "{0}" ({1}).', name, keyPlaces[location]),
        description: step.scheme.apiKeySecurityScheme?.description,
        secret: true,
      });
      return { kind: 'apiKey', scheme, location, name, value };
    }
    case 'basic': {
      const user = await typed(prompts, {
        name: 'user',
        title: sentence('User Name'),
        prompt: sentence('For "{0}".', scheme),
        description: step.scheme.httpAuthSecurityScheme?.description,
        secret: false,
      });
      const password = await typed(prompts, {
        name: 'password',
        title: sentence('Password'),
        prompt: sentence('Password of {0}.', user),
        secret: true,
        optional: true,
      });
      if (user.includes(':'))
        throw new Problem('sign-in-user', sentence('A user name of HTTP basic authentication has no colon (RFC 7617 §2).'));
      return { kind: 'authorization', scheme, type: 'Basic', value: Buffer.from(`${user}:${password}`, 'utf8').toString('base64') };
    }
    case 'bearer':
    case 'http': {
      const type = step.kind === 'bearer' ? 'Bearer' : (step.scheme.httpAuthSecurityScheme?.scheme ?? 'Bearer');
      const value = await typed(prompts, {
        name: 'token',
        title: sentence('Token'),
        prompt: sentence('Sent as "Authorization: {0} …".', type),
        description: step.scheme.httpAuthSecurityScheme?.description,
        secret: true,
      });
      return { kind: 'authorization', scheme, type, value: withoutType(value, type) };
    }
    case 'mtls':
      if (!(await prompts.certificate(scheme))) throw new SignInCanceled();
      return { kind: 'mtls', scheme };
    case 'oauth2':
    case 'openIdConnect': {
      const flow = step.flows.length === 1 ? step.flows[0]! : await prompts.chooseFlow(scheme, step.flows);
      if (flow === undefined) throw new SignInCanceled();
      const { http, signal, requireRecipients, onSecret, agentUrl, challenge, challengedUrl, before, now } = request;
      const tokens = await signInByOAuth({
        context: { http, signal, ...(onSecret && { onSecret }) },
        requireRecipients,
        flow,
        agentUrl,
        challenge,
        challengedUrl,
        card: endpointsOf(step, flow),
        scheme,
        scopes: step.scopes,
        openId: step.kind === 'openIdConnect',
        prompts,
        ...(before?.kind === 'oauth' && { before: before.tokens }),
        now,
      });
      return { kind: 'oauth', scheme, flow, tokens: { ...tokens, scopes: [...tokens.scopes] } };
    }
  }
}

function endpointsOf({ scheme }: SignInStep, flow: OAuthFlow): CardEndpoints {
  const { oauth2SecurityScheme: oauth2, openIdConnectSecurityScheme: openId } = scheme;
  const flows = oauth2?.flows;
  return {
    metadataUrl: openId?.openIdConnectUrl ?? oauth2?.oauth2MetadataUrl,
    authorizationUrl: flow === 'authorizationCode' ? flows?.authorizationCode?.authorizationUrl : undefined,
    deviceAuthorizationUrl: flow === 'deviceCode' ? flows?.deviceCode?.deviceAuthorizationUrl : undefined,
    tokenUrl: flows?.[flow]?.tokenUrl,
    refreshUrl: flows?.[flow]?.refreshUrl,
  };
}

/** The value without the type, for a person who pasted the whole header. The type is from the card, so it is no pattern. */
function withoutType(value: string, type: string): string {
  const isPasted = value.slice(0, type.length).toLowerCase() === type.toLowerCase() && /^\s/.test(value.slice(type.length));
  return isPasted ? value.slice(type.length).trimStart() : value;
}

/** Header values have no line breaks and no other controls (RFC 9110 §5.5). */
async function typed(prompts: SignInPrompts, value: TypedValue): Promise<string> {
  const text = (await prompts.type(value))?.trim();
  if (text === undefined || (text === '' && value.optional !== true)) throw new SignInCanceled();
  if (text.length > maxValue || /\p{Cc}/u.test(text))
    throw new Problem('sign-in-value', sentence('The value is longer than {0} characters or has line breaks.', maxValue), {
      nextStep: sentence('Paste the credential alone.'),
    });
  return text;
}

import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { SecurityRequirement, SecurityScheme } from '../../protocol/card/securityScheme.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { challengesIn } from '../oauth/challenge.ts';
import type { OAuthFlow, SignInOption, SignInPlan, SignInStep } from '../signInPlan.ts';

/** Most options and schemes of a card that are looked at: it may have any number. */
const maxOptions = 32;
const maxSteps = 8;

type CardSecurity = Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>;

/**
 * What a card, or without schemes in it the challenge of a 401, says of signing in (A2A 1.0 §4.5). A card with schemes and without
 * requirements requires nothing; any of its schemes can be used then.
 * @param challenge `WWW-Authenticate` as received
 */
export function signInPlan({ securitySchemes = {}, securityRequirements = [] }: CardSecurity, challenge?: string): SignInPlan {
  const requirements = securityRequirements.slice(0, maxOptions);
  const required = requirements.filter(({ schemes }) => Object.keys(schemes).length > 0);
  const declared = Object.entries(securitySchemes).slice(0, maxOptions);
  const options =
    required.length > 0
      ? required.map(requirement => optionOf(requirement, securitySchemes))
      : declared.map(([name, scheme]) => ({ steps: [stepOf(name, scheme, [])] }));
  const usable = options.length > 0 ? options : challengesIn(challenge ?? '').flatMap(each => optionOfChallenge(each.scheme));
  return {
    options: [...usable.filter(isSupported), ...usable.filter(option => !isSupported(option))],
    optional: required.length === 0 || required.length < requirements.length,
  };
}

export const isSupported = ({ steps }: SignInOption): boolean => steps.every(({ unsupported }) => unsupported === undefined);

const optionOf = ({ schemes }: SecurityRequirement, declared: Readonly<Record<string, SecurityScheme>>): SignInOption => ({
  steps: Object.entries(schemes)
    .slice(0, maxSteps)
    .map(([name, { list = [] }]) => stepOf(name, Object.hasOwn(declared, name) ? declared[name] : undefined, list)),
});

function optionOfChallenge(scheme: string): readonly SignInOption[] {
  if (/^bearer$/i.test(scheme)) {
    const oauth: SecurityScheme = { oauth2SecurityScheme: { flows: {} } };
    return [
      { steps: [{ ...stepOf('Bearer', { httpAuthSecurityScheme: { scheme: 'Bearer' } }, []) }] },
      {
        steps: [
          { name: 'OAuth', kind: 'oauth2', scheme: oauth, scopes: [], flows: ['authorizationCode', 'deviceCode', 'clientCredentials'] },
        ],
      },
    ];
  }
  return /^[\w-]+$/.test(scheme) ? [{ steps: [stepOf(scheme, { httpAuthSecurityScheme: { scheme } }, [])] }] : [];
}

function stepOf(name: string, scheme: SecurityScheme | undefined, scopes: readonly string[]): SignInStep {
  const common = { name, scheme: scheme ?? {}, scopes, flows: [] };
  if (scheme === undefined)
    return { ...common, kind: 'http', unsupported: sentence('The card requires "{0}" and does not declare it.', name) };
  if (scheme.apiKeySecurityScheme !== undefined) return { ...common, kind: 'apiKey' };
  if (scheme.mtlsSecurityScheme !== undefined) return { ...common, kind: 'mtls' };
  if (scheme.httpAuthSecurityScheme !== undefined) return { ...common, ...httpStep(scheme.httpAuthSecurityScheme.scheme) };
  if (scheme.openIdConnectSecurityScheme !== undefined)
    return { ...common, kind: 'openIdConnect', flows: ['authorizationCode', 'deviceCode', 'clientCredentials'] };
  if (scheme.oauth2SecurityScheme !== undefined) return { ...common, kind: 'oauth2', ...flowsOf(scheme.oauth2SecurityScheme.flows) };
  return { ...common, kind: 'http', unsupported: sentence('The card does not say of which kind "{0}" is.', name) };
}

function httpStep(scheme: string): Pick<SignInStep, 'kind'> & { readonly unsupported?: LocalizedMessage } {
  const lower = scheme.toLowerCase();
  if (lower === 'basic' || lower === 'bearer') return { kind: lower };
  if (['digest', 'negotiate', 'ntlm', 'mutual', 'scram-sha-1', 'scram-sha-256', 'dpop', 'hoba', 'vapid'].includes(lower))
    return {
      kind: 'http',
      unsupported: sentence('"{0}" computes its credentials for each request, which A2A Workbench does not.', scheme),
    };
  return { kind: 'http' };
}

type Flows = NonNullable<SecurityScheme['oauth2SecurityScheme']>['flows'];

function flowsOf(flows: Flows): Pick<SignInStep, 'flows'> & { readonly unsupported?: LocalizedMessage } {
  const supported = (['authorizationCode', 'deviceCode', 'clientCredentials'] as const satisfies readonly OAuthFlow[]).filter(
    flow => flows[flow] !== undefined,
  );
  if (supported.length > 0) return { flows: supported };
  if (flows.implicit !== undefined)
    return {
      flows: [],
      unsupported: sentence(
        'The implicit flow puts the token into an address, where others can read it (RFC 9700 §2.1.2). It is not supported.',
      ),
    };
  if (flows.password !== undefined)
    return {
      flows: [],
      unsupported: sentence('The password flow gives your password to another program (RFC 9700 §2.4). It is not supported.'),
    };
  // Found by its metadata.
  return { flows: ['authorizationCode', 'deviceCode', 'clientCredentials'] };
}

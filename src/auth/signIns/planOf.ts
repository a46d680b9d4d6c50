import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { SecurityRequirement, SecurityScheme } from '../../protocol/card/securityScheme.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { challengesIn } from '../oauth/challenge.ts';
import type { OAuthFlow, SignInOption, SignInPlan, SignInStep } from '../signInPlan.ts';

/** Most options and schemes of a card that are looked at: it may have any number. */
const maxOptions = 32;
const maxSteps = 8;
const maxSkills = 200;

type CardSecurity = Pick<AgentCard, 'securitySchemes' | 'securityRequirements'> & Partial<Pick<AgentCard, 'skills'>>;

/**
 * Ways to sign in that a card offers or, without schemes in it, the challenge of a 401 (A2A 1.0 §4.5). A card with schemes and without
 * requirements requires nothing; any of its schemes can be used then. What skills require (§4.4.5) is offered beside that: a request does
 * not say which skill it means.
 * @param challenge `WWW-Authenticate` as received
 */
export function signInPlan(card: CardSecurity, challenge?: string): SignInPlan {
  const { securitySchemes = {}, securityRequirements = [] } = card;
  const requirements = securityRequirements.slice(0, maxOptions);
  const required = requirements.filter(({ schemes }) => Object.keys(schemes).length > 0);
  const declared = Object.entries(securitySchemes).slice(0, maxOptions);
  const options =
    required.length > 0
      ? required.map(requirement => optionOf(requirement, securitySchemes))
      : declared.map(([name, scheme]) => ({ steps: [stepOf(name, scheme, [])] }));
  const all = [...options, ...optionsOfSkills(card, required.length > 0 ? options : [])].slice(0, maxOptions);
  const usable = all.length > 0 ? all : challengesIn(challenge ?? '').flatMap(each => optionOfChallenge(each.scheme));
  return {
    options: [...usable.filter(isSupported), ...usable.filter(option => !isSupported(option))],
    optional: required.length === 0 || required.length < requirements.length,
  };
}

export const isSupported = ({ steps }: SignInOption): boolean => steps.every(({ unsupported }) => unsupported === undefined);

function optionOf({ schemes }: SecurityRequirement, declared: Readonly<Record<string, SecurityScheme>>): SignInOption {
  const steps = Object.entries(schemes)
    .slice(0, maxSteps)
    .map(([name, { list = [] }]) => stepOf(name, Object.hasOwn(declared, name) ? declared[name] : undefined, list));
  return { steps: withOneAuthorization(steps) };
}

/** A request has one `Authorization`: of several schemes that need it, none but the first can be satisfied. */
function withOneAuthorization(steps: readonly SignInStep[]): readonly SignInStep[] {
  const needy = steps.filter(({ kind }) => kind !== 'apiKey' && kind !== 'mtls');
  const [first, second] = needy;
  if (first === undefined || second === undefined) return steps;
  const unsupported = sentence('"{0}" and "{1}" together need two Authorization headers, and a request has one.', first.name, second.name);
  return steps.map(step => (step === second ? { ...step, unsupported } : step));
}

/** Options that skills require beside those of every request, once for all skills that require the same. */
function optionsOfSkills({ skills = [], securitySchemes = {} }: CardSecurity, ofCard: readonly SignInOption[]): readonly SignInOption[] {
  const found = new Map<string, { readonly steps: readonly SignInStep[]; readonly skills: string[] }>();
  const key = (steps: readonly SignInStep[]): string =>
    JSON.stringify(
      steps.map(({ name, scopes }) => [name, scopes.toSorted()]).toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
    );
  const known = new Set(ofCard.map(({ steps }) => key(steps)));
  for (const { name, securityRequirements = [] } of skills.slice(0, maxSkills))
    for (const requirement of securityRequirements.slice(0, maxOptions)) {
      const own = optionOf(requirement, securitySchemes);
      if (own.steps.length === 0) continue;
      for (const base of ofCard.length > 0 ? ofCard : [{ steps: [] }]) {
        const steps = withOneAuthorization(merged(base.steps, own.steps));
        if (known.has(key(steps))) continue;
        const same = found.get(key(steps));
        if (same === undefined) found.set(key(steps), { steps, skills: [name] });
        else if (!same.skills.includes(name)) same.skills.push(name);
        if (found.size >= maxOptions) return [...found.values()];
      }
    }
  return [...found.values()];
}

function merged(base: readonly SignInStep[], more: readonly SignInStep[]): readonly SignInStep[] {
  const both = base.map(step => {
    const also = more.find(({ name }) => name === step.name);
    return also === undefined ? step : { ...step, scopes: [...new Set([...step.scopes, ...also.scopes])] };
  });
  return [...both, ...more.filter(({ name }) => !base.some(step => step.name === name))];
}

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
  if (scheme.apiKeySecurityScheme !== undefined) return { ...common, kind: 'apiKey', ...keyPlace(scheme.apiKeySecurityScheme) };
  if (scheme.mtlsSecurityScheme !== undefined) return { ...common, kind: 'mtls' };
  if (scheme.httpAuthSecurityScheme !== undefined) return { ...common, ...httpStep(scheme.httpAuthSecurityScheme.scheme) };
  if (scheme.openIdConnectSecurityScheme !== undefined)
    return { ...common, kind: 'openIdConnect', flows: ['authorizationCode', 'deviceCode', 'clientCredentials'] };
  if (scheme.oauth2SecurityScheme !== undefined) return { ...common, kind: 'oauth2', ...flowsOf(scheme.oauth2SecurityScheme.flows) };
  return { ...common, kind: 'http', unsupported: sentence('The card does not say of which kind "{0}" is.', name) };
}

/** Where an API key is sent. */
export const keyPlaces = { header: sentence('header'), query: sentence('query parameter'), cookie: sentence('cookie') } as const;

/** Names of headers and cookies (RFC 9110 §5.6.2, RFC 6265 §4.1.1). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** Headers that control how a request is sent: a key in their place would change where it goes or where it ends. */
const reserved =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|sec-.*|a2a-.*)$/i;

function keyPlace({ location = 'header', name = '' }: NonNullable<SecurityScheme['apiKeySecurityScheme']>): {
  readonly unsupported?: LocalizedMessage;
} {
  if (location === 'query' ? name !== '' : token.test(name) && !(location === 'header' && reserved.test(name))) return {};
  return {
    unsupported: sentence('The card expects the key as "{0}" ({1}), where it cannot be sent.', name.slice(0, 60), keyPlaces[location]),
  };
}

function httpStep(scheme: string): Pick<SignInStep, 'kind'> & { readonly unsupported?: LocalizedMessage } {
  if (!token.test(scheme))
    return { kind: 'http', unsupported: sentence('"{0}" is not the name of an HTTP authentication scheme.', scheme.slice(0, 60)) };
  const lower = scheme.toLowerCase();
  if (lower === 'basic' || lower === 'bearer') return { kind: lower };
  if (['digest', 'negotiate', 'ntlm', 'mutual', 'scram-sha-1', 'scram-sha-256', 'dpop', 'hoba', 'vapid'].includes(lower))
    return {
      kind: 'http',
      unsupported: sentence('"{0}" computes its credentials for each request, which A2A Workbench does not support.', scheme),
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

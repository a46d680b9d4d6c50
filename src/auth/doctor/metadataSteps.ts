import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Challenge } from '../oauth/challenge.ts';
import { metadataPlaces, resourcePlaces } from '../oauth/discovery.ts';
import type { SignInStep } from '../signInPlan.ts';
import type { CauseId } from './causes.ts';
import type { ExplainedSignIn } from './explainedSignIn.ts';
import { look, type Json, type Look } from './look.ts';
import { isProtected, metadataCauses, type FoundCause } from './metadataChecks.ts';
import { causeSentence, type ReportSteps } from './reportSteps.ts';
import type { SignInStepId } from './signInReport.ts';
import { maxSkew } from './tokenChecks.ts';

/** The metadata of the agent (RFC 9728) that its challenge names; undefined where it names none. */
export async function resourceMetadata(
  { agentUrl, context, now }: ExplainedSignIn,
  step: SignInStep,
  bearer: Challenge | undefined,
  trace: ReportSteps,
): Promise<Json | undefined | 'failed'> {
  const named = bearer?.parameters.get('resource_metadata');
  if ((named === undefined || !URL.canParse(named)) && !namesServer(step)) {
    for (const place of resourcePlaces(agentUrl)) {
      const seen = await look(context, place, now);
      if (seen.json === undefined || !describes(String(seen.json['resource']), agentUrl)) continue;
      addDocumentStep('resource', undefined, seen, sentence('The agent names the authorization server that issues its tokens.'), trace);
      return seen.json;
    }
  }
  if (named === undefined || !URL.canParse(named)) return undefined;
  const seen = await look(context, new URL(named), now);
  noteClock(seen, 'resource', trace);
  const fault = documentFault(seen, { missing: 'resourceMissing', unreadable: 'resourceUnreadable' });
  const { json } = seen;
  const resource = json?.['resource'];
  const servers = json?.['authorization_servers'];
  const found: FoundCause | undefined =
    fault ??
    (typeof resource !== 'string' || !describes(resource, agentUrl)
      ? { id: 'resourceMismatch', args: [named, String(resource)] }
      : !Array.isArray(servers) || !isWebAddress(servers[0])
        ? { id: 'resourceWithoutServer', args: [named] }
        : undefined);
  return addDocumentStep('resource', found, seen, sentence('The agent names the authorization server that issues its tokens.'), trace)
    ? json
    : 'failed';
}

const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** True where the card itself has the address of its authorization server. */
const namesServer = ({ scheme }: SignInStep): boolean =>
  scheme.openIdConnectSecurityScheme !== undefined ||
  scheme.oauth2SecurityScheme?.oauth2MetadataUrl !== undefined ||
  Object.values(scheme.oauth2SecurityScheme?.flows ?? {}).length > 0;

/** The metadata of the authorization server; undefined where there are none that fit. */
export async function serverMetadata(
  { context, now }: ExplainedSignIn,
  step: SignInStep,
  resource: Json | undefined,
  trace: ReportSteps,
): Promise<Json | undefined> {
  const issuer = (resource?.['authorization_servers'] as readonly string[] | undefined)?.[0];
  const { openIdConnectSecurityScheme: openId, oauth2SecurityScheme: oauth } = step.scheme;
  const address = openId?.openIdConnectUrl ?? oauth?.oauth2MetadataUrl;
  const places = issuer !== undefined ? metadataPlaces(issuer) : address !== undefined && URL.canParse(address) ? [new URL(address)] : [];
  if (places.length === 0 && !namesServer(step)) {
    trace.cause('server', { id: 'noServer' });
    trace.add('server', 'failed', causeSentence({ id: 'noServer' }));
    return undefined;
  }
  if (places.length === 0) {
    const flows = Object.values(oauth?.flows ?? {}) as readonly Json[];
    trace.add('server', 'ok', sentence('The card names the endpoints of the authorization server itself.'));
    return Object.fromEntries(
      flows.flatMap(flow =>
        [
          ['authorization_endpoint', flow['authorizationUrl']],
          ['token_endpoint', flow['tokenUrl']],
          ['device_authorization_endpoint', flow['deviceAuthorizationUrl']],
        ].filter(([, value]) => value !== undefined),
      ),
    ) as Json;
  }
  let first: { readonly seen: Look; readonly found: FoundCause } | undefined;
  for (const place of places) {
    const seen = await look(context, place, now);
    noteClock(seen, 'server', trace);
    const said = seen.json?.['issuer'];
    const found: FoundCause | undefined =
      documentFault(seen, { missing: 'serverMissing', unreadable: 'serverUnreadable' }, issuer ?? place.href) ??
      (issuer !== undefined && said !== issuer
        ? { id: 'issuerMismatch', args: [issuer, String(said)] }
        : issuer === undefined &&
            (typeof said !== 'string' || !URL.canParse(said) || !metadataPlaces(said).some(({ href }) => href === place.href))
          ? { id: 'issuerMismatch', args: [place.href, String(said)] }
          : undefined);
    if (found === undefined) {
      addDocumentStep('server', undefined, seen, sentence('The authorization server has metadata.'), trace);
      return seen.json;
    }
    if (first === undefined || (first.seen.json === undefined && seen.json !== undefined)) first = { seen, found };
  }
  if (first !== undefined) addDocumentStep('server', first.found, first.seen, sentence('The authorization server has metadata.'), trace);
  return undefined;
}

export function clientStep(step: SignInStep, server: Json, trace: ReportSteps): void {
  const flow = step.flows[0] ?? 'authorizationCode';
  const found = metadataCauses(server, flow, step.scopes);
  for (const each of found) trace.cause('client', each);
  const failed = found.find(({ id }) => id !== 'noRegistration' && id !== 'unknownScope');
  trace.add(
    'client',
    failed === undefined ? 'ok' : 'failed',
    failed === undefined ? sentence('The authorization server has what the flow needs.') : causeSentence(failed),
  );
}

function documentFault(
  { url, status, json, problem }: Look,
  { missing, unreadable }: { readonly missing: CauseId; readonly unreadable: CauseId },
  what = url,
): FoundCause | undefined {
  if (!isProtected(new URL(url))) return { id: 'plainHttp', args: [url] };
  if (problem?.code === 'sign-in-origin') return { id: 'notFetched', args: [new URL(url).origin] };
  if (problem?.code === 'sign-in-redirect') return { id: 'redirected', args: [url] };
  if (status === undefined) return { id: 'unreachable', args: [url] };
  if (status !== 200) return { id: missing, args: [what] };
  return json === undefined ? { id: unreadable, args: [url] } : undefined;
}

/** Adds a step for a document. True where nothing is wrong with it. */
function addDocumentStep(
  id: SignInStepId,
  found: FoundCause | undefined,
  { exchange }: Look,
  fine: LocalizedMessage,
  trace: ReportSteps,
): boolean {
  if (found !== undefined) trace.cause(id, found);
  trace.add(id, found === undefined ? 'ok' : 'failed', found === undefined ? fine : causeSentence(found), { exchanges: [exchange] });
  return found === undefined;
}

function noteClock({ ahead }: Look, step: SignInStepId, trace: ReportSteps): void {
  if (ahead !== undefined && Math.abs(ahead) > maxSkew)
    trace.cause(step, { id: 'clock', args: [String(Math.round(Math.abs(ahead) / 1000))] });
}

/** True for an address that the agent's begins with (RFC 9728 §3.3). */
function describes(resource: string, agentUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [described, agent] = [new URL(resource), new URL(agentUrl)];
  const path = described.pathname.replace(/\/$/, '');
  return described.origin === agent.origin && (agent.pathname === path || agent.pathname.startsWith(`${path}/`));
}

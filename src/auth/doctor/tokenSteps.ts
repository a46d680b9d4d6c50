import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { challengesIn } from '../oauth/challenge.ts';
import { oauthCodeOf } from '../oauth/oauthProblem.ts';
import type { SignInStep } from '../signInPlan.ts';
import type { CauseId } from './causes.ts';
import { claimFacts } from './claimFacts.ts';
import { claimsIn } from './claims.ts';
import { isLetThrough, type AskedAgent, type ExplainedSignIn, type ShownToken } from './explainedSignIn.ts';
import type { Json } from './look.ts';
import type { FoundCause } from './metadataChecks.ts';
import { causeSentence, type ReportSteps } from './reportSteps.ts';
import type { SeenExchange } from './signInReport.ts';
import { claimCauses } from './tokenChecks.ts';

/** The codes of token endpoints (RFC 6749 §5.2, RFC 8707) and what they mean here. */
const codes: Readonly<Record<string, CauseId>> = {
  invalid_client: 'invalidClient',
  unauthorized_client: 'unauthorizedClient',
  invalid_scope: 'invalidScope',
  invalid_target: 'invalidTarget',
  unsupported_grant_type: 'unsupportedGrant',
  invalid_request: 'redirectUri',
  invalid_redirect_uri: 'redirectUri',
  access_denied: 'denied',
};
/** The codes of other problems. */
const problems: Readonly<Record<string, CauseId>> = {
  'sign-in-origin': 'notApproved',
  'sign-in-registration': 'registrationRefused',
  'sign-in-clock': 'tokenTimes',
  'sign-in-token': 'idToken',
  'sign-in-token-type': 'tokenType',
  'sign-in-pkce': 'noPkce',
};

/** The page that the browser was sent to (RFC 6749 §4.1.1) and came back from; no step where no browser was opened. */
function authorizationStep(authorization: SeenExchange | undefined, trace: ReportSteps): void {
  if (authorization === undefined) return;
  trace.add('authorization', 'ok', sentence('The authorization server sent the browser back with a code.'), { exchanges: [authorization] });
}

export async function tokenSteps(
  given: ExplainedSignIn,
  step: SignInStep,
  { resource, server }: { readonly resource: Json | undefined; readonly server: Json | undefined },
  trace: ReportSteps,
): Promise<void> {
  let tokens: ShownToken | undefined;
  const { trace: sent } = given;
  try {
    tokens = await given.tokens();
    if (tokens !== undefined) authorizationStep(sent?.authorization, trace);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { authorization, requests = [] } = sent ?? {};
    if (error.code === 'sign-in-canceled' && authorization === undefined) return untried(trace);
    const isOfBrowser = authorization !== undefined && !requests.some(({ url }) => url === server?.['token_endpoint']);
    const at = isOfBrowser ? 'authorization' : 'token';
    if (!isOfBrowser) authorizationStep(authorization, trace);
    const code = oauthCodeOf(error);
    const id = isOfBrowser && authorization.status === undefined ? 'noReturn' : code === undefined ? problems[error.code] : codes[code];
    trace.add(at, 'failed', error.sentence, {
      exchanges: [...(isOfBrowser ? [authorization] : []), ...requests],
      facts: error.details === undefined ? [] : [sentence('The server answered: {0}', error.details)],
    });
    trace.cause(
      at,
      id !== undefined
        ? { id }
        : code !== undefined
          ? { id: 'refused', args: [code] }
          : { id: 'notOAuth', args: [String(server?.['token_endpoint'] ?? given.agentUrl)] },
    );
    return;
  }
  if (tokens === undefined) {
    // What the person signed in with may be no token: the card can offer a key as well.
    const asked = await given.ask(true);
    return carried(asked) === true ? useOther(given.agentUrl, asked, trace) : untried(trace);
  }
  trace.add('token', 'ok', sentence('There is a token of the type {0}.', tokens.tokenType), {
    facts: tokens.scopes.length === 0 ? [] : [sentence('Scopes: {0}', tokens.scopes.join(' '))],
    exchanges: sent?.requests ?? [],
  });
  const claims = claimsIn(tokens.accessToken);
  if (claims === undefined) trace.add('claims', 'skipped', sentence('The token is not a JWT, so only its issuer can read it.'));
  else {
    const indicator = resource?.['resource'];
    const issuer = server?.['issuer'];
    const found = claimCauses(claims, {
      agentUrl: given.agentUrl,
      resource: typeof indicator === 'string' ? indicator : undefined,
      issuer: typeof issuer === 'string' ? issuer : tokens.issuer,
      scopes: step.scopes,
      now: given.now(),
    });
    for (const each of found) trace.cause('claims', each);
    const [worst] = found;
    trace.add(
      'claims',
      worst === undefined ? 'ok' : 'failed',
      worst === undefined ? sentence("The token's claims match.") : causeSentence(worst),
      {
        facts: claimFacts(claims, given.now()),
      },
    );
  }
  await use(given, trace);
  await refreshStep(given, trace);
}

function untried(trace: ReportSteps): void {
  trace.add('token', 'skipped', sentence('You are not signed in: token, claims and the request with them were not tested.'));
  trace.cause('token', { id: 'noToken' });
}

/** True if the request carried credentials; undefined if unknown. */
function carried({ problem, carried: known }: AskedAgent): boolean | undefined {
  const sent = problem instanceof UnauthorizedProblem ? problem.sent : undefined;
  return sent === undefined ? known : sent !== 'none';
}

/** The request with credentials that are no token of OAuth 2.0. */
export async function useCredentials({ agentUrl, ask, refresh }: ExplainedSignIn, trace: ReportSteps): Promise<void> {
  const asked = await ask(true);
  if (carried(asked) !== false) {
    useOther(agentUrl, asked, trace);
    if (refresh !== undefined) trace.add('refresh', 'skipped', sentence('Nothing was renewed: the sign-in has no token of OAuth 2.0.'));
    return;
  }
  trace.add('use', 'skipped', sentence('You are not signed in: the request with credentials was not tested.'));
  trace.cause('use', { id: 'noToken' });
}

function useOther(agentUrl: string, asked: AskedAgent, trace: ReportSteps): void {
  used(asked, agentUrl, trace, ({ sent, status }) =>
    typeof sent === 'object' ? { id: 'credentialRefused', args: [sent.names] } : { id: 'tokenRefused', args: [`HTTP ${status}`] },
  );
}

async function use(given: ExplainedSignIn, trace: ReportSteps): Promise<void> {
  used(await given.ask(true), given.agentUrl, trace, ({ status }, bearer) =>
    status === 403
      ? { id: 'forbidden' }
      : { id: 'tokenRefused', args: [bearer?.get('error_description') ?? bearer?.get('error') ?? `HTTP ${status}`] },
  );
}

/** @param causeOf why the agent refused the request */
function used(
  asked: AskedAgent,
  agentUrl: string,
  trace: ReportSteps,
  causeOf: (refused: UnauthorizedProblem, bearer: ReadonlyMap<string, string> | undefined) => FoundCause,
): void {
  const { problem, exchanges } = asked;
  if (problem === undefined || isLetThrough(asked)) {
    trace.add('use', 'ok', sentence('The agent accepts the credentials.'), {
      exchanges,
      facts: problem === undefined ? [] : [sentence('A task that does not exist was requested. {0}', problem.sentence)],
    });
    return;
  }
  trace.add('use', 'failed', problem.sentence, { exchanges });
  if (problem.code === 'sign-in-missing') {
    trace.cause('use', { id: 'noToken' });
    return;
  }
  if (!(problem instanceof UnauthorizedProblem)) {
    trace.cause('use', { id: problem instanceof ConnectionProblem ? 'unreachable' : 'otherAnswer', args: [agentUrl] });
    return;
  }
  const bearer = challengesIn(problem.challenge ?? '').find(({ parameters }) => parameters.has('error'))?.parameters;
  if (bearer?.get('error') === 'insufficient_scope') trace.cause('use', { id: 'insufficientScope', args: [bearer.get('scope') ?? '?'] });
  else trace.cause('use', causeOf(problem, bearer));
}

async function refreshStep({ refresh, trace: sent }: ExplainedSignIn, trace: ReportSteps): Promise<void> {
  if (refresh === undefined) return;
  const before = sent?.requests.length ?? 0;
  const exchanges = (): readonly SeenExchange[] => sent?.requests.slice(before) ?? [];
  try {
    await refresh();
    trace.add('refresh', 'ok', sentence('The token was renewed.'), { exchanges: exchanges() });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    trace.add('refresh', 'failed', error.sentence, { exchanges: exchanges() });
    trace.cause('refresh', { id: 'refreshRefused' });
  }
}

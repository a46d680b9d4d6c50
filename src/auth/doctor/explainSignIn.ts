import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import { sentence } from '../../protocol/problem.ts';
import { challengesIn, type Challenge } from '../oauth/challenge.ts';
import type { OAuthContext } from '../oauth/oauthFetch.ts';
import { isLetThrough, type ExplainedSignIn } from './explainedSignIn.ts';
import { clientStep, resourceMetadata, serverMetadata } from './metadataSteps.ts';
import { ReportSteps } from './reportSteps.ts';
import type { SignInReport } from './signInReport.ts';
import { tokenSteps, useCredentials } from './tokenSteps.ts';

/**
 * Goes through the handshake of a sign-in step by step: the card, the agent's answer, the metadata of agent (RFC 9728) and authorization
 * server (RFC 8414), the token and its claims, and the request with it. Rejects with what is no `Problem`.
 */
export async function explainSignIn(asked: ExplainedSignIn): Promise<SignInReport> {
  const origins = new Set<string>();
  const given = { ...asked, context: noting(asked.context, origins) };
  const { agentUrl, plan } = given;
  const trace = new ReportSteps();
  const challenges = await askWithout(given, trace);
  const step = plan.options.flatMap(({ steps }) => steps).find(({ kind }) => kind === 'oauth2' || kind === 'openIdConnect');
  if (challenges !== undefined && step !== undefined) {
    const bearer = challenges.find(({ scheme }) => /^bearer$/i.test(scheme));
    const resource = await resourceMetadata(given, step, bearer, trace);
    const server = resource === 'failed' ? undefined : await serverMetadata(given, step, resource, trace);
    if (server !== undefined) clientStep(step, server, trace);
    await tokenSteps(given, step, { resource: resource === 'failed' ? undefined : resource, server }, trace);
  } else if (challenges !== undefined) await useCredentials(given, trace);
  return { agentUrl, origins: [...origins], ...trace.result() };
}

/** Context that records the origins of the documents: their addresses come from the agent and its card. */
const noting = (context: OAuthContext, origins: Set<string>): OAuthContext => ({
  ...context,
  requireOrigin: async url => {
    await context.requireOrigin(url);
    origins.add(url.origin);
  },
});

/** The challenges of the agent; empty where it sent none, undefined where nothing else needs to be tried. */
async function askWithout({ agentUrl, card, plan, ask }: ExplainedSignIn, trace: ReportSteps): Promise<readonly Challenge[] | undefined> {
  const undefinedSchemes = (card?.securityRequirements ?? []).flatMap(({ schemes }) =>
    Object.keys(schemes).filter(name => card?.securitySchemes?.[name] === undefined),
  );
  const [unknown] = undefinedSchemes;
  if (unknown !== undefined) trace.cause('card', { id: 'unknownScheme', args: [unknown] });
  const isUnsupported = plan.options.length > 0 && plan.options.every(({ steps }) => steps.some(each => each.unsupported !== undefined));
  if (isUnsupported) trace.cause('card', { id: 'unsupportedScheme' });
  const names = plan.options.map(({ steps }) => steps.map(({ name }) => name).join(' + ')).join(', ');
  trace.add(
    'card',
    unknown !== undefined || isUnsupported ? 'failed' : 'ok',
    names === '' ? sentence('The card requires no sign-in.') : sentence('The card requires: {0}.', names),
  );
  const asked = await ask(false);
  const { problem, exchanges } = asked;
  // Over JSON-RPC all requests have one address: where that is not known, no agent is there.
  const { method, status: answered } = exchanges.at(-1) ?? {};
  const isNowhere = method === 'POST' && (answered === 404 || answered === 405);
  if (problem === undefined || (isLetThrough(asked) && !isNowhere)) {
    trace.add('request', 'ok', sentence('The agent answers requests without credentials.'), { exchanges });
    return plan.options.length === 0 ? undefined : [];
  }
  if (!(problem instanceof UnauthorizedProblem)) {
    trace.add('request', 'failed', problem.sentence, { exchanges });
    trace.cause('request', { id: problem instanceof ConnectionProblem ? 'unreachable' : 'otherAnswer', args: [agentUrl] });
    return undefined;
  }
  const { status, challenge } = problem;
  trace.add('request', 'ok', sentence('The agent refuses a request without credentials (HTTP {0}).', status), {
    exchanges,
    facts: challenge === undefined ? [] : [sentence('WWW-Authenticate: {0}', challenge)],
  });
  if (plan.options.length === 0) trace.cause('card', { id: 'noScheme' });
  if (status === 403) trace.cause('request', { id: 'forbiddenToAll' });
  else if (challenge === undefined) trace.cause('request', { id: 'noChallenge' });
  return challengesIn(challenge ?? '');
}

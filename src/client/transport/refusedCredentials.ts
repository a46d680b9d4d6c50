import type { CarriedBy, ConfiguredHeaders } from '../http/configuredHeaders.ts';
import type { CarriedCredentials, WithheldCredentials } from '../http/requestAuthentication.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { SecurityScheme } from '../../protocol/card/securityScheme.ts';
import { hint, listOf, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { UnauthorizedProblem, type ExplainedRefusal } from './agentError.ts';

/** Longest name of a scheme that is shown, in characters. */
const maxName = 60;
/** Most schemes of a card that are named. */
const maxKinds = 3;

/**
 * A refusal (HTTP 401 or 403) for people: with the credential that was refused, where one was sent.
 * @param schemes those of the card: headers of its API keys carry credentials; undefined where the card is not there
 */
export async function withSentCredentials(
  refusal: UnauthorizedProblem,
  { headers, url, schemes }: { readonly headers: ConfiguredHeaders; readonly url: URL; readonly schemes?: AgentCard['securitySchemes'] },
): Promise<UnauthorizedProblem> {
  if (refusal.sent !== undefined) return refusal;
  const declared = Object.values(schemes ?? {});
  const named = declared.flatMap(({ apiKeySecurityScheme: key }) =>
    key?.name === undefined || key.location === 'query' ? [] : [key.location === 'cookie' ? 'Cookie' : key.name],
  );
  try {
    const carried = await headers.carried(url);
    const sent = credentialsIn(carried, headers, named, schemes);
    const key = declared.find(({ apiKeySecurityScheme }) => apiKeySecurityScheme?.location === 'query')?.apiKeySecurityScheme?.name;
    const toSend =
      key !== undefined ? toGiveKey(key.slice(0, maxName)) : schemes !== undefined && declared.length === 0 ? undeclared : toSignIn;
    return sent === undefined ? refusal : explainedWith(refusal, sent, carried.withheld, toSend, declared);
  } catch (error) {
    // The credentials are gone since, such as a sign-in that could not be renewed: the refusal is all that is known.
    if (error instanceof Problem) return refusal;
    throw error;
  }
}

/** `none` where nothing of the person's is carried, undefined where headers are that are not known to be credentials. */
function credentialsIn(
  { satisfied, variables, names: own }: CarriedBy,
  { secret, templates, tls }: ConfiguredHeaders,
  named: readonly string[],
  schemes: AgentCard['securitySchemes'],
): ExplainedRefusal['sent'] | undefined {
  if (satisfied !== undefined) {
    // They are the card's, of any length.
    const names = satisfied.schemes.map(name => name.slice(0, maxName)).join(' + ');
    const [first = '', ...others] = satisfied.schemes;
    const kind = (others.length === 0 ? kindOf(schemes?.[first]) : undefined) ?? sentence('"{0}"', names);
    return variables === undefined || variables.length === 0
      ? ofSignIn(names, kind, satisfied.identity)
      : ofEnvironment(names, kind, variables.join(', '));
  }
  if (own.length === 0) return tls === undefined ? 'none' : undefined;
  const known = new Set(named.map(name => name.toLowerCase()));
  const names = own.filter(name => {
    const key = name.toLowerCase();
    return known.has(key) || secret.isCertain?.(key) === true || namesCredential(name);
  });
  return names.length === 0 ? undefined : ofHeaders(names, templates);
}

/** A credential of a scheme as people call it, rather than by the name of its member in the card; undefined where it has no such name. */
function kindOf(scheme: SecurityScheme | undefined): LocalizedMessage | undefined {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme ?? {};
  if (key !== undefined) return sentence('API key {0} ({1})', key.name.slice(0, maxName), key.location);
  if (http?.scheme.toLowerCase() === 'bearer') return sentence('bearer token');
  if (http?.scheme.toLowerCase() === 'basic') return sentence('user name and password');
  if (scheme?.oauth2SecurityScheme !== undefined) return sentence('OAuth 2.0 access token');
  return scheme?.openIdConnectSecurityScheme === undefined ? undefined : sentence('OpenID Connect access token');
}

const ofSignIn = (names: string, kind: LocalizedMessage, identity: string): CarriedCredentials => ({
  names,
  what: identity === 'default' ? kind : sentence('{0} of the sign-in "{1}"', kind, identity),
  nextStep: hint(
    sentence('Replace it: sign in again with "A2A: Sign In…".', identity),
    `Replace it with: a2a auth login URL${identity === 'default' ? '' : ' --identity {0}'}`,
  ),
});

const ofEnvironment = (names: string, kind: LocalizedMessage, variables: string): CarriedCredentials => ({
  names,
  what: sentence('{0} from {1}', kind, variables),
  nextStep: sentence('Correct the value of {0}, or see each step with: a2a auth URL', variables),
});

const ofHeaders = (names: readonly string[], templates: Readonly<Record<string, string>>): CarriedCredentials => ({
  names: names.join(', '),
  what: sentence(
    'the header {0}',
    names
      .map(name => {
        const template = templates[name.toLowerCase()];
        return template === undefined ? name : `${name} (${template})`;
      })
      .join(', '),
  ),
  nextStep: hint(
    sentence('Correct its value in the settings, or its secret with "A2A: Set Secret…"; or sign in with "A2A: Sign In…" instead.'),
    'Correct its value: in --header, in the settings, or in the environment variable that is named there. Or leave it out, and sign in with: a2a auth login URL',
  ),
});

/**
 * @param toSend the next step where no credential was sent
 * @param declared schemes of the card, which name what the answer does not
 */
function explainedWith(
  refusal: UnauthorizedProblem,
  sent: ExplainedRefusal['sent'],
  withheld: WithheldCredentials | undefined,
  toSend: LocalizedMessage,
  declared: readonly SecurityScheme[],
): UnauthorizedProblem {
  const { status, challenge, details, said } = refusal;
  const kinds = declared.slice(0, maxKinds).flatMap(scheme => kindOf(scheme) ?? []);
  const explained =
    sent === 'none' && withheld !== undefined
      ? { sent, what: sentence('The agent refuses this request ({0}). {1}', statusOf(refusal), withheld.what), nextStep: withheld.nextStep }
      : sent === 'none'
        ? {
            sent,
            ...(said.grpc === undefined && said.words === undefined && { what: status === 403 ? carriedNone : ofCard(challenge, kinds) }),
            nextStep: toSend,
          }
        : { sent, what: refusedSentence(refusal, sent), nextStep: sent.nextStep };
  const problem = new UnauthorizedProblem(status, challenge, details, said, explained);
  if (refusal.exchangeId !== undefined) problem.cameAboutIn(refusal.exchangeId, refusal.findings, refusal.address);
  problem.cameWith(...refusal.statuses);
  return problem;
}

const toGiveKey = (parameter: string): LocalizedMessage =>
  hint(
    sentence(
      'No credential was sent with this request. The agent card asks for an API key in the parameter "{0}" of the address: enter it with "A2A: Sign In…".',
      parameter,
    ),
    'No credential was sent with this request. The agent card asks for an API key in the parameter "{0}" of the address: set A2A_SECRET_KEY, or sign in with: a2a auth login URL',
  );

const toSignIn = hint(
  sentence(
    'No credential was sent with this request. Sign in with "A2A: Sign In…", or set the credentials that the agent card asks for in the agent\'s headers.',
  ),
  "No credential was sent with this request. Sign in with: a2a auth login URL. Or give the credentials that the agent card asks for with --header 'Name: value'.",
);

const undeclared = hint(
  sentence(
    'No credential was sent with this request, and the agent card declares none. Sign in with "A2A: Sign In…", or set credentials that the agent accepts in its headers.',
  ),
  "No credential was sent with this request, and the agent card declares none. Set credentials that the agent accepts with --header 'Name: value', or sign in with: a2a auth login URL",
);

const carriedNone = sentence('The agent refuses this request (HTTP 403), which carried no credentials.');

/** For an answer that names no kind of credential; undefined where it does, or the card does not either. */
const ofCard = (challenge: string | undefined, kinds: readonly LocalizedMessage[]): LocalizedMessage | undefined =>
  challenge !== undefined || kinds.length === 0
    ? undefined
    : sentence('The agent requires credentials (HTTP 401). Its card names: {0}.', listOf(kinds));

const statusOf = ({ status, said: { grpc } }: UnauthorizedProblem): string => (grpc === undefined ? `HTTP ${status}` : `gRPC ${grpc}`);

function refusedSentence(refusal: UnauthorizedProblem, { what }: CarriedCredentials): LocalizedMessage {
  const { status, challenge, said } = refusal;
  const by = statusOf(refusal);
  const words = said.words ?? (status === 401 ? challenge : undefined);
  return words === undefined || words === ''
    ? sentence('The agent refused the credential that was sent ({0}): {1}.', by, what)
    : sentence('The agent refused the credential that was sent ({0}): {1}. It answered: {2}', by, what, words);
}

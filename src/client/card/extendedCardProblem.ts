import { A2AError } from '../../protocol/errors.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { UnimplementedProblem } from '../grpc/problem.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';

interface AskedExtendedCard {
  /** The public card announces an extended one. */
  readonly declared: boolean;
  /** The request carried credentials. */
  readonly carried: boolean;
}

/** Codes of problems that keep a request from being sent, such as a secret that is not set: their own sentences name what is missing. */
const unsent = /^(?:sign-in|secret|variable|folder)-/;

/** The plain reason why there is no extended card for somebody, with what they can do. */
export function extendedCardProblem(error: Problem, asked: AskedExtendedCard): Problem {
  if (unsent.test(error.code)) return error;
  const { why, nextStep = error.nextStep } = reasonOf(error, asked);
  return new Problem('no-extended-card', why, { cause: error, nextStep, ...(error.details !== undefined && { details: error.details }) });
}

interface Reason {
  readonly why: LocalizedMessage;
  /** By default, that of the error. */
  readonly nextStep?: LocalizedMessage;
}

const unconfigured = ['ExtendedAgentCardNotConfiguredError', 'AuthenticatedExtendedCardNotConfiguredError'];
/** TaskNotFoundError: what HTTP 404 with a message means for any other request over HTTP+JSON. */
const unsupported = ['UnsupportedOperationError', 'MethodNotFoundError', 'TaskNotFoundError'];

const signIn = hint(
  sentence('Sign in with "A2A: Sign In…".'),
  "Sign in with: a2a auth login URL. Or give credentials with --header 'Name: value'.",
);
const otherPerson = hint(
  sentence('Sign in with "A2A: Sign In…" as someone who may see it.'),
  'Sign in as somebody who may see it, with: a2a auth login URL --identity NAME',
);

function reasonOf(error: Problem, { declared, carried }: AskedExtendedCard): Reason {
  if (error instanceof UnauthorizedProblem) {
    const { status, sent } = error;
    if (sent === 'none' || !carried)
      return { why: sentence('The agent returns its extended card only to signed-in callers (HTTP {0}).', status), nextStep: signIn };
    if (status === 403)
      return { why: sentence('The agent does not return its extended card for these credentials (HTTP 403).'), nextStep: otherPerson };
    return sent === undefined
      ? { why: sentence('The agent requires other credentials for its extended card (HTTP 401).') }
      : { why: sentence('The agent refused the credential that was sent for its extended card (HTTP 401): {0}.', sent.what) };
  }
  if (error instanceof A2AError) {
    const { meaning = '', sent } = error;
    const how = typeof sent === 'number' ? sentence('error {0}', sent) : sent;
    if (unconfigured.includes(meaning)) return withoutOne(sentence('The agent has no extended card ({0}).', how), declared);
    if (unsupported.includes(meaning)) return withoutOne(sentence('The agent does not support extended cards ({0}).', how), declared);
    if (meaning === 'AuthenticationRequiredError')
      return carried
        ? { why: sentence('The agent requires other credentials for its extended card ({0}).', how), nextStep: otherPerson }
        : {
            why: sentence('The agent returns its extended card only to signed-in callers ({0}).', how),
            nextStep: signIn,
          };
  }
  if (error instanceof UnimplementedProblem) return withoutOne(sentence('The agent does not support extended cards over gRPC.'), declared);
  if (error.code === 'operation-not-in-version') return { why: error.sentence };
  if (error.code === 'http-error' || error.code === 'html-instead-of-json')
    return withoutOne(sentence('The agent has no extended card at this address: {0}', error.sentence), declared);
  return { why: sentence('The extended card could not be read: {0}', error.sentence) };
}

const withoutOne = (why: LocalizedMessage, declared: boolean): Reason => ({
  why,
  nextStep: declared
    ? sentence("The public card says that there is one: the agent's operator must correct one of the two.")
    : hint(
        sentence('The public card does not declare one, either; requests follow the public card.'),
        'The public card does not declare one, either. See the public card with: a2a card URL',
      ),
});

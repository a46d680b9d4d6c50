import { A2AError } from '../../protocol/errors.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { UnimplementedProblem } from '../grpc/problem.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';

/** The plain reason why there is no extended card for somebody. */
export function extendedCardProblem(error: Problem): Problem {
  return new Problem('no-extended-card', reasonOf(error), { cause: error, ...(error.details !== undefined && { details: error.details }) });
}

const unconfigured = ['ExtendedAgentCardNotConfiguredError', 'AuthenticatedExtendedCardNotConfiguredError'];
/** TaskNotFoundError: what HTTP 404 with a message means for any other request over HTTP+JSON. */
const unsupported = ['UnsupportedOperationError', 'MethodNotFoundError', 'TaskNotFoundError'];

function reasonOf(error: Problem): LocalizedMessage {
  if (error instanceof UnauthorizedProblem)
    return error.status === 403
      ? sentence('The agent does not give its extended card to these credentials (HTTP 403).')
      : sentence('The agent wants other credentials for its extended card (HTTP 401).');
  if (error instanceof A2AError) {
    const { meaning = '', rpcCode } = error;
    if (unconfigured.includes(meaning)) return sentence('The agent has no extended card (error {0}).', rpcCode);
    if (unsupported.includes(meaning)) return sentence('The agent does not support extended cards (error {0}).', rpcCode);
    if (meaning === 'AuthenticationRequiredError')
      return sentence('The agent wants other credentials for its extended card (error {0}).', rpcCode);
  }
  if (error instanceof UnimplementedProblem) return sentence('The agent does not support extended cards over gRPC.');
  if (error.code === 'http-error' || error.code === 'html-instead-of-json')
    return sentence('The agent has no extended card at this address: {0}', error.sentence);
  return sentence('The extended card could not be read: {0}', error.sentence);
}

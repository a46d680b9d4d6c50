import type { AgentCard } from '../protocol/card/agentCard.ts';
import { operationPath } from '../protocol/card/operationPath.ts';
import { isSend, type Operation } from '../protocol/message/operations.ts';
import { A2AError, isTaskNotFound, supportedVersions } from '../protocol/errors.ts';
import { findingOf, type Finding } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import { mendedByCard } from '../protocol/mendedByCard.ts';
import { hint, sentence, type LocalizedMessage, Problem } from '../protocol/problem.ts';
import { withoutStream } from '../protocol/mendedWithoutStream.ts';
import { isValidExtensionUri } from '../protocol/card/extensionUri.ts';
import type { ChosenInterface } from './interfaces/agentInterface.ts';

/** Request that failed; without an operation where any body was sent. */
export interface Requested {
  readonly operation?: Operation | undefined;
  readonly sent?: unknown;
}

/** Most extensions that are named. */
const maxNamed = 5;

/**
 * Adds the card's part in an error to its next step: the address that it may lie in, or the extensions that the card requires. What does not
 * fit the request is said to be so.
 * @param asked URIs of the extensions of the request
 */
export function adviseOfCard(
  error: Problem,
  { address, interface: { url, protocolVersion } }: ChosenInterface,
  card: AgentCard,
  asked: readonly string[],
  requested: Requested,
): void {
  const missing = error instanceof A2AError && error.errorName === 'ExtensionSupportRequiredError' ? requiredBy(card, asked) : [];
  if (missing.length > 0) return error.advise(toAskFor(missing));
  if (error instanceof A2AError && error.errorName === 'VersionNotSupportedError' && card.supportedInterfaces.length === 1)
    return error.advise(versionOfOne(protocolVersion, supportedVersions(error.data)));
  if (refusesToStream(error, card, requested)) return error.advise(withoutStream(address));
  if (isTaskNotFound(error) && isNewMessage(requested))
    return error.advise(sentence("The message names no task, so this error does not fit it. Look at the agent's own log at this time."));
  const operation = error.code === 'http-error' ? operationPath.exec(new URL(url).pathname) : null;
  const advice =
    operation === null
      ? mendedByCard(error)
        ? address
        : undefined
      : sentence('{0} It ends with /{1}, the path of one operation, and is not that of an interface.', address, operation[2]!);
  if (advice !== undefined) error.advise(error.nextStep === undefined ? advice : sentence('{0} {1}', advice, error.nextStep));
}

/** The message of a request. */
function messageIn(sent: unknown): Readonly<Record<string, unknown>> | undefined {
  const message = isObject(sent) ? sent['message'] : undefined;
  return isObject(message) ? message : undefined;
}

/** True for a message that names no task, neither as its own nor as a reference. */
function isNewMessage({ operation, sent }: Requested): boolean {
  const message = operation !== undefined && isSend(operation) ? messageIn(sent) : undefined;
  return message !== undefined && message['taskId'] === undefined && message['referenceTaskIds'] === undefined;
}

/**
 * True where SendStreamingMessage failed so that the agent does not have it, although its card promises streaming. UnsupportedOperationError
 * may also mean that the state of a task takes no message.
 */
function refusesToStream(error: unknown, { capabilities }: AgentCard, { operation, sent }: Requested): boolean {
  if (operation !== 'SendStreamingMessage' || capabilities.streaming !== true || !(error instanceof Problem)) return false;
  const isToTask = messageIn(sent)?.['taskId'] !== undefined;
  return error instanceof A2AError
    ? ['MethodNotFoundError', 'StreamingNotSupportedError', ...(isToTask ? [] : ['UnsupportedOperationError'])].includes(
        error.meaning ?? '',
      )
    : error.code === 'http-error' && error.statuses.some(status => [404, 405, 501].includes(Number(status)));
}

/** The finding that a card promises streaming and the agent refuses it. */
export const brokenPromise = (error: unknown, { version }: ChosenInterface, card: AgentCard, requested: Requested): Finding | undefined =>
  refusesToStream(error, card, requested)
    ? findingOf(
        'STRM-01',
        '',
        sentence('The card promises streaming, but {0} was refused.', version.methods.SendStreamingMessage ?? 'SendStreamingMessage'),
      )
    : undefined;

const requiredBy = ({ capabilities: { extensions = [] } }: AgentCard, asked: readonly string[]): readonly string[] =>
  extensions
    .filter(({ uri, required }) => required === true && isValidExtensionUri(uri) && !asked.includes(uri))
    .map(({ uri }) => uri)
    .slice(0, maxNamed);

/** The next step where an agent refuses the version of its card's only interface. @param supported versions that the agent reports */
const versionOfOne = (declared: string, supported: readonly string[]): LocalizedMessage =>
  supported.length === 0
    ? sentence('The card has no other interface. Correct its version, or let the agent accept A2A {0}.', declared)
    : sentence('The agent reports that it supports {0}, and its card has no other interface. Correct the card.', supported.join(', '));

const toAskFor = (uris: readonly string[]): LocalizedMessage =>
  hint(
    sentence(
      'The agent card requires {0}. Turn it on with "Choose Extensions" or in the agent\'s setting "extensions", and send again.',
      uris.join(', '),
    ),
    'The agent card requires {0}. Ask for it with --extension and its URI.',
  );

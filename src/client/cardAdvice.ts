import type { AgentCard } from '../protocol/card/agentCard.ts';
import { operationPath } from '../protocol/card/operationPath.ts';
import type { Operation } from '../protocol/message/operations.ts';
import { A2AError } from '../protocol/errors.ts';
import { mendedByCard } from '../protocol/mendedByCard.ts';
import { hint, sentence, type LocalizedMessage, type Problem } from '../protocol/problem.ts';
import { isValidExtensionUri } from '../protocol/card/extensionUri.ts';
import type { ChosenInterface } from './interfaces/agentInterface.ts';

/** Most extensions that are named. */
const maxNamed = 5;

/**
 * Adds the card's part in an error to its next step: the address that it may lie in, or the extensions that the card requires.
 * @param asked URIs of the extensions of the request
 * @param request the operation that failed
 */
export function adviseOfCard(
  error: Problem,
  { address, interface: { url } }: ChosenInterface,
  card: AgentCard,
  asked: readonly string[],
  request?: Operation,
): void {
  const missing = error instanceof A2AError && error.errorName === 'ExtensionSupportRequiredError' ? requiredBy(card, asked) : [];
  if (missing.length > 0) return error.advise(toAskFor(missing));
  const isMissing = error.code === 'http-error' && error.statuses.some(status => [404, 405, 501].includes(Number(status)));
  if (isMissing && request === 'SendStreamingMessage' && card.capabilities.streaming === true)
    return error.advise(toSendOtherwise(address));
  const operation = error.code === 'http-error' ? operationPath.exec(new URL(url).pathname) : null;
  const advice =
    operation === null
      ? mendedByCard(error)
        ? address
        : undefined
      : sentence('{0} It ends with /{1}, the path of one operation, and is not that of an interface.', address, operation[2]!);
  if (advice !== undefined) error.advise(error.nextStep === undefined ? advice : sentence('{0} {1}', advice, error.nextStep));
}

const toSendOtherwise = (address: LocalizedMessage): LocalizedMessage =>
  hint(
    sentence(
      '{0} The card promises streaming, but SendStreamingMessage was refused. Send without a stream: if that is refused as well, check that this address leads to the agent itself.',
      address,
    ),
    '{0} The card promises streaming, but SendStreamingMessage was refused. Send without --stream, in a request file with SendMessage: if that is refused as well, check that this address leads to the agent itself.',
  );

const requiredBy = ({ capabilities: { extensions = [] } }: AgentCard, asked: readonly string[]): readonly string[] =>
  extensions
    .filter(({ uri, required }) => required === true && isValidExtensionUri(uri) && !asked.includes(uri))
    .map(({ uri }) => uri)
    .slice(0, maxNamed);

const toAskFor = (uris: readonly string[]): LocalizedMessage =>
  hint(
    sentence(
      'The agent card requires {0}. Turn it on with "Choose Extensions" or in the agent\'s setting "extensions", and send again.',
      uris.join(', '),
    ),
    'The agent card requires {0}. Ask for it with --extension and its URI.',
  );

import type { AgentCard } from '../protocol/card/agentCard.ts';
import { operationPath } from '../protocol/card/operationPath.ts';
import { A2AError } from '../protocol/errors.ts';
import { mendedByCard } from '../protocol/mendedByCard.ts';
import { hint, sentence, type LocalizedMessage, type Problem } from '../protocol/problem.ts';
import { isValidExtensionUri } from '../protocol/card/extensionUri.ts';
import type { ChosenInterface } from './interfaces/agentInterface.ts';

/** Most extensions that are named. */
const maxNamed = 5;

/**
 * Says first what the card has to do with an error: the address that it may lie in, or the extensions that the card requires.
 * @param asked URIs of the extensions that the request asked for
 */
export function adviseOfCard(
  error: Problem,
  { address, interface: { url } }: ChosenInterface,
  card: AgentCard,
  asked: readonly string[],
): void {
  const missing = error instanceof A2AError && error.errorName === 'ExtensionSupportRequiredError' ? requiredBy(card, asked) : [];
  if (missing.length > 0) return error.advise(toAskFor(missing));
  const operation = error.code === 'http-error' ? operationPath.exec(new URL(url).pathname) : null;
  const told =
    operation === null
      ? mendedByCard(error)
        ? address
        : undefined
      : sentence('{0} It ends with /{1}, the path of one operation, and is not that of an interface.', address, operation[2]!);
  if (told !== undefined) error.advise(error.nextStep === undefined ? told : sentence('{0} {1}', told, error.nextStep));
}

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

import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isOfPushNotifications, isStreaming } from '../../protocol/message/operations.ts';
import { listOf, sentence } from '../../protocol/problem.ts';
import { closestMatch, maxSuggestions } from '../../protocol/closestMatch.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { isOfMediaType } from '../expect/artifacts.ts';
import { memberOf, rangeOf } from '../text/jsonNode.ts';
import { extendedCard, type RequestOperation } from '../text/methods.ts';
import { partsOf } from '../file/olderShapes.ts';
import { agentsOf } from '../file/matrix.ts';
import type { RequestEntry } from '../file/requestEntry.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { readTemplate } from '../template/template.ts';
import { mediaTypesFor } from './cardValues.ts';
import { agentNamed, textOfValue, type KnownAgent, type LanguageContext } from './languageContext.ts';

interface Known extends LanguageContext {
  /** The name of an agent that is like this one. */
  readonly like: (name: string) => string | undefined;
}
type Check = (entry: RequestEntry, agent: KnownAgent | undefined, world: Known) => Iterable<RequestProblem>;

/** Checks that need to know agents. */
const checks: readonly Check[] = [unknownAgent, unofferedMethod, olderMethod, unofferedMediaTypes];

/** The problems of a file, including what its agents do not accept according to their cards; in text order. */
export function problemsInContext(file: RequestFile, world: LanguageContext): readonly RequestProblem[] {
  const found: RequestProblem[] = [];
  const compared = new Map<string, string | undefined>();
  const names = world.agents.map(({ name }) => name);
  const like = (name: string): string | undefined => {
    if (!compared.has(name) && compared.size < maxSuggestions) compared.set(name, closestMatch(name, names));
    return compared.get(name);
  };
  for (const entry of file.requests) {
    const agent = agentNamed(world, entry.agent?.value);
    for (const check of checks) for (const problem of check(entry, agent, { ...world, like })) found.push(problem);
  }
  // A problem in what the file sets for all its requests is reported once.
  const seen = new Set<string>();
  const unique = found.filter(({ code, range }) => !seen.has(`${code} ${range.offset}`) && seen.add(`${code} ${range.offset}`));
  return [...file.problems, ...unique].sort((one, other) => one.range.offset - other.range.offset);
}

const hasTemplate = (text: string): boolean => readTemplate(text).some(({ kind }) => kind === 'expression');
const looksLikeAddress = (text: string): boolean => /^(?:https?|grpcs?):\/\/|^[\w.-]+:\d+(\/|$)/i.test(text);

function* unknownAgent(entry: RequestEntry, _first: KnownAgent | undefined, world: Known): Iterable<RequestProblem> {
  // One that a defaults file names is a problem of that file.
  for (const written of agentsOf(entry)) {
    if (written === entry.agent && entry.agent.from !== undefined) continue;
    if (agentNamed(world, written.value) !== undefined || hasTemplate(written.value)) continue;
    const wrong = wrongScheme(written.value);
    if (wrong !== undefined) {
      yield warningAt('wrong-scheme', written.range, sentence('{0} {1}', wrong.sentence, wrong.nextStep));
    } else if (world.agents.length > 0 && !looksLikeAddress(written.value)) {
      const like = world.like(written.value);
      yield warningAt(
        'unknown-agent',
        written.range,
        like === undefined
          ? sentence('No agent named "{0}".', written.value)
          : sentence('No agent named "{0}". Did you mean "{1}"?', written.value, like),
      );
    }
  }
}

function* unofferedMethod({ method, operation }: RequestEntry, agent: KnownAgent | undefined): Iterable<RequestProblem> {
  if (method === undefined || operation === undefined || isOffered(operation, agent?.card)) return;
  yield warningAt(
    'unoffered-method',
    method.range,
    sentence('According to its card, {0} does not stream, so it has no {1}.', agent?.name ?? '', operation),
  );
}

function* olderMethod({ method, operation }: RequestEntry): Iterable<RequestProblem> {
  if (method === undefined || operation === undefined || method.value === operation) return;
  yield {
    code: 'older-method',
    range: method.range,
    severity: 'information',
    sentence: sentence('"{0}" is an older name of {1}.', method.value, operation),
  };
}

function* unofferedMediaTypes(entry: RequestEntry, agent: KnownAgent | undefined): Iterable<RequestProblem> {
  const taken = mediaTypesFor(agent?.card, 'input').map(({ value }) => value);
  if (taken.length === 0) return;
  for (const part of partsOf(entry)) {
    const written = memberOf(part, 'mediaType')?.value;
    if (written?.type !== 'string' || hasTemplate(String(written.value))) continue;
    const sent = textOfValue(String(written.value));
    if (taken.some(one => one === '*/*' || isOfMediaType(sent, one))) continue;
    yield warningAt(
      'unoffered-media-type',
      rangeOf(written),
      sentence('According to its card, {0} does not accept {1}. It accepts: {2}.', agent?.name ?? '', sent, listOf(taken)),
    );
  }
}

/**
 * True if an agent offers an operation according to its card (A2A 1.0 §3.1): streaming needs `capabilities.streaming`, push notifications
 * `capabilities.pushNotifications`, the extended card `capabilities.extendedAgentCard`. True where the card is unknown.
 */
function isOffered(operation: RequestOperation, card: AgentCard | undefined): boolean {
  if (card === undefined) return true;
  const { streaming, pushNotifications, extendedAgentCard } = card.capabilities;
  if (operation === extendedCard) return extendedAgentCard === true;
  return isOfPushNotifications(operation) ? pushNotifications === true : streaming === true || !isStreaming(operation);
}

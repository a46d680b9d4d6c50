import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { CardView } from '../host/cardMessages.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(item => typeof item === 'string');
const haveTexts = (value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isObject(value) && names.every(name => typeof value[name] === 'string');
const maybe = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

/** Validates a message of the host; undefined where it is not a `CardView`. */
export function readCardView(data: unknown): CardView | undefined {
  if (
    !isObject(data) ||
    !isObject(data['strings']) ||
    !Object.values(data['strings']).every(text => typeof text === 'string') ||
    typeof data['current'] !== 'boolean' ||
    typeof data['uri'] !== 'string' ||
    !maybe(data['problems'], list => Array.isArray(list) && list.every(isProblem)) ||
    !maybe(data['missing'], isTexts) ||
    !maybe(data['schemes'], isTexts) ||
    !maybe(data['signatures'], list => Array.isArray(list) && list.every(isSignature))
  )
    return undefined;
  if (data['card'] !== undefined && !isCard(data['card'])) return undefined;
  return data as unknown as CardView;
}

/** Checks only the members that the page uses. */
function isCard(value: unknown): value is AgentCard {
  return (
    haveTexts(value, ['name', 'description', 'version']) &&
    Array.isArray(value['supportedInterfaces']) &&
    value['supportedInterfaces'].every(each => haveTexts(each, ['url', 'protocolBinding', 'protocolVersion'])) &&
    Array.isArray(value['skills']) &&
    value['skills'].every(isSkill) &&
    isObject(value['capabilities']) &&
    maybe(value['capabilities']['extensions'], list => Array.isArray(list) && list.every(each => haveTexts(each, ['uri']))) &&
    isTexts(value['defaultInputModes']) &&
    isTexts(value['defaultOutputModes']) &&
    maybe(value['provider'], provider => haveTexts(provider, ['organization', 'url'])) &&
    maybe(value['documentationUrl'], url => typeof url === 'string') &&
    maybe(value['securitySchemes'], schemes => isObject(schemes) && Object.values(schemes).every(isObject)) &&
    maybe(
      value['securityRequirements'],
      list =>
        Array.isArray(list) &&
        list.every(each => isObject(each) && isObject(each['schemes']) && Object.values(each['schemes']).every(isObject)),
    )
  );
}

const isProblem = (value: unknown): boolean =>
  haveTexts(value, ['text']) &&
  ['error', 'warning', 'information'].includes(String(value['severity'])) &&
  typeof value['offset'] === 'number';

const isSignature = (value: unknown): boolean =>
  haveTexts(value, ['text']) &&
  ['good', 'warning', 'bad', 'unknown'].includes(String(value['kind'])) &&
  isTexts(value['notes']) &&
  typeof value['canTrust'] === 'boolean';

const isSkill = (value: unknown): boolean =>
  haveTexts(value, ['id', 'name', 'description']) &&
  isTexts(value['tags']) &&
  ['examples', 'inputModes', 'outputModes'].every(name => maybe(value[name], isTexts));

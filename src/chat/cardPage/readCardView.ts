import type { AgentCard } from '../../protocol/agentCard.ts';
import type { CardView } from '../cardMessages.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(item => typeof item === 'string');

/** Reads what the host says; undefined for anything that is none of the contract. */
export function readCardView(data: unknown): CardView | undefined {
  if (!isObject(data) || !isObject(data['strings']) || typeof data['current'] !== 'boolean' || typeof data['uri'] !== 'string') return undefined;
  if (data['card'] !== undefined && !isCard(data['card'])) return undefined;
  return data as unknown as CardView;
}

/** As deep as the page relies on it. */
function isCard(value: unknown): value is AgentCard {
  return isObject(value) && [value['name'], value['description'], value['version']].every(text => typeof text === 'string')
    && Array.isArray(value['supportedInterfaces']) && value['supportedInterfaces'].every(isObject)
    && Array.isArray(value['skills']) && value['skills'].every(skill => isObject(skill) && isTexts(skill['tags']))
    && isObject(value['capabilities']) && isTexts(value['defaultInputModes']) && isTexts(value['defaultOutputModes']);
}

import { isObject } from '../protocol/json.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { OtherMethod, ResponseFormat } from './binding.ts';
import type { Step } from './script.ts';

/** Answers webhook and extended-card requests: this agent does not support webhooks, and its extended card is its card. */
export function otherTurn(otherMethod: OtherMethod, format: ResponseFormat, card: unknown, form: Version): readonly Step[] {
  if (otherMethod === 'push') return [{ error: { code: -32003, message: 'Push notifications are not supported' } }];
  if (hasExtendedCard(card)) return [{ json: format.result(card) }];
  // A2A 1.0 §3.1.11; 0.3 §7.10 has one error code for both.
  return form.header === undefined
    ? [{ error: { code: -32007, message: 'The agent has no authenticated extended card' } }]
    : [{ error: { code: -32004, message: 'The agent has no extended card' } }];
}

function hasExtendedCard(card: unknown): boolean {
  if (!isObject(card)) return false;
  const { capabilities } = card;
  return card['supportsAuthenticatedExtendedCard'] === true || (isObject(capabilities) && capabilities['extendedAgentCard'] === true);
}

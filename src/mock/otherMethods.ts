import { isObject } from '../protocol/json.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { ResponseFormat } from './binding.ts';
import type { Step } from './script.ts';

/** Answers requests for the extended card, which is the agent's card. */
export function otherTurn(format: ResponseFormat, card: unknown, form: Version): readonly Step[] {
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

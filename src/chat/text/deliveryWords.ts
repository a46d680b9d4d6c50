import type { MessageEntry } from '../../protocol/message/transcript.ts';
import { localized, t } from './strings.ts';

/** Delivery of a message of the person's, in words. */
export function deliveryWords({ delivery, outcome }: Pick<MessageEntry, 'delivery' | 'outcome'>): string {
  if (outcome !== undefined) return localized(outcome);
  switch (delivery) {
    case 'sending':
      return t('Sending…');
    case 'refused':
      return t('Failed');
    case 'unknown':
      return t('The connection broke: the agent may or may not have it');
    default:
      return t('Sent');
  }
}

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
      return t('Connection lost; it may have arrived');
    default:
      return t('Sent');
  }
}

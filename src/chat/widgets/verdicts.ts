import type { ShownVersion } from '../host/chatState.ts';
import { t } from '../text/strings.ts';

/** The word for a person's verdict on a version, in the display language. */
export const verdictWord = (verdict: NonNullable<ShownVersion['verdict']>): string =>
  verdict === 'accepted' ? t('accepted') : t('rejected by you');

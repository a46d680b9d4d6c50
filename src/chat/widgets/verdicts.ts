import type { ShownVersion } from '../host/messages.ts';
import { t } from '../text/strings.ts';

/** The word for what the person thinks of a version, in the language of the workbench. */
export const verdictWord = (verdict: NonNullable<ShownVersion['verdict']>): string =>
  verdict === 'accepted' ? t('accepted') : t('rejected by you');

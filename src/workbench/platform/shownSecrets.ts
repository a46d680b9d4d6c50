import { SecretValues } from '../../protocol/secrets/secretValues.ts';

/** Secret values that requests of this window have used, and headers of its settings: notifications, titles, tests and the log show none of them. */
export const shownSecrets = new SecretValues();

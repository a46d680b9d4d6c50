import { SecretValues } from '../../protocol/secrets/secretValues.ts';

/** Secret values that requests of this window used, and headers of its settings: masked in notifications, titles, tests and the log. */
export const secretsToMask = new SecretValues();

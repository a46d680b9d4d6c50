import type { SendMessageParams } from '../../message/operations.ts';
import { withoutUndefined } from './fields.ts';
import { writePushNotificationConfig } from './writePushNotifications.ts';

type Configuration = NonNullable<SendMessageParams['configuration']>;

/** The configuration of a send before 1.0: `blocking` is the opposite of `returnImmediately` (A2A 1.0 App. A, 0.3 §7.1.1). */
export function writeConfiguration({
  acceptedOutputModes,
  historyLength,
  returnImmediately,
  taskPushNotificationConfig: config,
}: Configuration): {
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  readonly blocking?: boolean;
  readonly pushNotificationConfig?: Readonly<Record<string, unknown>>;
} {
  return withoutUndefined({
    acceptedOutputModes,
    historyLength,
    blocking: returnImmediately === undefined ? undefined : !returnImmediately,
    pushNotificationConfig: config && writePushNotificationConfig(config),
  });
}

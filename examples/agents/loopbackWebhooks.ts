import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { InMemoryPushNotificationStore, type ServerCallContext } from '@a2a-js/sdk/server';

/** Where the sample agents notify of their tasks: on this machine alone, as they are reached. */
export class LoopbackWebhooks extends InMemoryPushNotificationStore {
  override async save(taskId: string, context: ServerCallContext, config: TaskPushNotificationConfig): Promise<void> {
    const { protocol, hostname } = URL.canParse(config.url) ? new URL(config.url) : { protocol: '', hostname: '' };
    if (!/^https?:$/.test(protocol) || !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
      throw new UnsupportedOperationError('The sample agents notify this machine alone: give an address on 127.0.0.1.');
    await super.save(taskId, context, config);
  }
}

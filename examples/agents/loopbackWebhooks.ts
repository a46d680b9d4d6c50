import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { InMemoryPushNotificationStore, type ServerCallContext } from '@a2a-js/sdk/server';

/** Of one task. */
const maxWebhooks = 20;
/** Longest configuration as JSON, in UTF-16 code units. */
const maxLength = 16_384;

/** Where the sample agents notify of their tasks: on this machine alone, as they are reached. */
export class LoopbackWebhooks extends InMemoryPushNotificationStore {
  override async save(taskId: string, context: ServerCallContext, config: TaskPushNotificationConfig): Promise<void> {
    const { protocol, hostname } = URL.canParse(config.url) ? new URL(config.url) : { protocol: '', hostname: '' };
    if (!/^https?:$/.test(protocol) || !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
      throw new UnsupportedOperationError('The sample agents notify this machine alone: give an address on 127.0.0.1.');
    const known = await this.load(taskId, context);
    if (JSON.stringify(config).length > maxLength || (known.length >= maxWebhooks && !known.some(({ id }) => id === config.id)))
      throw new UnsupportedOperationError(`A task has at most ${maxWebhooks} webhooks, each of at most ${maxLength} characters.`);
    await super.save(taskId, context, config);
  }

  /** Forgets the webhooks of a task. */
  async deleteAll(taskId: string, context: ServerCallContext): Promise<void> {
    for (const { id } of await this.load(taskId, context)) await this.delete(taskId, context, id);
  }
}

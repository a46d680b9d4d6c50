import type { AgentCard, Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { createLegacyAwarePushNotificationSender } from '@a2a-js/sdk/compat/v0_3/server';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import type { SampleExecutor } from './executor.ts';
import { LoopbackWebhooks } from './loopbackWebhooks.ts';
import { RecentTasks } from './recentTasks.ts';

/**
 * The SDK's request handler, except that a task at work takes no second message. The SDK would run both turns on
 * one bus, and the second turn's Task event then breaks the first one's stream ("Stream ordering violation").
 */
export class SampleRequestHandler extends DefaultRequestHandler {
  readonly #executor: SampleExecutor;

  constructor(card: AgentCard, executor: SampleExecutor) {
    const webhooks = new LoopbackWebhooks();
    const tasks = new RecentTasks((id, context) => webhooks.deleteAll(id, context));
    super(card, tasks, executor, undefined, webhooks, createLegacyAwarePushNotificationSender(webhooks));
    this.#executor = executor;
  }

  override async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    this.#refuseBusy(params);
    return super.sendMessage(params, context);
  }

  override async *sendMessageStream(params: SendMessageRequest, context: ServerCallContext): AsyncGenerator<StreamResponse, void, undefined> {
    this.#refuseBusy(params);
    yield* super.sendMessageStream(params, context);
  }

  #refuseBusy(params: SendMessageRequest): void {
    const taskId = params.message?.taskId;
    if (taskId === undefined || !this.#executor.isRunning(taskId)) return;
    throw new UnsupportedOperationError(`Task ${taskId} is at work. Wait until it ends or asks for something, or cancel it.`);
  }
}

import * as assert from 'node:assert/strict';
import type { Delivery } from '../../../src/receiver/delivery.ts';
import { NotificationReceiver } from '../../../src/receiver/notificationReceiver.ts';
import type { ReceiverLimits } from '../../../src/receiver/receiverLimits.ts';

/** A receiver that listens, and all it heard. */
export interface OpenReceiver {
  readonly receiver: NotificationReceiver;
  readonly deliveries: readonly Delivery[];
  readonly refusals: readonly string[];
}

export async function openReceiver(limits: Partial<ReceiverLimits> = {}): Promise<OpenReceiver> {
  const deliveries: Delivery[] = [];
  const refusals: string[] = [];
  const receiver = new NotificationReceiver({
    limits,
    onDelivery: delivery => deliveries.push(delivery),
    onRefusal: reason => refusals.push(reason),
    onError: error => assert.fail(error as Error),
  });
  await receiver.start();
  return { receiver, deliveries, refusals };
}

/** A notification of 1.0 about a task. */
export const update = (taskId: string, text: string, state = 'TASK_STATE_WORKING'): string =>
  JSON.stringify({
    statusUpdate: {
      taskId,
      contextId: 'c',
      status: { state, message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] }, timestamp: '2026-01-02T03:04:05.678Z' },
    },
  });

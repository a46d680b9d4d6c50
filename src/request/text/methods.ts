import * as z from 'zod';
import { operationParams, operations, type Operation, type OperationParams } from '../../protocol/message/operations.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

interface MethodFacts {
  readonly description: LocalizedMessage;
  /** Names in earlier versions and drafts (A2A 0.3 §7, 0.1 §7). */
  readonly olderNames: readonly string[];
}

/** Asks for the card that the agent has for those who are signed in (A2A 1.0 §3.1.11). Its answer is no task, and it is sent in other ways than the other operations. */
export const extendedCard = 'GetExtendedAgentCard';

/** The operations that a request can have. */
export type RequestOperation = Operation | typeof extendedCard;
export const requestOperations: readonly RequestOperation[] = [...operations, extendedCard];

/** The parameters of each, in 1.0 shape. */
export const requestParams = {
  ...operationParams,
  [extendedCard]: operationParams.ListTasks.pick({ tenant: true }),
} as const satisfies Record<RequestOperation, z.ZodObject>;
export type RequestParams = OperationParams & { readonly [extendedCard]: { readonly tenant?: string | undefined } };

export const methods: Readonly<Record<RequestOperation, MethodFacts>> = {
  SendMessage: {
    description: sentence('Sends a message and waits for the whole answer.'),
    olderNames: ['message/send', 'message.send', 'tasks/send'],
  },
  SendStreamingMessage: {
    description: sentence('Sends a message and follows the answer as it streams in.'),
    olderNames: ['message/stream', 'message.stream', 'tasks/sendSubscribe'],
  },
  GetTask: { description: sentence('Reads a task as it is now.'), olderNames: ['tasks/get'] },
  ListTasks: { description: sentence('Lists tasks, newest first, a page at a time.'), olderNames: ['tasks/list'] },
  CancelTask: { description: sentence('Asks the agent to stop a task.'), olderNames: ['tasks/cancel'] },
  SubscribeToTask: { description: sentence('Follows a task that is running.'), olderNames: ['tasks/resubscribe'] },
  CreateTaskPushNotificationConfig: {
    description: sentence("Asks the agent to send a task's updates to an address."),
    olderNames: ['tasks/pushNotificationConfig/set', 'tasks/pushNotification/set'],
  },
  GetTaskPushNotificationConfig: {
    description: sentence('Reads a push notification configuration of a task.'),
    olderNames: ['tasks/pushNotificationConfig/get', 'tasks/pushNotification/get'],
  },
  ListTaskPushNotificationConfigs: {
    description: sentence("Lists the addresses to which the agent sends a task's updates."),
    olderNames: ['ListTaskPushNotificationConfig', 'tasks/pushNotificationConfig/list'],
  },
  DeleteTaskPushNotificationConfig: {
    description: sentence("Asks the agent to stop sending a task's updates to an address."),
    olderNames: ['tasks/pushNotificationConfig/delete'],
  },
  [extendedCard]: {
    description: sentence("Reads the agent's card for signed-in callers."),
    olderNames: ['agent/getAuthenticatedExtendedCard'],
  },
};

const byName = new Map<string, RequestOperation>(
  requestOperations.flatMap(operation => [operation, ...methods[operation].olderNames].map(name => [name, operation] as const)),
);

/** The operation of a method in any protocol version. */
export function operationOf(method: string): RequestOperation | undefined {
  return byName.get(method);
}

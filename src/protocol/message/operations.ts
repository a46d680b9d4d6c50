import * as z from 'zod';
import type { ExactNumber } from '../exactNumber.ts';
import { Message } from './message.ts';
import {
  PushNotificationConfig,
  TaskPushNotificationConfig,
  type ListTaskPushNotificationConfigsResponse,
} from './pushNotificationConfig.ts';
import { TaskState } from './taskState.ts';
import type { SendMessageResponse } from './streamResponse.ts';
import type { Task } from './task.ts';

const tenant = z.string().meta({ description: 'Tenant, as the chosen interface of the card states it.' }).optional();
const historyLength = z
  .int()
  .min(0)
  .meta({ description: 'At most this many of the most recent messages of the history; 0 asks for none.' })
  .optional();
const metadata = z.record(z.string(), z.unknown()).meta({ description: 'Extra data about the request.' }).optional();

export const SendMessageConfiguration = z
  .object({
    acceptedOutputModes: z.array(z.string()).meta({ description: 'Media types the client can take.' }).optional(),
    historyLength,
    returnImmediately: z
      .boolean()
      .meta({ description: 'Answer at once instead of waiting until the task ends or needs something.' })
      .optional(),
    taskPushNotificationConfig: PushNotificationConfig.optional(),
  })
  .meta({ description: 'How the agent should answer.' });

const SendMessageParams = z.object({
  tenant,
  message: Message,
  configuration: SendMessageConfiguration.optional(),
  metadata,
});

const taskId = z.string().meta({ description: 'Id of the task.' });
const configOfTask = z.object({ tenant, taskId, id: z.string().meta({ description: 'Id of the configuration.' }) });

/** The parameters of each A2A 1.0 operation (§5.3), in 1.0 shape. */
export const operationParams = {
  SendMessage: SendMessageParams,
  SendStreamingMessage: SendMessageParams,
  GetTask: z.object({ tenant, id: taskId, historyLength }),
  ListTasks: z.object({
    tenant,
    contextId: z.string().meta({ description: 'Only tasks of this context.' }).optional(),
    status: TaskState.meta({ description: 'Only tasks in this state.' }).optional(),
    pageSize: z.int().min(1).max(100).meta({ description: "Tasks a page, 1 to 100; the agent's default is 50." }).optional(),
    pageToken: z.string().meta({ description: '`nextPageToken` of the page before.' }).optional(),
    historyLength,
    statusTimestampAfter: z.string().meta({ description: 'Only tasks whose status is newer than this ISO 8601 time.' }).optional(),
    includeArtifacts: z.boolean().meta({ description: 'List the artifacts of each task too.' }).optional(),
  }),
  CancelTask: z.object({ tenant, id: taskId, metadata }),
  SubscribeToTask: z.object({ tenant, id: taskId }),
  CreateTaskPushNotificationConfig: TaskPushNotificationConfig,
  GetTaskPushNotificationConfig: configOfTask,
  ListTaskPushNotificationConfigs: z.object({
    tenant,
    taskId,
    pageSize: z.int().min(1).meta({ description: 'Configurations a page.' }).optional(),
    pageToken: z.string().meta({ description: '`nextPageToken` of the page before.' }).optional(),
  }),
  DeleteTaskPushNotificationConfig: configOfTask,
} as const;

export type Operation = keyof typeof operationParams;
export const operations = Object.keys(operationParams) as readonly Operation[];

export type OperationParams = { readonly [O in Operation]: z.infer<(typeof operationParams)[O]> };
export type SendMessageParams = OperationParams['SendMessage'];

/** One page of tasks (A2A 1.0 §3.1.4). `nextPageToken` is `""` on the last page. What an agent leaves out is not there. */
export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  readonly nextPageToken?: string;
  readonly pageSize?: number | ExactNumber;
  readonly totalSize?: number | ExactNumber;
}

/** The result of each unary operation, in 1.0 shape. */
export interface UnaryResults {
  readonly SendMessage: SendMessageResponse;
  readonly GetTask: Task;
  readonly ListTasks: ListTasksResponse;
  readonly CancelTask: Task;
  readonly CreateTaskPushNotificationConfig: TaskPushNotificationConfig;
  readonly GetTaskPushNotificationConfig: TaskPushNotificationConfig;
  readonly ListTaskPushNotificationConfigs: ListTaskPushNotificationConfigsResponse;
  /** Nothing: agents answer `null`, `{}` or without a body. */
  readonly DeleteTaskPushNotificationConfig: Readonly<Record<never, never>>;
}
export type UnaryOperation = keyof UnaryResults;

/** Operations whose answer is a stream of `StreamResponse`. */
export type StreamingOperation = Exclude<Operation, UnaryOperation>;

export const isStreaming = (operation: string): operation is StreamingOperation =>
  operation === 'SendStreamingMessage' || operation === 'SubscribeToTask';

/** Operations that send a message and so may start work. They are never repeated automatically. */
type SendOperation = 'SendMessage' | 'SendStreamingMessage';
export const isSend = (operation: string): operation is SendOperation =>
  operation === 'SendMessage' || operation === 'SendStreamingMessage';

/** Operations on the configurations of push notifications (A2A 1.0 §3.1.7 to §3.1.10). */
export type PushNotificationOperation = Extract<Operation, `${string}PushNotificationConfig${string}`>;
export const isOfPushNotifications = (operation: string): operation is PushNotificationOperation =>
  operation.includes('PushNotificationConfig');

/** The task that an operation is about; undefined for a message and for a list of tasks. */
export function subjectTask(params: OperationParams[Operation]): string | undefined {
  if ('taskId' in params) return params.taskId;
  return 'id' in params ? params.id : undefined;
}

import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { Operation } from '../../protocol/message/operations.ts';
import type { Text } from '../text/pieced.ts';

/** The call that code is generated for. Texts of `params` may be `Pieced`. */
export interface Call {
  /** Address of the agent or of its card. */
  readonly agentUrl: string;
  readonly operation: Operation;
  /** In core (1.0) shape. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Sent with the request; secret values are holes. */
  readonly headers: Readonly<Record<string, Text>>;
  /** The interface to use, instead of the one that the card prefers. */
  readonly over?: Pick<AgentInterface, 'url' | 'protocolBinding' | 'protocolVersion'>;
}

/** Splits the address of a card; undefined where the address is the agent's. */
export function cardAddress(agentUrl: string): { readonly base: string; readonly path: string } | undefined {
  if (!URL.canParse(agentUrl)) return undefined;
  const { origin, pathname, search } = new URL(agentUrl);
  return pathname.endsWith('.json') ? { base: origin, path: pathname + search } : undefined;
}

/** Indents all lines but the first. */
export const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`);

/** The type of an operation's request in the protocol (A2A 1.0 §10). */
export const requestTypes: Readonly<Record<Operation, string>> = {
  SendMessage: 'SendMessageRequest',
  SendStreamingMessage: 'SendMessageRequest',
  GetTask: 'GetTaskRequest',
  ListTasks: 'ListTasksRequest',
  CancelTask: 'CancelTaskRequest',
  SubscribeToTask: 'SubscribeToTaskRequest',
  CreateTaskPushNotificationConfig: 'TaskPushNotificationConfig',
  GetTaskPushNotificationConfig: 'GetTaskPushNotificationConfigRequest',
  ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfigsRequest',
  DeleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfigRequest',
};

import type { Operation } from '../../protocol/message/operations.ts';

/** What code is written for. Texts may hold placeholders. */
export interface Call {
  /** Address of the agent or of its card. */
  readonly agentUrl: string;
  readonly operation: Operation;
  /** In core (1.0) shape. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Sent with the request; values that are secret are placeholders. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The card's own address, where the address is not the agent's. */
export function cardAddress(agentUrl: string): { readonly base: string; readonly path: string } | undefined {
  if (!URL.canParse(agentUrl)) return undefined;
  const { origin, pathname, search } = new URL(agentUrl);
  return pathname.endsWith('.json') ? { base: origin, path: pathname + search } : undefined;
}

/** Lines with an indent, the first as it stands. */
export const indented = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`);

/** The name of an operation's request in the protocol's own types (A2A 1.0 §10). */
export const requestTypes: Readonly<Record<Operation, string>> = {
  SendMessage: 'SendMessageRequest',
  SendStreamingMessage: 'SendMessageRequest',
  GetTask: 'GetTaskRequest',
  ListTasks: 'ListTasksRequest',
  CancelTask: 'CancelTaskRequest',
  SubscribeToTask: 'SubscribeToTaskRequest',
};

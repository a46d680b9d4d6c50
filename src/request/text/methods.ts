import { operations, type Operation } from '../../protocol/message/operations.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

interface MethodFacts {
  readonly description: LocalizedMessage;
  /** Names in earlier versions and drafts (A2A 0.3 §7, 0.1 §7). */
  readonly olderNames: readonly string[];
}

/** The operations that a request can have. */
export const methods: Readonly<Record<Operation, MethodFacts>> = {
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
};

const byName = new Map<string, Operation>(
  operations.flatMap(operation => [operation, ...methods[operation].olderNames].map(name => [name, operation] as const)),
);

/** The operation of a method in any protocol version. */
export function operationOf(method: string): Operation | undefined {
  return byName.get(method);
}

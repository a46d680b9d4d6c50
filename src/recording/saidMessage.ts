import type { Message } from '../protocol/message/message.ts';
import type { Part } from '../protocol/message/part.ts';

/** A message of a conversation as it can be sent again: what it belonged to is a turn of the conversation, not an id of the agent's. */
export interface SaidMessage {
  readonly parts: readonly Part[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly string[];
  /** Index of the turn whose task it went into. */
  readonly answers?: number;
  /** Indices of the turns whose tasks it refers to. */
  readonly refersTo: readonly number[];
}

/** A message of the person and the tasks that came of it. */
interface Turn {
  readonly message: Message;
  readonly taskIds: readonly string[];
}

/** The messages of a conversation, in order. A task that is of no turn before the message is left out: another conversation has it. */
export function saidMessages(turns: readonly Turn[]): readonly SaidMessage[] {
  const turnOf = new Map<string, number>();
  return turns.map(({ message, taskIds }, index) => {
    const { parts, metadata, extensions, taskId, referenceTaskIds = [] } = message;
    const answers = taskId === undefined ? undefined : turnOf.get(taskId);
    const refersTo = referenceTaskIds.flatMap(id => turnOf.get(id) ?? []);
    for (const id of taskIds) turnOf.set(id, index);
    return {
      parts,
      refersTo,
      ...(metadata !== undefined && { metadata }),
      ...(extensions !== undefined && { extensions }),
      ...(answers !== undefined && { answers }),
    };
  });
}

import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { unknownMessages } from './unknownMessages.ts';

/** A message is compared with the last so many of its id: some agents give one id to all of them. */
const maxCompared = 8;

/** Everything said in a task, in order, statuses' messages among it. */
export class SaidMessages {
  readonly #all: Message[] = [];
  readonly #byId = new Map<string, Message[]>();

  /** The same message, not one that an agent gave the id of another, or none. */
  has({ messageId, role, parts }: Message): boolean {
    return (
      !messageId.startsWith(syntheticIdPrefix) &&
      this.#byId.get(messageId)?.some(said => said.role === role && isDeepStrictEqual(said.parts, parts)) === true
    );
  }

  add(message: Message): void {
    if (this.has(message)) return;
    this.#all.push(message);
    const sameId = this.#byId.get(message.messageId);
    if (sameId === undefined) this.#byId.set(message.messageId, [message]);
    else if (sameId.push(message) > maxCompared) sameId.shift();
  }

  /** All but what the status says now. */
  without(current: Message | undefined): Message[] {
    return this.#all.filter(
      message => message !== current && (message.messageId !== current?.messageId || message.messageId.startsWith(syntheticIdPrefix)),
    );
  }

  /** See `unknownMessages`. */
  unknownIn(task: Task): Message[] {
    return unknownMessages(task, this.#all, this.#byId);
  }
}

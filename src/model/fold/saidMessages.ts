import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { unknownMessages } from './unknownMessages.ts';

/** A message is compared with the last so many of its id: some agents give one id to all of them. */
const maxCompared = 8;
/** Of more unknown messages than are asked for with a task nobody looks up what they came before. */
const maxPlaced = 1_000;

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

  /** @param before one of those that were said: it came before that. Otherwise it is the last. */
  add(message: Message, before?: Message): void {
    if (this.has(message)) return;
    this.#all.splice(before === undefined ? this.#all.length : this.#all.indexOf(before), 0, message);
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

  /**
   * Adds what the task's history has and nobody has heard (`unknownMessages`), each before the known message that follows it there: what an
   * agent said before the person's newest message is no reply to it. Returns them in order, with that message.
   */
  addUnknownIn(task: Task): readonly { readonly message: Message; readonly before: Message | undefined }[] {
    const { history = [] } = task;
    const unknown = new Set(unknownMessages(task, this.#all, this.#byId));
    const added: { readonly message: Message; readonly before: Message | undefined }[] = [];
    let next: Message | undefined;
    for (let index = history.length - 1; index >= 0; index--) {
      const message = history[index]!;
      if (unknown.has(message)) added.push({ message, before: next });
      else if (index > 0 && unknown.size <= maxPlaced && unknown.has(history[index - 1]!)) next = this.#knownAs(message) ?? next;
    }
    added.reverse();
    for (const { message, before } of added) this.add(message, before);
    return added;
  }

  /** The same under its id, or under the one that it was sent with. */
  #knownAs({ messageId, role, parts }: Message): Message | undefined {
    const isSame = (said: Message): boolean => said.role === role && isDeepStrictEqual(said.parts, parts);
    const sameId = this.#byId.get(messageId) ?? [];
    return sameId.find(isSame) ?? (sameId.length === 1 ? sameId[0] : this.#all.findLast(isSame));
  }
}

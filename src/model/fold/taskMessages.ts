import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/message/message.ts';
import type { Task } from '../../protocol/message/task.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';

/** A message is compared with the last so many of its id: some agents give one id to all of them. */
const maxCompared = 8;
/** Most unknown messages whose place among the known ones is looked up. */
const maxPlaced = 1_000;

/** The messages of a task in order, with those of its statuses. */
export class TaskMessages {
  readonly #all: Message[] = [];
  readonly #byId = new Map<string, Message[]>();

  /** The same message, not one that an agent gave the id of another, or none. */
  has({ messageId, role, parts }: Message): boolean {
    return (
      !messageId.startsWith(syntheticIdPrefix) &&
      this.#byId.get(messageId)?.some(said => said.role === role && isDeepStrictEqual(said.parts, parts)) === true
    );
  }

  /** @param before the known message that it precedes; the end if left out. */
  add(message: Message, before?: Message): void {
    if (this.has(message)) return;
    this.#all.splice(before === undefined ? this.#all.length : this.#all.indexOf(before), 0, message);
    const sameId = this.#byId.get(message.messageId);
    if (sameId === undefined) this.#byId.set(message.messageId, [message]);
    else if (sameId.push(message) > maxCompared) sameId.shift();
  }

  /** The message is newer than all that are known, wherever it was written down. */
  putLast(message: Message): void {
    const index = this.#all.findLastIndex(({ messageId, role }) => messageId === message.messageId && role === message.role);
    if (index !== -1) this.#all.push(...this.#all.splice(index, 1));
  }

  /** All messages except that of the current status. */
  without(current: Message | undefined): Message[] {
    return this.#all.filter(
      message => message !== current && (message.messageId !== current?.messageId || message.messageId.startsWith(syntheticIdPrefix)),
    );
  }

  /**
   * Adds the unknown messages of a task's history (`unknownMessages`), each before the known message that follows it there: an agent's
   * message from before the person's newest one is no reply to it. Returns them in order, with that message.
   */
  addUnknownIn(task: Task): readonly { readonly message: Message; readonly before: Message | undefined }[] {
    const { history = [] } = task;
    const unknown = new Set(unknownMessages(task, this.#all, this.#byId));
    const added: { readonly message: Message; readonly before: Message | undefined }[] = [];
    let next: Message | undefined;
    for (let index = history.length - 1; index >= 0; index--) {
      const message = history[index]!;
      if (unknown.has(message)) added.push({ message, before: next });
      else if (index > 0 && unknown.size <= maxPlaced && unknown.has(history[index - 1]!)) next = this.#knownMessage(message) ?? next;
    }
    added.reverse();
    for (const { message, before } of added) this.add(message, before);
    return added;
  }

  /** The same under its id, or under the one that it was sent with. */
  #knownMessage({ messageId, role, parts }: Message): Message | undefined {
    const isSame = (said: Message): boolean => said.role === role && isDeepStrictEqual(said.parts, parts);
    const sameId = this.#byId.get(messageId) ?? [];
    return sameId.find(isSame) ?? (sameId.length === 1 ? sameId[0] : this.#all.findLast(isSame));
  }
}

const content = (message: Message): string => JSON.stringify([message.role, message.parts]);

/**
 * The messages of a snapshot's history that are not known yet, without that of its status (A2A 1.0 §3.7 leaves the content of a history to
 * the agent). Messages are compared by id; where an agent gives them none, or gives the person's messages ids of its own, by content.
 * `saidIds`: the ids of the known messages.
 */
function unknownMessages(task: Task, said: readonly Message[], saidIds: Pick<ReadonlyMap<string, unknown>, 'has'>): Message[] {
  const history = task.history ?? [];
  if (history.length === 0) return [];
  const told = new Set(history.map(message => message.messageId));
  // Some agents give all their messages one id; these are compared by content.
  const isShared = told.size < history.length;
  const keyOf = (message: Message): string =>
    isShared && message.role !== 'ROLE_USER' ? `${message.messageId}\n${content(message)}` : message.messageId;
  const saidKeys = isShared ? new Set(said.map(keyOf)) : saidIds;
  const statusId = task.status.message?.messageId;
  const seen = new Set<string>();
  /** How often each of them was said. */
  let unmatched: Map<string, number> | undefined;
  return history.filter(message => {
    const { messageId, role } = message;
    const key = keyOf(message);
    if (saidKeys.has(key) || messageId === statusId || seen.has(key)) return false;
    seen.add(key);
    if (!messageId.startsWith(syntheticIdPrefix) && role !== 'ROLE_USER') return true;
    unmatched ??= timesOf(said.filter(known => !told.has(known.messageId)).map(content));
    const words = content(message);
    const times = unmatched.get(words) ?? 0;
    unmatched.set(words, times - 1);
    return times <= 0;
  });
}

function timesOf(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Artifact, Task, TaskStatus } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';

/** An artifact whose parts grow. */
interface GrownArtifact {
  readonly artifact: Artifact;
  readonly parts: Part[];
  readonly complete: boolean;
}

/** One task, built from its changes. */
export class MemoryTask {
  readonly id: string;
  contextId: string | undefined;
  /** Milliseconds since the epoch. */
  updatedAt = Date.now();
  #status: TaskStatus = { state: 'TASK_STATE_UNSPECIFIED' };
  #metadata: Readonly<Record<string, unknown>> | undefined;
  /** In the order in which they came, those of statuses too. */
  readonly #messages: Message[] = [];
  readonly #artifacts = new Map<string, GrownArtifact>();
  #lost = false;

  constructor(id: string) {
    this.id = id;
  }

  get state(): ShownState {
    return this.#lost ? 'LOST' : this.#status.state;
  }

  /** The agent has lost the task; the next status revives it. */
  lose(): void {
    this.#lost = true;
  }

  /** A message of the task that came to be known otherwise. */
  addMessage(message: Message): void {
    this.#messages.push(message);
  }

  apply(change: TaskChange): void {
    this.updatedAt = Date.now();
    switch (change.kind) {
      case 'task':
        this.contextId = change.contextId ?? this.contextId;
        this.#metadata = change.metadata ?? this.#metadata;
        return;
      case 'status':
        this.#status = change.status;
        this.#lost = false;
        if (change.status.message !== undefined) this.#messages.push(change.status.message);
        return;
      case 'message':
        this.#insert(change.message, change.before);
        return;
      case 'artifact': {
        const { artifact, complete } = change;
        this.#artifacts.set(artifact.artifactId, { artifact, parts: [...artifact.parts], complete });
        return;
      }
      case 'append': {
        const grown = this.#artifacts.get(change.artifactId);
        if (grown === undefined) return;
        for (const part of change.parts) grown.parts.push(part);
        this.#artifacts.set(change.artifactId, { ...grown, complete: change.complete });
        return;
      }
      case 'finding':
        return;
    }
  }

  /** See `TaskStore.taskDocument`. */
  get document(): { readonly task: Task; readonly complete: ReadonlySet<string>; readonly lost: boolean } {
    const artifacts = [...this.#artifacts.values()].map(({ artifact, parts }) => ({ ...artifact, parts: [...parts] }));
    const history = this.#history();
    return {
      task: withoutUndefined({
        id: this.id,
        contextId: this.contextId,
        status: this.#status,
        artifacts: artifacts.length === 0 ? undefined : artifacts,
        history: history.length === 0 ? undefined : history,
        metadata: this.#metadata,
      }),
      complete: new Set([...this.#artifacts].filter(([, { complete }]) => complete).map(([id]) => id)),
      lost: this.#lost,
    };
  }

  #insert(message: Message, before: string | undefined): void {
    const place = before === undefined ? -1 : this.#messages.findIndex(({ messageId }) => messageId === before);
    this.#messages.splice(place === -1 ? this.#messages.length : place, 0, message);
  }

  /** Each message once, without that of the current status. */
  #history(): Message[] {
    const current = this.#status.message;
    const told = new Map<string, Message[]>();
    return this.#messages.filter(message => {
      const { messageId, parts } = message;
      // Made up here, so it does not identify the message.
      if (messageId.startsWith(syntheticIdPrefix)) return message !== current;
      if (messageId === current?.messageId) return false;
      const sameId = told.get(messageId) ?? [];
      if (sameId.some(other => isDeepStrictEqual(other.parts, parts))) return false;
      told.set(messageId, [...sameId, message]);
      return true;
    });
  }
}

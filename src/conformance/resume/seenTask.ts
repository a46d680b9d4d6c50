import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import { taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task, TaskStatus } from '../../protocol/message/task.ts';
import { isActive, type TaskState } from '../../protocol/message/taskState.ts';

/** An artifact as text to compare. */
export interface SeenArtifact {
  readonly id: string;
  readonly text: string;
}

/** Most that is kept of one task, in UTF-16 code units of its content, and most events of it that are read. */
const bounds = { length: 4 * 1024 * 1024, events: 10_000 };

/** A task as a client has it that applies each event as it comes (A2A 1.0 §3.5.2, §4.2.2), and that loses nothing by itself. */
export class SeenTask {
  readonly #artifacts = new Map<string, string>();
  #status: TaskStatus | undefined;
  #id: string | undefined;
  #contextId: string | undefined;
  #message: Message | undefined;
  #events = 0;
  #length = 0;

  get id(): string | undefined {
    return this.#id;
  }

  get state(): TaskState | undefined {
    return this.#status?.state;
  }

  /** Number of events so far. */
  get events(): number {
    return this.#events;
  }

  /** True where the agent answered with a message and without a task. */
  get isMessage(): boolean {
    return this.#id === undefined && this.#message !== undefined;
  }

  /** True once nothing more is to come before the client acts: the task has ended or waits, or the answer is a message. */
  get isOver(): boolean {
    return this.isMessage || (this.state !== undefined && !isActive(this.state));
  }

  /** True for more than is compared. */
  get isTooMuch(): boolean {
    return this.#events >= bounds.events || this.#length > bounds.length;
  }

  /** In the order in which they began, without ids and times, which are others in each run. */
  get artifacts(): readonly SeenArtifact[] {
    return [...this.#artifacts].map(([id, text]) => ({ id: this.#plain(id), text: this.#plain(text) }));
  }

  /** The words of the last status; `""` where it has none. */
  get lastMessage(): string {
    return this.#plain(textOf(this.#status?.message?.parts ?? []));
  }

  /** Applies one event of a stream. One about another task is left out. */
  take(event: StreamResponse): void {
    this.#events++;
    const taskId = taskIdOf(event);
    if ('message' in event) {
      if (this.#id === undefined) this.#message = event.message;
      return;
    }
    this.#id ??= taskId === '' ? undefined : taskId;
    if (taskId !== undefined && taskId !== '' && taskId !== this.#id) return;
    if ('task' in event) return this.replace(event.task);
    if ('statusUpdate' in event) {
      this.#contextId ??= event.statusUpdate.contextId;
      this.#status = event.statusUpdate.status;
      return;
    }
    const { artifact, append } = event.artifactUpdate;
    const before = append === true ? (this.#artifacts.get(artifact.artifactId) ?? '') : '';
    this.#keep(artifact.artifactId, before + textOf(artifact.parts));
  }

  /** The task as the agent has it takes the place of what was known. One without the member `artifacts` says nothing about them. */
  replace({ id, contextId, status, artifacts }: Task): void {
    this.#id ??= id;
    this.#contextId ??= contextId;
    this.#status = status;
    if (artifacts === undefined) return;
    this.#artifacts.clear();
    for (const { artifactId, parts } of artifacts) this.#keep(artifactId, textOf(parts));
  }

  #keep(id: string, text: string): void {
    this.#length += text.length - (this.#artifacts.get(id)?.length ?? 0);
    this.#artifacts.set(id, text);
  }

  #plain(text: string): string {
    const named = [this.#id, this.#contextId].filter(id => id !== undefined && id.length >= shortestId);
    return named
      .reduce<string>((plain, id) => plain.replaceAll(id!, '<id>'), text)
      .replaceAll(uuid, '<id>')
      .replaceAll(time, '<time>');
  }
}

/** Shorter ids could be words. */
const shortestId = 8;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;

/** Texts as they are, since an agent may join or split them; other content as JSON. */
const textOf = (parts: readonly Part[]): string =>
  parts
    .map(part =>
      'text' in part
        ? part.text
        : `${JSON.stringify('raw' in part ? { raw: part.raw } : 'url' in part ? { url: part.url } : { data: part.data })}\n`,
    )
    .join('');

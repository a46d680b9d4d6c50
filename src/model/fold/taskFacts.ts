import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { quoted } from '../../protocol/quoted.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { findingOf } from '../../protocol/finding.ts';
import { sentence } from '../../protocol/problem.ts';

/** Most other contexts of a task that become findings. */
const maxOtherContexts = 20;

/** The context and the metadata of a task. */
export class TaskFacts {
  readonly #taskId: string;
  #contextId: string | undefined;
  /** Other contexts that the agent has named for it, each a finding once. */
  readonly #otherContexts = new Set<string>();
  #metadata: Readonly<Record<string, unknown>> | undefined;
  #known: boolean;

  constructor(taskId: string, known: Task | undefined) {
    this.#taskId = taskId;
    this.#known = known !== undefined;
    this.#contextId = known?.contextId;
    this.#metadata = known?.metadata;
  }

  /** The task is in the history or in an event. */
  get isKnown(): boolean {
    return this.#known;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  get metadata(): Readonly<Record<string, unknown>> | undefined {
    return this.#metadata;
  }

  /** The change of the task itself, at its first event or for new context or metadata. */
  take(told: string | undefined, metadata?: Readonly<Record<string, unknown>>): TaskChange[] {
    const other = this.#otherContext(told);
    if (other !== undefined) return [...this.take(undefined, metadata), ...other];
    const contextId = told === '' ? undefined : told;
    const newContext = contextId !== undefined && contextId !== this.#contextId;
    const newMetadata = metadata !== undefined && !isDeepStrictEqual(metadata, this.#metadata);
    if (this.#known && !newContext && !newMetadata) return [];
    this.#known = true;
    this.#contextId = contextId ?? this.#contextId;
    this.#metadata = metadata ?? this.#metadata;
    return [
      withoutUndefined({
        kind: 'task',
        taskId: this.#taskId,
        contextId: newContext ? contextId : undefined,
        metadata: newMetadata ? metadata : undefined,
      }),
    ];
  }

  /** A task belongs to one context for good (A2A 1.0 §3.4.1): another one in the middle of it is a fault, and is not taken over. */
  #otherContext(told: string | undefined): TaskChange[] | undefined {
    if (told === undefined || told === '' || this.#contextId === undefined || told === this.#contextId) return undefined;
    const isKnown = this.#otherContexts.has(told);
    if (!isKnown && this.#otherContexts.size < maxOtherContexts) {
      this.#otherContexts.add(told);
      const what = sentence(
        'The task belongs to context {0} and was reported in {1}; the other context was ignored.',
        quoted(this.#contextId),
        quoted(told),
      );
      return [{ kind: 'finding', taskId: this.#taskId, finding: findingOf('DATA-06', '', what) }];
    }
    return [];
  }
}

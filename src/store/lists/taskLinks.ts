import { artifactReferences } from '../../protocol/message/artifactReference.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { TaskStatus } from '../../protocol/message/task.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import { startsHere } from '../rows/taskRows.ts';
import { decode, decodeOptional, encode } from '../texts/jsonText.ts';

/** A task with what its messages refer to (A2A 1.0 §3.4.3). */
export interface LinkedTask {
  readonly taskId: string;
  /** Key of its context: another one if the task is listed only because others refer to it. */
  readonly context: string;
  readonly state: ShownState;
  readonly title: string;
  /** Milliseconds since the epoch; absent where its start is not known. */
  readonly createdAt?: number;
  /** How many artifacts it has made. */
  readonly artifacts: number;
  /** Its first entry. */
  readonly seq?: number;
  /** Its newest changes of state with their times, milliseconds since the epoch, oldest first; absent where the times are unknown. */
  readonly states?: readonly { readonly state: ShownState; readonly at: number }[];
  /** Ids of tasks that it refers to; those that are known are in the list of tasks. */
  readonly references: readonly string[];
}

export interface LinkedTasks {
  /** In the order in which they began; those of other contexts last. */
  readonly tasks: readonly LinkedTask[];
  /** How many older tasks the context has. */
  readonly older: number;
}

interface Row {
  readonly id: number;
  readonly key: string;
  readonly task_id: string;
  readonly state: ShownState;
  readonly title: string | null;
  readonly created: number;
  readonly starts_here: number;
  readonly artifacts: number;
  readonly first: number | null;
}

/** Most tasks of a context, the newest. */
const maxTasks = 500;
/** Most statuses of a context, the newest, that are read for the times of its tasks, and most changes of one task. */
const maxStatuses = 5_000;
const maxChanges = 100;
/** Most references of one task. */
const maxReferences = 20;
/** Most tasks of other contexts that are looked up. */
const maxElsewhere = 100;

const columns = `t.id, c.key, t.task_id, t.state, coalesce(t.own_title, t.title) AS title, t.created, ${startsHere} AS starts_here,
  (SELECT count(*) FROM artifacts a WHERE a.task = t.id AND a.removed = 0 AND a.past = 0) AS artifacts,
  (SELECT min(e.seq) FROM entries e WHERE e.task = t.id) AS first FROM tasks t JOIN contexts c ON c.id = t.context`;

/** Which tasks depend on which, according to their messages. */
export class TaskLinks {
  readonly #newest: Query<Row>;
  readonly #count: Query<{ count: number }>;
  readonly #referring: Query<{ kind: 'message' | 'status'; body: string }>;
  readonly #elsewhere: Query<Row>;
  readonly #statuses: Query<{ task: number; state: ShownState; at: number }>;

  constructor(database: Database) {
    this.#newest = database.prepare(`SELECT ${columns} WHERE t.context = ? AND t.deleted IS NULL ORDER BY t.id DESC LIMIT ${maxTasks}`);
    this.#count = database.prepare('SELECT count(*) AS count FROM tasks WHERE context = ? AND deleted IS NULL');
    this.#referring = database.prepare(`SELECT kind, body FROM entries WHERE task = ? AND kind IN ('message', 'status')
      AND (instr(body, '"referenceTaskIds"') > 0 OR instr(body, '"artifactId"') > 0) ORDER BY seq`);
    this.#elsewhere = database.prepare(`SELECT ${columns} WHERE t.task_id = ? AND t.agent = (SELECT agent FROM contexts WHERE id = ?)
      AND t.context <> ? AND t.deleted IS NULL AND c.deleted IS NULL LIMIT 1`);
    this.#statuses = database.prepare(`SELECT task, body ->> '$.state' AS state, at FROM entries
      WHERE context = ? AND kind = 'status' AND untimed <> 1 AND task IS NOT NULL ORDER BY seq DESC LIMIT ${maxStatuses}`);
  }

  /** The newest 500 of the context by its row id, and tasks of other contexts of the agent that they refer to. */
  of(context: number): LinkedTasks {
    const changes = this.#changesIn(context);
    const tasks = this.#newest
      .all(context)
      .reverse()
      .map(row => this.#task(row, this.#referencesOf(row.id), changes.get(row.id)));
    const known = new Set(tasks.map(({ taskId }) => taskId));
    const strange = [...new Set(tasks.flatMap(({ references }) => references))].filter(id => !known.has(id)).slice(0, maxElsewhere);
    const elsewhere = strange.flatMap(id => this.#elsewhere.get(encode(id), context, context) ?? []).map(row => this.#task(row, []));
    return { tasks: [...tasks, ...elsewhere], older: tasks.length < maxTasks ? 0 : (this.#count.get(context)?.count ?? 0) - tasks.length };
  }

  /** By the task's row id. */
  #changesIn(context: number): ReadonlyMap<number, NonNullable<LinkedTask['states']>> {
    const changes = new Map<number, { state: ShownState; at: number }[]>();
    for (const { task, state, at } of this.#statuses.all(context)) {
      const those = changes.get(task) ?? [];
      changes.set(task, those);
      const next = those[0];
      // Newest first: an earlier status of the same state is when it began.
      if (next?.state === state) next.at = at;
      else if (those.length < maxChanges) those.unshift({ state, at });
    }
    return changes;
  }

  #referencesOf(task: number): readonly string[] {
    const ids = this.#referring.all(task).flatMap(({ kind, body }) => {
      const message = kind === 'message' ? decode<Message>(body) : decode<TaskStatus>(body).message;
      if (message === undefined) return [];
      return [
        ...(message.referenceTaskIds ?? []),
        ...message.parts.flatMap(({ metadata }) => artifactReferences(metadata).map(({ taskId }) => taskId)),
      ];
    });
    return [...new Set(ids)].slice(0, maxReferences);
  }

  #task(row: Row, references: readonly string[], states?: LinkedTask['states']): LinkedTask {
    return withoutUndefined({
      taskId: decode<string>(row.task_id),
      context: row.key,
      state: row.state,
      title: decodeOptional<string>(row.title) ?? '',
      createdAt: row.starts_here === 1 ? row.created : undefined,
      artifacts: row.artifacts,
      seq: row.first ?? undefined,
      states,
      references,
    });
  }
}

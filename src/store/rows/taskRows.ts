import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../protocol/finding.ts';
import { maxFindings } from '../../protocol/finding.ts';
import type { TaskStatus } from '../../protocol/message/task.ts';
import type { ShownState, TaskState } from '../../protocol/message/taskState.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, decodeOptional, encode, encodeOptional } from '../texts/jsonText.ts';

export interface SummaryRow {
  readonly task_id: string;
  readonly key: string;
  readonly state: ShownState;
  readonly title: string | null;
  readonly own_title: string | null;
  readonly findings: string | null;
  readonly pinned: number;
  readonly seen_remotely: number | null;
  readonly remote_only: number;
  readonly created: number;
  readonly updated: number;
  readonly starts_here: number;
  readonly untimed: number | null;
  /** The agent's. */
  readonly timestamp: string | null;
}

interface TaskRow {
  readonly id: number;
  readonly state: ShownState;
  readonly context_id: string | null;
  readonly status: string;
  readonly metadata: string | null;
  readonly title: string | null;
  readonly findings: string | null;
  readonly owner: string | null;
  readonly following: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number | null;
  /** 1 if it was only listed and never asked for: its entries, if any, are from an older version of the product. */
  readonly remote_only: number;
}

/** An active task without a follower. */
export interface UnfinishedTask {
  readonly context: string;
  readonly agent: string;
  readonly taskId: string;
  readonly state: TaskState;
  readonly updatedAt: number;
}

interface WhereaboutsRow {
  readonly key: string;
  readonly owner: string | null;
  readonly updated: number;
  readonly deleted: number | null;
}

interface UnfinishedRow {
  readonly key: string;
  readonly agent: string;
  readonly task_id: string;
  readonly state: TaskState;
  readonly updated: number;
  readonly owner: string | null;
}

/** A task that is listed again within this time is not written again, because every write makes other windows read. In milliseconds. */
const seenAgain = 60_000;

/** Columns of `tasks t`. */
const remoteOnly = `t.seen_remotely IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.task = t.id AND e.exchange IS NOT NULL AND e.kind <> 'problem')`;

/** Columns of `tasks t`: false where the agent listed the task before anything of it came, so that its start is not known. */
export const startsHere = `t.seen_remotely IS NULL OR EXISTS (SELECT 1 FROM entries e
  WHERE e.seq = (SELECT min(f.seq) FROM entries f WHERE f.task = t.id) AND e.kind = 'message' AND e.untimed = 0)`;

/** Columns of `tasks t` and `contexts c`. */
export const summaryColumns = `t.task_id, c.key, t.state, t.title, t.own_title, t.findings, t.pinned, t.seen_remotely, t.created, t.updated,
  ${remoteOnly} AS remote_only, ${startsHere} AS starts_here, t.status ->> '$.timestamp' AS timestamp,
  (SELECT e.untimed FROM entries e WHERE e.task = t.id AND e.kind = 'status' ORDER BY e.seq DESC LIMIT 1) AS untimed`;

export function summary(row: SummaryRow): TaskSummary {
  return withoutUndefined({
    taskId: decode<string>(row.task_id),
    context: row.key,
    state: row.state,
    title: decodeOptional<string>(row.own_title ?? row.title) ?? '',
    createdAt: row.starts_here === 1 ? row.created : undefined,
    updatedAt: row.updated,
    untimed: row.untimed === 1 || isListedAt(row) ? (true as const) : undefined,
    findings: decodeOptional<Finding[]>(row.findings),
    pinned: row.pinned === 1 ? (true as const) : undefined,
    seenRemotelyAt: row.seen_remotely ?? undefined,
    remoteOnly: row.remote_only === 1 ? (true as const) : undefined,
  });
}

/** True if `updated` is when the task was listed, and not when the agent changed it. */
const isListedAt = ({ remote_only, untimed, timestamp, updated }: SummaryRow): boolean =>
  remote_only === 1 && untimed === null && Date.parse(timestamp ?? '') !== updated;

/** The table `tasks`. Writes are called inside a transaction. */
export class TaskRows {
  readonly #page: Query<SummaryRow>;
  readonly #number: Query<{ number: number }>;
  readonly #summary: Query<SummaryRow>;
  readonly #row: Query<TaskRow>;
  readonly #whereabouts: Query<WhereaboutsRow>;
  readonly #sawRemotely: Query;
  readonly #waiting: Query<SummaryRow>;
  readonly #unfinished: Query<UnfinishedRow>;
  readonly #insert: Query;
  readonly #setMetadata: Query;
  readonly #setContextId: Query;
  readonly #setStatus: Query;
  readonly #lose: Query;
  readonly #setTitle: Query;
  readonly #setFindings: Query;
  readonly #setOwner: Query;

  constructor(database: Database) {
    const from = 'FROM tasks t JOIN contexts c ON c.id = t.context';
    this.#page = database.prepare(
      `SELECT ${summaryColumns} ${from} WHERE t.context = ? AND t.id < ? AND t.deleted IS NULL ORDER BY t.id DESC LIMIT ?`,
    );
    this.#number = database.prepare(`SELECT count(*) AS number FROM tasks WHERE context = ?1 AND deleted IS NULL
      AND id <= (SELECT id FROM tasks WHERE context = ?1 AND task_id = ?2 AND deleted IS NULL)`);
    this.#summary = database.prepare(`SELECT ${summaryColumns} ${from} WHERE t.context = ? AND t.task_id = ? AND t.deleted IS NULL`);
    this.#row =
      database.prepare(`SELECT id, state, context_id, status, metadata, title, findings, owner, following, created, updated, deleted, ${remoteOnly} AS remote_only FROM tasks t
      WHERE context = ? AND task_id = ?`);
    this.#whereabouts = database.prepare(`SELECT c.key, t.owner, t.updated, t.deleted ${from} WHERE t.task_id = ? AND t.agent = ?
      ORDER BY t.deleted IS NULL DESC, t.updated DESC LIMIT 1`);
    this.#sawRemotely = database.prepare(`UPDATE tasks SET seen_remotely = ?1 WHERE context = ?2 AND task_id = ?3
      AND coalesce(seen_remotely, 0) < ?1 - ${seenAgain}`);
    this.#waiting = database.prepare(`SELECT ${summaryColumns} ${from} WHERE t.context = ?
      AND t.state IN ('TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED') AND t.deleted IS NULL ORDER BY t.updated DESC, t.id DESC LIMIT 1`);
    this.#unfinished = database.prepare(`SELECT c.key, c.agent, t.task_id, t.state, t.updated, t.owner ${from}
      WHERE t.deleted IS NULL AND (t.following = 1
        OR (? AND t.imported IS NULL AND t.state IN ('TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING')))
      ORDER BY t.updated DESC`);
    this.#insert =
      database.prepare(`INSERT INTO tasks (context, task_id, context_id, state, status, metadata, title, created, updated, owner, following, agent, made_by)
      VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT agent FROM contexts WHERE id = ?1), (SELECT made_by FROM contexts WHERE id = ?1))`);
    this.#setMetadata = database.prepare('UPDATE tasks SET metadata = ?, updated = ? WHERE id = ?');
    this.#setContextId = database.prepare('UPDATE tasks SET context_id = ? WHERE id = ?');
    this.#setStatus = database.prepare('UPDATE tasks SET state = ?, status = ?, updated = ? WHERE id = ?');
    this.#lose = database.prepare('UPDATE tasks SET state = ?, owner = NULL, following = 0, updated = ? WHERE id = ?');
    this.#setTitle = database.prepare('UPDATE tasks SET title = ? WHERE id = ? AND title IS NULL');
    this.#setFindings = database.prepare('UPDATE tasks SET findings = ? WHERE id = ?');
    this.#setOwner = database.prepare('UPDATE tasks SET owner = ?, following = ? WHERE id = ?');
  }

  page(context: number, before: number | undefined, limit: number): TaskSummary[] {
    return this.#page.all(context, before ?? Number.MAX_SAFE_INTEGER, limit).map(summary);
  }

  numbers(context: number, taskIds: ReadonlySet<string>): ReadonlyMap<string, number> {
    const numbers = [...taskIds].map(id => [id, this.#number.get(context, encode(id))?.number ?? 0] as const);
    return new Map(numbers.filter(([, number]) => number > 0));
  }

  summary(context: number, taskId: string): TaskSummary | undefined {
    const row = this.#summary.get(context, encode(taskId));
    return row && summary(row);
  }

  /** Also finds one that was deleted and can be restored. */
  row(context: number, taskId: string): TaskRow | undefined {
    return this.#row.get(context, encode(taskId));
  }

  /** Row id of a task that is not deleted. */
  present(context: number, taskId: string): number | undefined {
    const row = this.row(context, taskId);
    return row === undefined || row.deleted !== null ? undefined : row.id;
  }

  /** The place of the agent's task; that of the last changed one if there are several. */
  locate(agent: string, taskId: string): WhereaboutsRow | undefined {
    return this.#whereabouts.get(encode(taskId), encode(agent));
  }

  noteListed(context: number, taskId: string, at: number): void {
    this.#sawRemotely.run(at, context, encode(taskId));
  }

  waiting(context: number): TaskSummary | undefined {
    const row = this.#waiting.get(context);
    return row && summary(row);
  }

  /** Includes their owners, which the caller checks. `all`: also tasks that were given up. */
  unfinished(all: boolean): (UnfinishedTask & { readonly owner: string | undefined })[] {
    return this.#unfinished.all(all ? 1 : 0).map(row => ({
      context: row.key,
      agent: decode<string>(row.agent),
      taskId: decode<string>(row.task_id),
      state: row.state,
      updatedAt: row.updated,
      owner: row.owner ?? undefined,
    }));
  }

  insert(context: number, taskId: string, task: { title?: string; owner?: string; at: number }): number {
    const status: TaskStatus = { state: 'TASK_STATE_UNSPECIFIED' };
    return Number(
      this.#insert.run(
        context,
        encode(taskId),
        null,
        status.state,
        encode(status),
        null,
        encodeOptional(task.title),
        task.at,
        task.at,
        task.owner ?? null,
        task.owner === undefined ? 0 : 1,
      ).lastInsertRowid,
    );
  }

  setMetadata(id: number, metadata: unknown, at: number): void {
    this.#setMetadata.run(encodeOptional(metadata), at, id);
  }

  setContextId(id: number, contextId: string): void {
    this.#setContextId.run(encode(contextId), id);
  }

  setStatus(id: number, status: TaskStatus, at: number): void {
    this.#setStatus.run(status.state, encode(status), at, id);
  }

  /** The agent does not know the task; its last state stays, and it has no follower any more. */
  lose(id: number, at: number): void {
    const lost: ShownState = 'LOST';
    this.#lose.run(lost, at, id);
  }

  /** Only the first title is kept. */
  setTitle(id: number, title: string): void {
    this.#setTitle.run(encode(title), id);
  }

  addFinding(id: number, known: readonly Finding[], finding: Finding): readonly Finding[] {
    if (known.length >= maxFindings || known.some(one => isDeepStrictEqual(one, finding))) return known;
    const findings = [...known, finding];
    this.#setFindings.run(encode(findings), id);
    return findings;
  }

  /** Without an owner the task has no follower. */
  setOwner(id: number, owner: string | undefined): void {
    this.#setOwner.run(owner ?? null, owner === undefined ? 0 : 1, id);
  }

  /** Leaves the task without a follower until the next process takes it over. */
  orphan(id: number): void {
    this.#setOwner.run(null, 1, id);
  }
}

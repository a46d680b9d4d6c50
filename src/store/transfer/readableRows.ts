import { setImmediate } from 'node:timers/promises';
import { sentence } from '../../protocol/problem.ts';
import type { Database, Query } from '../database/database.ts';
import { saysUnreadable } from '../database/storeProblem.ts';
import { encode } from '../texts/jsonText.ts';

/** Known losses of a history, by row ids of its contexts and tasks. */
export interface Losses {
  readonly contexts: Set<number>;
  readonly tasks: Set<number>;
}

/** Row ids, both included. */
type Range = readonly [low: number, high: number];

/** Rows that are copied at once, at most. */
const most = 256;
/** Ids that are tried one by one after an unreadable row, more than a page has rows; then the steps grow. */
const singly = 512;
/** Most ids that are tried after an unreadable row: enough for a million ids. */
const maxProbes = 2_500;
/** Attempts between two pauses for other work. */
const atOnce = 64;

const areJson = (...columns: string[]): string => columns.map(column => `coalesce(json_valid(${column}), 1)`).join(' AND ');

/**
 * The tables that an export reads, with a condition for the rows that it needs and that are sound. Of one whose JSON is none (`jsonText.ts`),
 * the other values are not its own either: it would be another task's, or be in the place of a sound row. A key is no longer than an import takes.
 */
export const readTables: Readonly<Record<string, string>> = {
  contexts: `length(key) BETWEEN 1 AND 200 AND ${areJson('agent', 'context_id', 'title', 'own_title')}`,
  tasks: areJson('agent', 'task_id', 'context_id', 'status', 'metadata', 'title', 'own_title', 'findings'),
  entries: areJson('body'),
  artifacts: areJson('artifact_id', 'head'),
  artifact_revisions: areJson('head', 'parts'),
  artifact_chunks: areJson('parts'),
  frames: `exchange IN (SELECT exchange FROM clean.artifact_chunks WHERE exchange IS NOT NULL) AND ${areJson('body')}`,
};

/**
 * Copies every row that can be read into an empty history at that path: by row ids and without the indexes, which may be what is broken. Says
 * which contexts and tasks are not whole, and mends what refers to a lost row. The database must not be written meanwhile. Throws SQLite's
 * error if the copy cannot be written.
 */
export async function copyReadable(database: Database, path: string): Promise<Losses> {
  database.prepare('ATTACH ? AS clean').run(path);
  try {
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA clean.journal_mode = MEMORY; PRAGMA clean.synchronous = OFF');
    // They keep the index of words.
    for (const { name } of database.prepare<{ name: string }>("SELECT name FROM clean.sqlite_master WHERE type = 'trigger'").all())
      database.exec(`DROP TRIGGER clean."${name}"`);
    database.exec('CREATE TEMP TABLE lost (name TEXT, low REAL, high REAL, PRIMARY KEY (name, low)) WITHOUT ROWID');
    const put = database.prepare('INSERT INTO temp.lost VALUES (?, ?, ?)');
    for (const [table, condition] of Object.entries(readTables)) {
      for (const range of await copyTable(database, table, condition)) put.run(table, ...range);
    }
    const losses = { contexts: idsOf(database, lostContexts), tasks: idsOf(database, lostTasks) };
    mend(database, losses);
    return losses;
  } finally {
    database.exec('DROP TABLE IF EXISTS temp.lost; DETACH clean; PRAGMA foreign_keys = ON');
  }
}

/** Returns the ids at which nothing could be read. */
async function copyTable(database: Database, table: string, condition: string): Promise<Range[]> {
  const rows = new TableRows(database, table, condition);
  const lost: Range[] = [];
  for (let from = 0, size = most; ; ) {
    await setImmediate();
    const ids = rows.idsFrom(from, size);
    if (ids?.length === 0) return lost;
    const left = ids && rows.copy(from, ids);
    if (ids !== undefined && left !== undefined) {
      lost.push(...left.map((id): Range => [id, id]));
      from = ids.at(-1)! + 1;
      size = most;
    } else if (size > 1) size = size >> 4;
    else {
      const next = ids === undefined ? await endOfGap(rows, from) : ids[0]! + 1;
      lost.push([from, next - 1]);
      if (next === Infinity) return lost;
      from = next;
    }
  }
}

/** The first id after this unreadable one from which on something can be read, or nothing is left; infinite if none is found. */
async function endOfGap(rows: TableRows, from: number): Promise<number> {
  for (let probes = 0, failed = from; probes < maxProbes; probes++) {
    if (probes % atOnce === 0) await setImmediate();
    let next = failed + Math.max(1, probes - singly);
    if (rows.idsFrom(next, 1) === undefined) {
      failed = next;
      continue;
    }
    while (next - failed > 1) {
      const middle = Math.floor((failed + next) / 2);
      if (rows.idsFrom(middle, 1) === undefined) failed = middle;
      else next = middle;
    }
    return next;
  }
  return Infinity;
}

/** The rows of a table that may be damaged, in the order of their ids. */
class TableRows {
  readonly #ids: Query<{ id: number }>;
  readonly #at: Query<{ id: number }>;
  readonly #before: Query<{ id: number }>;
  readonly #copy: Query;
  readonly #copyOne: Query;
  readonly #copied: Query<{ id: number }>;

  constructor(database: Database, table: string, condition: string) {
    const rows = `FROM main.${table} NOT INDEXED WHERE rowid`;
    this.#ids = database.prepare(`SELECT rowid AS id ${rows} >= ? ORDER BY rowid LIMIT ?`);
    this.#at = database.prepare(`SELECT rowid AS id ${rows} = ?`);
    this.#before = database.prepare(`SELECT rowid AS id ${rows} < ? ORDER BY rowid DESC LIMIT 1`);
    const copy = `INSERT OR IGNORE INTO clean.${table} SELECT * ${rows}`;
    this.#copy = database.prepare(`${copy} BETWEEN ? AND ? AND ${condition}`);
    // A range also looks at the row behind it, which may be on a page that cannot be read.
    this.#copyOne = database.prepare(`${copy} = ? AND ${condition}`);
    this.#copied = database.prepare(`SELECT rowid AS id FROM clean.${table} WHERE rowid BETWEEN ? AND ?`);
  }

  /** Undefined if they cannot be read. */
  idsFrom(from: number, limit: number): readonly number[] | undefined {
    const ids = attempt(() => this.#ids.all(from, limit).map(({ id }) => id));
    return ids?.every((id, index) => id > (ids[index - 1] ?? from - 1)) === true && this.#isSound(ids, from) ? ids : undefined;
  }

  /** A spoilt page may have any ids: the last one must be where it belongs, with nothing between it and the one before. */
  #isSound(ids: readonly number[], from: number): boolean {
    const last = ids.at(-1);
    if (last === undefined || last === from) return true;
    if (attempt(() => this.#at.get(last)) === undefined) return false;
    const before = attempt(() => this.#before.get(last) ?? { id: -1 });
    return before !== undefined && before.id <= (ids.at(-2) ?? from - 1);
  }

  /** Returns those that are not copied; undefined if one of them cannot be read: then none is. */
  copy(from: number, ids: readonly number[]): readonly number[] | undefined {
    const [first = from] = ids;
    const last = ids.at(-1) ?? first;
    const done = attempt(() => (ids.length === 1 ? this.#copyOne.run(first) : this.#copy.run(from, last)));
    if (done === undefined) return undefined;
    if (Number(done.changes) === ids.length) return [];
    const copied = new Set(this.#copied.all(first, last).map(({ id }) => id));
    return ids.filter(id => !copied.has(id));
  }
}

/** Undefined if a row cannot be read. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!saysUnreadable(error)) throw error;
    return undefined;
  }
}

/** A condition for rows of this table at ids at which nothing could be read. An index of the damaged file then has their values. */
const isLost = (table: string, id: string): string =>
  `${id} <= (SELECT high FROM temp.lost WHERE name = '${table}' AND low <= ${id} ORDER BY low DESC LIMIT 1)`;

const noContext = 'context NOT IN (SELECT id FROM clean.contexts)';
const noTask = 'task IS NOT NULL AND task NOT IN (SELECT id FROM clean.tasks)';

const lostContexts: readonly string[] = [
  `SELECT id FROM main.contexts INDEXED BY contexts_by_use
    WHERE title IS NOT NULL AND deleted IS NULL AND ${isLost('contexts', 'id')}`,
  `SELECT context AS id FROM clean.tasks WHERE deleted IS NULL AND ${noContext}`,
  `SELECT context AS id FROM main.entries INDEXED BY entries_by_context WHERE ${isLost('entries', 'seq')}
    AND seq NOT IN (SELECT seq FROM main.entries INDEXED BY entries_by_task WHERE task IS NOT NULL)`,
];

const lostTasks: readonly string[] = [
  `SELECT id FROM main.tasks INDEXED BY tasks_by_context WHERE deleted IS NULL AND ${isLost('tasks', 'id')}`,
  `SELECT task AS id FROM clean.entries WHERE ${noTask}`,
  `SELECT task AS id FROM clean.artifacts WHERE ${noTask}`,
  `SELECT task AS id FROM main.entries INDEXED BY entries_by_task WHERE task IS NOT NULL AND ${isLost('entries', 'seq')}`,
  `SELECT task AS id FROM main.artifacts INDEXED BY sqlite_autoindex_artifacts_2 WHERE ${isLost('artifacts', 'id')}`,
  `SELECT task AS id FROM clean.artifacts WHERE entry NOT IN (SELECT seq FROM clean.entries)`,
  `SELECT task AS id FROM clean.entries WHERE kind = 'artifact' AND seq NOT IN (SELECT entry FROM clean.artifacts)`,
  `SELECT task AS id FROM clean.artifacts WHERE id NOT IN (SELECT artifact FROM clean.artifact_chunks)`,
  ...[
    ['artifact_chunks', 'artifact_chunks_by_artifact'],
    ['artifact_revisions', 'sqlite_autoindex_artifact_revisions_1'],
  ].map(
    ([table = '', index = '']) => `SELECT a.task AS id FROM main.${table} r INDEXED BY ${index} JOIN clean.artifacts a ON a.id = r.artifact
      WHERE ${isLost(table, 'r.rowid')}`,
  ),
  `SELECT a.task AS id FROM clean.artifact_chunks c JOIN clean.artifacts a ON a.id = c.artifact WHERE c.exchange IS NOT NULL AND
    coalesce((SELECT sum(min(f.seq + f.count - 1, c.last) - max(f.seq, c.first) + 1) FROM clean.frames f
      WHERE f.exchange = c.exchange AND f.seq <= c.last AND f.seq + f.count > c.first), 0) < c.last - c.first + 1`,
];

/** Each once. An index that is damaged itself says what it can. */
function idsOf(database: Database, queries: readonly string[]): Set<number> {
  const ids = new Set<number>();
  for (const query of queries) {
    attempt(() => {
      for (const { id } of database.prepare<{ id: number }>(query).iterate()) ids.add(id);
    });
  }
  return ids;
}

/** Tasks whose context is lost get one, artifacts get the entry in which they are shown, and incomplete tasks say that they are. */
function mend(database: Database, { tasks }: Losses): void {
  // The key is the same whenever this history is read, so that nothing is brought over twice.
  database.exec(`INSERT INTO clean.contexts (id, key, agent, context_id, title, created, updated, made_by)
    SELECT context, 'recovered-' || context || '-' || CAST(created AS INTEGER), agent, context_id, coalesce(title, '""'), created, max(updated),
      made_by FROM (SELECT * FROM clean.tasks WHERE deleted IS NULL AND ${noContext} ORDER BY id DESC) GROUP BY context`);
  database.exec(`INSERT OR IGNORE INTO clean.entries (seq, context, task, kind, at, rev, body)
    SELECT a.entry, t.context, a.task, 'artifact', t.updated, 0, '{}' FROM clean.artifacts a JOIN clean.tasks t ON t.id = a.task`);
  database.exec(`DELETE FROM clean.entries WHERE kind = 'artifact' AND seq NOT IN (SELECT entry FROM clean.artifacts)`);
  const note = database.prepare(`INSERT INTO clean.entries (context, task, kind, at, rev, body)
    SELECT context, id, 'gap', updated, 0, ? FROM clean.tasks WHERE id = ?`);
  const reason = sentence('Part of this task could not be read from the damaged history.');
  for (const task of tasks) note.run(encode({ reason }), task);
}

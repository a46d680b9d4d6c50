import { setImmediate } from 'node:timers/promises';
import { ShownState, isTerminal } from '../../protocol/message/taskState.ts';
import type { ContextMaker } from '../../protocol/message/transcript.ts';
import type { ArtifactRows } from '../rows/artifactRows.ts';
import type { Database, Query } from '../database/database.ts';
import { answerBytes } from '../texts/longAnswers.ts';
import { encodeOptional } from '../texts/jsonText.ts';
import { portions } from '../database/portions.ts';
import { Removal } from './removal.ts';

/** Limits; a member that is left out is no limit. Pinned tasks, those of pinned contexts, and tasks that are not over are always kept. */
export interface RetentionOptions {
  /** Tasks, and contexts without tasks, that changed within so many days. */
  readonly days?: number;
  /** Number of tasks; the last changed are kept. */
  readonly tasks?: number;
  /** Bytes of content; that of the last changed tasks is kept. If deleting tasks is not enough, exchanges that belong to no task are deleted, too. */
  readonly bytes?: number;
  /** Age limit of test runs, in days. It also deletes tasks that are not over, since they have no waiting reader. */
  readonly testDays?: number;
  /** Exchanges of the last so many days. */
  readonly wireDays?: number;
  /** Bytes of exchanges; the newest are kept. */
  readonly wireBytes?: number;
  /** Name of the only agent whose tasks and contexts go. */
  readonly agent?: string;
  /** All tasks and contexts go, also pinned ones and those that are not over. */
  readonly everything?: boolean;
}

export interface Amount {
  readonly count: number;
  /** Bytes of content: it takes about twice that on the disk. */
  readonly bytes: number;
}

/** The items to delete, or that were deleted. */
export interface RetentionOutcome {
  readonly tasks: Amount;
  /** Contexts without tasks, and those whose tasks are all deleted. */
  readonly contexts: Amount;
  /** Exchanges with their frames that are deleted on their own, not with a task or context. */
  readonly exchanges: Amount;
}

interface Candidate {
  readonly kind: 'task' | 'context';
  readonly id: number;
  /** The context of a task, or itself. */
  readonly context: number;
  readonly updated: number;
  readonly made_by: ContextMaker;
  /** 0 if a task is not over. */
  readonly over: number;
}

interface ExchangeRow {
  readonly id: number;
  readonly uid: string;
  readonly context: number | null;
  readonly at: number;
  readonly ended: number;
  readonly bytes: number;
}

interface Plan {
  readonly items: readonly (Candidate & { readonly bytes: number })[];
  /** Contexts that have nothing left once their tasks are gone. */
  readonly emptied: number;
  readonly exchanges: readonly { readonly id: number; readonly bytes: number }[];
}

const day = 24 * 60 * 60_000;
/** Contexts that changed within this time may still be written to, in milliseconds. */
const settled = 60_000;
/** An exchange that has not ended after this time never will. */
const stale = 7 * day;
/** Rows, items and pages of one step, a few milliseconds of work, between which other code of the process runs. */
const rowsAtOnce = 2000;
const itemsAtOnce = 200;
const pagesAtOnce = 200;

const over = ShownState.options
  .filter(isTerminal)
  .map(state => `'${state}'`)
  .join(', ');
const taskGoes = `t.pinned = 0 AND t.deleted IS NULL AND (t.state IN (${over}) OR t.made_by = 'test') AND t.following = 0
  AND EXISTS (SELECT 1 FROM contexts c WHERE c.id = t.context AND c.pinned = 0)`;
const contextGoes =
  'c.pinned = 0 AND c.deleted IS NULL AND c.title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.context = c.id)';
const wireBytes = `octet_length(x.body) + ${answerBytes} + (SELECT coalesce(sum(octet_length(f.body) + octet_length(f.data)), 0) FROM frames f WHERE f.exchange = x.id)`;

/**
 * Keeps the history within its limits; what changed last is kept. Reads and deletes in small steps, so that other code runs in between. Other
 * windows may write meanwhile: an item that was pinned or continued since it was read is kept. Times are milliseconds since the epoch. Throws
 * a `Problem` if the disk or another window prevents the work; what was deleted by then stays deleted.
 */
export class Retention {
  readonly #database: Database;
  readonly #removal: Removal;
  readonly #tasks: Query<Omit<Candidate, 'kind'>>;
  readonly #contexts: Query<Omit<Candidate, 'kind'>>;
  readonly #taskBytes: Query<{ bytes: number }>;
  readonly #contextBytes: Query<{ bytes: number }>;
  readonly #sums: readonly Query<{ next: number | null; bytes: number | null }>[];
  readonly #count: Query<{ tasks: number }>;
  readonly #tasksOf: Query<{ tasks: number; loose: number }>;
  readonly #exchanges: Query<ExchangeRow>;
  readonly #loose: Query<ExchangeRow>;
  readonly #tasksOfExchange: Query<{ task: number | null }>;
  readonly #taskStillGoes: Query<{ context: number }>;
  readonly #contextStillGoes: Query<{ id: number }>;
  readonly #isEmptied: Query<{ id: number }>;
  readonly #hideTask: Query;
  readonly #hideContext: Query;
  readonly #freePages: Query<{ freelist_count: number }>;

  constructor(database: Database, artifacts: ArtifactRows) {
    this.#database = database;
    this.#removal = new Removal(database, artifacts);
    this.#tasks = database.prepare(
      `SELECT t.id, t.context, t.updated, t.made_by, t.state IN (${over}) AS over FROM tasks t NOT INDEXED WHERE t.id > ?1 AND (${taskGoes} OR (?3 AND t.deleted IS NULL)) AND (?2 IS NULL OR t.agent = ?2) ORDER BY t.id LIMIT ${rowsAtOnce}`,
    );
    this.#contexts = database.prepare(
      `SELECT c.id, c.id AS context, c.updated, c.made_by, 1 AS over FROM contexts c NOT INDEXED WHERE c.id > ?1
        AND (${contextGoes} OR (?3 AND c.deleted IS NULL AND c.title IS NOT NULL)) AND (?2 IS NULL OR c.agent = ?2) ORDER BY c.id LIMIT ${rowsAtOnce}`,
    );
    this.#taskBytes = database.prepare(`SELECT
      (SELECT coalesce(sum(octet_length(body)), 0) FROM entries WHERE task = ?1)
      + (SELECT coalesce(sum(octet_length(k.parts) + coalesce(octet_length(k.text), 0)), 0) FROM artifacts a JOIN artifact_chunks k ON k.artifact = a.id WHERE a.task = ?1)
      + (SELECT coalesce(sum(octet_length(r.parts) + octet_length(r.text)), 0) FROM artifacts a JOIN artifact_revisions r ON r.artifact = a.id WHERE a.task = ?1)
      + (SELECT coalesce(sum(${wireBytes}), 0) FROM exchanges x WHERE uid IN (SELECT exchange FROM entries WHERE task = ?1) OR x.task = ?1) AS bytes`);
    this.#contextBytes =
      database.prepare(`SELECT (SELECT coalesce(sum(octet_length(body)), 0) FROM entries WHERE context = ?1 AND task IS NULL)
      + (SELECT coalesce(sum(${wireBytes}), 0) FROM exchanges x WHERE context = ?1 AND task IS NULL
        AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.exchange = x.uid AND e.task IS NOT NULL)) AS bytes`);
    this.#sums = (
      [
        ['entries', 'seq', 'octet_length(body)'],
        ['exchanges', 'id', 'octet_length(body)'],
        ['answers', 'id', 'octet_length(content)'],
        ['artifact_chunks', 'id', 'octet_length(parts) + coalesce(octet_length(text), 0)'],
        ['artifact_revisions', 'rowid', 'octet_length(parts) + octet_length(text)'],
        ['frames', 'rowid', 'octet_length(body) + octet_length(data)'],
      ] as const
    ).map(([table, id, bytes]) =>
      database.prepare(`SELECT max(id) AS next, sum(bytes) AS bytes
        FROM (SELECT ${id} AS id, ${bytes} AS bytes FROM ${table} WHERE ${id} > ? ORDER BY ${id} LIMIT ${rowsAtOnce})`),
    );
    this.#exchanges = database.prepare(`SELECT x.id, x.uid, x.context, coalesce(json_extract(x.body, '$.startedAt'), 0) AS at,
      json_extract(x.body, '$.endedAt') IS NOT NULL AS ended, ${wireBytes} AS bytes FROM exchanges x
      WHERE x.id < ? AND x.context IS NOT NULL ORDER BY x.id DESC LIMIT ${rowsAtOnce}`);
    this.#loose = database.prepare(`SELECT x.id, x.uid, x.context, coalesce(json_extract(x.body, '$.startedAt'), 0) AS at,
      json_extract(x.body, '$.endedAt') IS NOT NULL AS ended, ${wireBytes} AS bytes FROM exchanges x
      WHERE x.id > ? AND x.task IS NULL AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.exchange = x.uid AND e.task IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM contexts c WHERE c.id = x.context AND c.pinned = 1) ORDER BY x.id LIMIT ${rowsAtOnce}`);
    this.#tasksOfExchange = database.prepare('SELECT task FROM entries WHERE exchange = ?');
    this.#count = database.prepare('SELECT count(*) AS tasks FROM tasks WHERE deleted IS NULL');
    this.#tasksOf = database.prepare(`SELECT (SELECT count(*) FROM tasks WHERE context = ?1) AS tasks,
      (SELECT count(*) FROM entries WHERE context = ?1 AND task IS NULL) AS loose`);
    this.#taskStillGoes = database.prepare(`SELECT t.context FROM tasks t WHERE t.id = ? AND t.updated = ? AND ${taskGoes}`);
    this.#contextStillGoes = database.prepare(`SELECT c.id FROM contexts c WHERE c.id = ? AND c.updated = ? AND ${contextGoes}`);
    this.#isEmptied = database.prepare(`SELECT c.id FROM contexts c WHERE c.id = ? AND ${contextGoes}
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.context = c.id)`);
    this.#hideTask = database.prepare('UPDATE tasks SET deleted = ?1 WHERE id = ?2 AND updated = ?3 AND deleted IS NULL');
    // Tasks that came since then keep their context.
    this.#hideContext = database.prepare(`UPDATE contexts SET deleted = ?1 WHERE id = ?2 AND deleted IS NULL
      AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.context = contexts.id AND t.deleted IS NULL)
      AND (?3 OR NOT EXISTS (SELECT 1 FROM entries e WHERE e.context = contexts.id AND e.task IS NULL))`);
    this.#freePages = database.prepare('PRAGMA freelist_count');
  }

  /** The items that `apply` would delete now. */
  async whatWouldGo(options: RetentionOptions, at: number): Promise<RetentionOutcome> {
    const { items, emptied, exchanges } = await this.#plan(options, at);
    const contexts = amount(items.filter(item => item.kind === 'context'));
    return {
      tasks: amount(items.filter(item => item.kind === 'task')),
      contexts: { ...contexts, count: contexts.count + emptied },
      exchanges: amount(exchanges),
    };
  }

  /** Deletes for good what exceeds these limits, and returns the space to the disk. Returns what was deleted. */
  async apply(options: RetentionOptions, at: number): Promise<RetentionOutcome> {
    const { items, exchanges } = await this.#plan(options, at);
    const gone = { tasks: [] as { bytes: number }[], contexts: [] as { bytes: number }[], exchanges: [] as { bytes: number }[] };
    for (const some of portions(items)) {
      await this.#patiently(() => {
        for (const item of some) this.#remove(item, gone);
      });
      await setImmediate();
    }
    for (const some of portions(exchanges)) {
      await this.#patiently(() => {
        for (const exchange of some) if (this.#removal.exchange(exchange.id)) gone.exchanges.push(exchange);
      });
      await setImmediate();
    }
    await this.#giveBack();
    return { tasks: amount(gone.tasks), contexts: amount(gone.contexts), exchanges: amount(gone.exchanges) };
  }

  /** Hides the tasks and contexts that `apply` would delete, as a deletion by the person at that time does: `HistoryEdits` undoes it. */
  async hide(options: RetentionOptions, at: number): Promise<void> {
    const { items } = await this.#plan(options, at);
    for (const some of portions(items)) {
      await this.#patiently(() => {
        for (const { kind, id, updated } of some) if (kind === 'task') this.#hideTask.run(at, id, updated);
      });
      await setImmediate();
    }
    for (const some of portions(items)) {
      await this.#patiently(() => {
        for (const { kind, context } of some) this.#hideContext.run(at, context, kind === 'context' ? 1 : 0);
      });
      await setImmediate();
    }
  }

  #patiently(work: () => void): Promise<void> {
    return this.#database.writes.patiently(() => this.#database.write(work));
  }

  #remove(item: Plan['items'][number], gone: { tasks: { bytes: number }[]; contexts: { bytes: number }[] }): void {
    if (item.kind === 'context') {
      if (this.#contextStillGoes.get(item.id, item.updated) === undefined) return;
      this.#removal.context(item.id, 1);
      gone.contexts.push(item);
      return;
    }
    const task = this.#taskStillGoes.get(item.id, item.updated);
    if (task === undefined) return;
    this.#removal.task(item.id);
    gone.tasks.push(item);
    if (this.#isEmptied.get(task.context) === undefined) return;
    this.#removal.context(task.context, 1);
    gone.contexts.push({ bytes: 0 });
  }

  async #plan(options: RetentionOptions, at: number): Promise<Plan> {
    const candidates = (await this.#candidates(options))
      .filter(one => options.everything === true || one.updated < at - settled)
      .sort((one, other) => one.updated - other.updated || one.id - other.id);
    const age = options.everything === true ? Infinity : options.days === undefined ? -Infinity : at - options.days * day;
    const testAge = options.testDays === undefined ? -Infinity : at - options.testDays * day;
    const tooMany = options.tasks === undefined ? 0 : (this.#database.read(() => this.#count.get())?.tasks ?? 0) - options.tasks;
    let tooMuch = options.bytes === undefined ? -Infinity : (await this.content()) - options.bytes;
    const items: (Candidate & { bytes: number })[] = [];
    let tasks = 0;
    for (const candidate of candidates) {
      const tooOldTest = candidate.made_by === 'test' && candidate.updated < testAge;
      const ofTooMany = candidate.kind === 'task' && tasks < tooMany;
      if (
        !tooOldTest &&
        ((candidate.over === 0 && options.everything !== true) || (candidate.updated >= age && tooMuch <= 0 && !ofTooMany))
      ) {
        // All others are younger: only those that are too many may follow.
        if (tasks >= tooMany && candidate.updated >= Math.max(age, testAge) && tooMuch <= 0) break;
        continue;
      }
      const bytes = this.#bytesOf(candidate);
      items.push({ ...candidate, bytes });
      tooMuch -= bytes;
      if (candidate.kind === 'task') tasks++;
      if (items.length % itemsAtOnce === 0) await setImmediate();
    }
    const exchanges = await this.#exchangesToGo(options, at, items);
    for (const { bytes } of exchanges) tooMuch -= bytes;
    return {
      items,
      emptied: options.everything === true ? 0 : this.#emptied(items),
      exchanges: tooMuch <= 0 ? exchanges : [...exchanges, ...(await this.#looseToGo(tooMuch, at, items, exchanges))],
    };
  }

  /** The oldest exchanges that belong to no task, up to so many bytes. */
  async #looseToGo(most: number, at: number, items: readonly Candidate[], others: Plan['exchanges']): Promise<Plan['exchanges']> {
    const contexts = new Set(items.flatMap(item => (item.kind === 'context' ? [item.id] : [])));
    const known = new Set(others.map(({ id }) => id));
    const found: { id: number; bytes: number }[] = [];
    let rest = most;
    for (let last = 0; rest > 0; ) {
      const rows = this.#database.read(() => this.#loose.all(last));
      for (const { id, context, at: began, ended, bytes } of rows) {
        const settles = ended === 1 ? began < at - settled : began < at - stale;
        if (rest <= 0 || !settles || known.has(id) || (context !== null && contexts.has(context))) continue;
        found.push({ id, bytes });
        rest -= bytes;
      }
      if (rows.length < rowsAtOnce) break;
      last = rows.at(-1)?.id ?? 0;
      await setImmediate();
    }
    return found;
  }

  #emptied(items: readonly Candidate[]): number {
    const going = new Map<number, number>();
    for (const { kind, context } of items) if (kind === 'task') going.set(context, (going.get(context) ?? 0) + 1);
    return this.#database.read(
      () =>
        [...going].filter(([context, count]) => {
          const has = this.#tasksOf.get(context);
          return has?.tasks === count && has.loose === 0;
        }).length,
    );
  }

  /** Keeps the newest exchanges, as many as fit, and those that are still under way. */
  async #exchangesToGo(
    { wireDays, wireBytes: most = Infinity }: RetentionOptions,
    at: number,
    items: readonly Candidate[],
  ): Promise<Plan['exchanges']> {
    if (wireDays === undefined && most === Infinity) return [];
    const before = wireDays === undefined ? -Infinity : at - wireDays * day;
    const tasks = new Set(items.flatMap(item => (item.kind === 'task' ? [item.id] : [])));
    const contexts = new Set(items.flatMap(item => (item.kind === 'context' ? [item.id] : [])));
    const goesAnyway = (row: ExchangeRow): boolean => {
      const of = this.#tasksOfExchange.all(row.uid);
      return (
        (row.context !== null && contexts.has(row.context)) || (of.length > 0 && of.every(({ task }) => task !== null && tasks.has(task)))
      );
    };
    const found: { id: number; bytes: number }[] = [];
    let kept = 0;
    for (let last = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = this.#database.read(() => this.#exchanges.all(last));
      for (const row of rows) {
        kept += row.bytes;
        if (row.at >= before && kept <= most) continue;
        if ((row.ended === 1 || row.at < at - stale) && !goesAnyway(row)) found.push({ id: row.id, bytes: row.bytes });
      }
      if (rows.length < rowsAtOnce) return found;
      last = rows.at(-1)?.id ?? 0;
      await setImmediate();
    }
  }

  /** Size of all content, in bytes. */
  async content(): Promise<number> {
    let total = 0;
    for (const sum of this.#sums) {
      for (let next: number | null = 0; next !== null; await setImmediate()) {
        const row: { next: number | null; bytes: number | null } | undefined = this.#database.read(() => sum.get(next));
        total += row?.bytes ?? 0;
        next = row?.next ?? null;
      }
    }
    return total;
  }

  /** In small steps, so that nothing has to wait for long. */
  async #giveBack(): Promise<void> {
    const free = (): number => this.#database.read(() => this.#freePages.get())?.freelist_count ?? 0;
    for (let before = Infinity, now = free(); now > 0 && now < before; before = now, now = free()) {
      await this.#patiently(() => this.#database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`));
      await setImmediate();
    }
  }

  async #candidates({ agent, everything }: RetentionOptions): Promise<Candidate[]> {
    const found: Candidate[] = [];
    for (const [kind, query] of [
      ['task', this.#tasks],
      ['context', this.#contexts],
    ] as const) {
      for (let last = 0; ; ) {
        const rows = this.#database.read(() => query.all(last, encodeOptional(agent), everything === true ? 1 : 0));
        for (const row of rows) found.push({ kind, ...row });
        last = rows.at(-1)?.id ?? 0;
        if (rows.length < rowsAtOnce) break;
        await setImmediate();
      }
    }
    return found;
  }

  #bytesOf({ kind, id }: Candidate): number {
    return this.#database.read(() => (kind === 'task' ? this.#taskBytes : this.#contextBytes).get(id)?.bytes ?? 0);
  }
}

const amount = (items: readonly { readonly bytes: number }[]): Amount => ({
  count: items.length,
  bytes: items.reduce((sum, item) => sum + item.bytes, 0),
});

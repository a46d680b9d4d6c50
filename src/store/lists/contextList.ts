import type { ShownState } from '../../protocol/message/taskState.ts';
import type { ContextMaker, ContextSummary } from '../../protocol/message/transcript.ts';
import { columns, summary, type ContextRow } from '../rows/contextRows.ts';
import type { Database, Query } from '../database/database.ts';
import type { Indexing, NamesRow } from '../search/indexing.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { fewRows, filterTerms, namesHave, makers, type ListFilter } from './listFilter.ts';
import { sortedPage, walk, type Behind, type Place } from './listWalk.ts';

/** The last context of the previous page. */
export type ContextCursor = Pick<ContextSummary, 'key' | 'pinned' | 'updatedAt'>;

/** `id` is the id in the name index, `row` the id of the row. */
interface RawRow extends NamesRow {
  readonly row: number;
  readonly pinned: number;
  readonly updated: number;
  readonly agent: string;
  readonly made_by: ContextMaker;
}

interface Context extends Place {
  readonly names: RawRow;
}

const rowColumns = 'SELECT c.id AS row, c.pinned, c.updated, c.agent, c.made_by, c.title, c.own_title, c.context_id AS id FROM contexts c';

/** Contexts in which something happened, pinned ones first, then the last used. */
export class ContextList {
  readonly #indexing: Indexing;
  readonly #all: Query<RawRow>;
  readonly #ofAgent: Query<RawRow>;
  readonly #byId: Query<RawRow>;
  readonly #idOf: Query<{ id: number }>;
  readonly #ofTask: Query<{ context: number }>;
  readonly #ofState: Query<{ context: number }>;
  readonly #ofStateAndAgent: Query<{ context: number }>;
  readonly #states: Query<{ state: ShownState }>;
  readonly #taskNames: Query<NamesRow>;
  readonly #summary: Query<ContextRow>;

  constructor(database: Database, indexing: Indexing) {
    this.#indexing = indexing;
    const listed = 'c.title IS NOT NULL AND c.deleted IS NULL';
    const range = `c.pinned = ? AND c.updated >= ? AND (c.updated, c.id) < (?, ?) AND instr(?, c.made_by) AND ${listed} ORDER BY c.updated DESC, c.id DESC LIMIT ?`;
    this.#all = database.prepare(`${rowColumns} WHERE ${range}`);
    this.#ofAgent = database.prepare(`${rowColumns} WHERE c.agent = ? AND ${range}`);
    this.#byId = database.prepare(`${rowColumns} WHERE c.id = ? AND ${listed}`);
    this.#idOf = database.prepare('SELECT id FROM contexts WHERE key = ?');
    this.#ofTask = database.prepare('SELECT context FROM tasks WHERE id = ? AND deleted IS NULL');
    this.#ofState = database.prepare('SELECT context FROM tasks WHERE state = ? AND deleted IS NULL LIMIT ?');
    this.#ofStateAndAgent = database.prepare('SELECT context FROM tasks WHERE state = ? AND agent = ? AND deleted IS NULL LIMIT ?');
    this.#states = database.prepare('SELECT DISTINCT state FROM tasks WHERE context = ? AND deleted IS NULL');
    this.#taskNames = database.prepare('SELECT title, own_title, task_id AS id FROM tasks WHERE context = ? AND deleted IS NULL');
    this.#summary = database.prepare(`SELECT ${columns} FROM contexts c WHERE id = ?`);
  }

  page(filter: ListFilter, before: ContextCursor | undefined, limit: number): ContextSummary[] {
    return this.#rows(filter, { behind: this.#behind(before), limit }).flatMap(({ id }) => this.#summary.all(id).map(summary));
  }

  /** Number of contexts that fit, at most `most`. */
  count(filter: ListFilter, most: number): number {
    return this.#rows(filter, { behind: undefined, limit: most }).length;
  }

  #rows(filter: ListFilter, page: { readonly behind: Behind; readonly limit: number }): readonly Context[] {
    const terms = filterTerms(filter);
    const { states } = filter;
    const named = this.#named(terms);
    const inStates = states && this.#inStates(states, filter.agent);
    const few = named !== undefined && inStates !== undefined ? new Set([...named].filter(id => inStates.has(id))) : (named ?? inStates);
    const checks = [
      ...(terms.length === 0 ? [] : [(row: Context): boolean => this.#hasName(row, terms)]),
      ...(states === undefined || inStates !== undefined
        ? []
        : [(row: Context): boolean => this.#states.all(row.id).some(({ state }) => states.includes(state))]),
    ];
    const fits = checks.length === 0 ? undefined : (row: Context): boolean => checks.every(check => check(row));
    return few === undefined
      ? walk((pinned, behind, size) => this.#section(filter, pinned, behind, size), fits, page)
      : sortedPage(
          [...few].flatMap(id => this.#byId.all(id).map(context)).filter(row => isIn(row, filter)),
          fits,
          page,
        );
  }

  #behind(before: ContextCursor | undefined): Behind {
    if (before === undefined) return undefined;
    // The last context was deleted meanwhile: those of exactly its time are listed once more.
    const id = this.#idOf.get(before.key)?.id ?? Number.MAX_SAFE_INTEGER;
    return { id, pinned: before.pinned === true ? 1 : 0, updated: before.updatedAt };
  }

  #section(
    filter: ListFilter,
    pinned: number,
    behind: { readonly updated: number; readonly id: number } | undefined,
    size: number,
  ): Context[] {
    const { agent, since = 0, until = Number.MAX_VALUE } = filter;
    const from = behind !== undefined && behind.updated < until ? behind : { updated: until, id: -1 };
    const rest = [pinned, since, from.updated, from.id, makers(filter), size] as const;
    return (agent === undefined ? this.#all.all(...rest) : this.#ofAgent.all(encode(agent), ...rest)).map(context);
  }

  /** Contexts that may have such a name, or have a task that may; undefined if there are too many or the index cannot tell. */
  #named(terms: readonly string[]): Set<number> | undefined {
    const names = this.#indexing.fewNamed(terms, fewRows);
    return (
      names && new Set(names.flatMap(name => (name % 2 === 0 ? [name / 2] : this.#ofTask.all((name - 1) / 2).map(row => row.context))))
    );
  }

  /** Contexts with tasks in these states; undefined if there are too many such tasks. */
  #inStates(states: readonly ShownState[], agent: string | undefined): Set<number> | undefined {
    const rows = [...new Set(states)].flatMap(state =>
      agent === undefined ? this.#ofState.all(state, fewRows + 1) : this.#ofStateAndAgent.all(state, encode(agent), fewRows + 1),
    );
    return rows.length > fewRows ? undefined : new Set(rows.map(row => row.context));
  }

  #hasName({ id, names }: Context, terms: readonly string[]): boolean {
    if (namesHave(names, terms)) return true;
    for (const row of this.#taskNames.iterate(id)) if (namesHave(row, terms)) return true;
    return false;
  }
}

const context = (row: RawRow): Context => ({ id: row.row, pinned: row.pinned, updated: row.updated, names: row });

function isIn({ names, updated }: Context, { agent, since = 0, until = Infinity, madeBy }: ListFilter): boolean {
  return (
    (madeBy === undefined || madeBy.includes(names.made_by)) &&
    updated >= since &&
    updated < until &&
    (agent === undefined || decode<string>(names.agent) === agent)
  );
}

import { ShownState } from '../../protocol/message/taskState.ts';
import type { ContextMaker, TaskSummary } from '../../protocol/message/transcript.ts';
import type { Database, Query } from '../database/database.ts';
import type { Indexing, NamesRow } from '../search/indexing.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { fewRows, filterTerms, namesHave, makers, type ListFilter } from './listFilter.ts';
import { byPlace, sortedPage, walk, type Behind, type Place } from './listWalk.ts';
import { summary, summaryColumns, type SummaryRow } from '../rows/taskRows.ts';

/** A task among those of all contexts. */
export interface ListedTask extends TaskSummary {
  readonly agent: string;
}

/** The last task of the previous page. */
export type TaskCursor = Pick<TaskSummary, 'context' | 'taskId' | 'pinned' | 'updatedAt'>;

/** `id` is the id in the name index, `row` the id of the row. */
interface RawRow extends NamesRow {
  readonly row: number;
  readonly pinned: number;
  readonly updated: number;
  readonly agent: string;
  readonly state: ShownState;
  readonly made_by: ContextMaker;
}

interface Task extends Place {
  readonly names: RawRow;
}

const columns = 'SELECT t.id AS row, t.pinned, t.updated, t.agent, t.state, t.made_by, t.title, t.own_title, t.task_id AS id FROM tasks t';

/** Tasks over all contexts, pinned ones first, then the last changed. */
export class TaskList {
  readonly #indexing: Indexing;
  readonly #ofState: Query<RawRow>;
  readonly #ofAgent: Query<RawRow>;
  readonly #byId: Query<RawRow>;
  readonly #idOf: Query<{ id: number }>;
  readonly #summary: Query<SummaryRow & { agent: string }>;

  constructor(database: Database, indexing: Indexing) {
    this.#indexing = indexing;
    const range =
      't.pinned = ? AND t.updated >= ? AND (t.updated, t.id) < (?, ?) AND instr(?, t.made_by) AND t.deleted IS NULL ORDER BY t.updated DESC, t.id DESC LIMIT ?';
    this.#ofState = database.prepare(`${columns} WHERE t.state = ? AND ${range}`);
    this.#ofAgent = database.prepare(`${columns} WHERE t.agent = ? AND t.state = ? AND ${range}`);
    this.#byId = database.prepare(`${columns} WHERE t.id = ? AND t.deleted IS NULL`);
    this.#idOf = database.prepare('SELECT t.id FROM tasks t JOIN contexts c ON c.id = t.context WHERE c.key = ? AND t.task_id = ?');
    this.#summary = database.prepare(`SELECT ${summaryColumns}, t.agent FROM tasks t JOIN contexts c ON c.id = t.context WHERE t.id = ?`);
  }

  page(filter: ListFilter, before: TaskCursor | undefined, limit: number): ListedTask[] {
    const page = { behind: this.#behind(before), limit };
    const terms = filterTerms(filter);
    const few = this.#indexing.fewNamed(terms, fewRows);
    const named = terms.length === 0 ? undefined : ({ names }: Task): boolean => namesHave(names, terms);
    const rows =
      few === undefined
        ? walk((pinned, behind, size) => this.#section(filter, pinned, behind, size), named, page)
        : sortedPage(
            this.#candidates(few).filter(row => isIn(row, filter)),
            named,
            page,
          );
    return rows.flatMap(({ id }) => {
      const row = this.#summary.get(id);
      return row === undefined ? [] : [{ ...summary(row), agent: decode<string>(row.agent) }];
    });
  }

  #behind(before: TaskCursor | undefined): Behind {
    if (before === undefined) return undefined;
    // The last task was deleted meanwhile: those of exactly its time are listed once more.
    const id = this.#idOf.get(before.context, encode(before.taskId))?.id ?? Number.MAX_SAFE_INTEGER;
    return { id, pinned: before.pinned === true ? 1 : 0, updated: before.updatedAt };
  }

  /** The indexes are sorted by state: a section with several states is merged from them. */
  #section(
    filter: ListFilter,
    pinned: number,
    behind: { readonly updated: number; readonly id: number } | undefined,
    size: number,
  ): Task[] {
    const { agent, states = ShownState.options, since = 0, until = Number.MAX_VALUE } = filter;
    const from = behind !== undefined && behind.updated < until ? behind : { updated: until, id: -1 };
    const rest = [pinned, since, from.updated, from.id, makers(filter), size] as const;
    return [...new Set(states)]
      .flatMap(state =>
        (agent === undefined ? this.#ofState.all(state, ...rest) : this.#ofAgent.all(encode(agent), state, ...rest)).map(task),
      )
      .sort(byPlace)
      .slice(0, size);
  }

  #candidates(names: readonly number[]): Task[] {
    return names.flatMap(name => {
      const row = name % 2 === 1 ? this.#byId.get((name - 1) / 2) : undefined;
      return row === undefined ? [] : [task(row)];
    });
  }
}

const task = (row: RawRow): Task => ({ id: row.row, pinned: row.pinned, updated: row.updated, names: row });

function isIn({ names, updated }: Task, { agent, states, since = 0, until = Infinity, madeBy }: ListFilter): boolean {
  return (
    (madeBy === undefined || madeBy.includes(names.made_by)) &&
    updated >= since &&
    updated < until &&
    (agent === undefined || decode<string>(names.agent) === agent) &&
    (states === undefined || states.includes(names.state))
  );
}

import { Problem } from '../../protocol/problem.ts';
import type { Database, Query } from '../database/database.ts';
import type { EntryRows } from '../rows/entryRows.ts';
import { decodeOptional } from '../texts/jsonText.ts';
import { clean, fold, searchedLength, searchTextOf } from './searchText.ts';
import { WordIndex } from './wordIndex.ts';

/** The names of a context or a task, as JSON. */
export interface NamesRow {
  readonly title: string | null;
  readonly own_title: string | null;
  /** Its id from the agent. */
  readonly id: string | null;
}

/** Most rows, and most code units of text, of one step: a few milliseconds, for which other windows wait. */
const rowsOfStep = 64;
const lengthOfStep = 64 * 1024;
/** Most steps before a search. */
const stepsFirst = 12;

/** The word index of the history. Triggers note in `unindexed` what changed, and steps index it. */
export class Indexing {
  readonly entries: WordIndex;
  /** Titles and the agent's ids. A context has twice its id as row id, a task twice its id plus one. */
  readonly names: WordIndex;
  readonly #database: Database;
  readonly #entryRows: EntryRows;
  readonly #any: Query<{ kind: string }>;
  readonly #anyName: Query<{ kind: string }>;
  readonly #names: Query<{ kind: 'context' | 'task'; id: number }>;
  readonly #entries: Query<{ id: number }>;
  readonly #settled: Query<{ id: number }>;
  readonly #namesOf: Record<'context' | 'task', Query<NamesRow>>;
  readonly #done: Query;

  constructor(database: Database, entries: EntryRows) {
    this.#database = database;
    this.entries = new WordIndex(database, 'entry_words');
    this.names = new WordIndex(database, 'name_words');
    this.#entryRows = entries;
    this.#any = database.prepare('SELECT kind FROM unindexed LIMIT 1');
    this.#anyName = database.prepare(`SELECT kind FROM unindexed WHERE kind IN ('context', 'task') LIMIT 1`);
    this.#names = database.prepare(
      `SELECT kind, id FROM unindexed WHERE kind IN ('context', 'task') ORDER BY kind DESC, id DESC LIMIT ${rowsOfStep}`,
    );
    this.#entries = database.prepare(`SELECT id FROM unindexed WHERE kind = 'entry' ORDER BY id DESC LIMIT ${rowsOfStep}`);
    this.#settled = database.prepare(`SELECT id FROM unindexed u WHERE kind = 'entry'
      AND NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.entry = u.id AND a.complete = 0) ORDER BY id DESC LIMIT ${rowsOfStep}`);
    this.#namesOf = {
      context: database.prepare('SELECT title, own_title, context_id AS id FROM contexts WHERE id = ?'),
      task: database.prepare('SELECT title, own_title, task_id AS id FROM tasks WHERE id = ?'),
    };
    this.#done = database.prepare('DELETE FROM unindexed WHERE kind = ? AND id = ?');
  }

  /**
   * Indexes some new rows, the newest first. `settled` leaves out artifacts that still grow, which would be indexed again and again. Returns
   * true if there is more to do.
   */
  step({ settled = false }: { readonly settled?: boolean } = {}): boolean {
    if (this.#database.read(() => this.#any.get()) === undefined) return false;
    return this.#database.write(() => {
      const names = this.#names.all();
      for (const { kind, id } of names) this.#name(kind, id);
      const entries = (settled ? this.#settled : this.#entries).all();
      let length = 0;
      let done = 0;
      for (const { id } of entries) {
        if (length >= lengthOfStep) break;
        length += this.#entry(id);
        done++;
      }
      if (names.length > 0) this.names.merge();
      if (done > 0) this.entries.merge();
      return names.length === rowsOfStep || done < entries.length || entries.length === rowsOfStep;
    });
  }

  /**
   * Ids of contexts and tasks (see `names`) that may have such a name; undefined if there are more than `most`, or if the index has no
   * answer.
   */
  fewNamed(terms: readonly string[], most: number): number[] | undefined {
    if (terms.length === 0 || this.#anyName.get() !== undefined) return undefined;
    const narrowed = this.names.narrow(terms);
    return narrowed === undefined ? undefined : this.names.few(narrowed, most);
  }

  /**
   * Called before a search: indexes new rows as far as that takes no noticeable time. A search also works while another window writes. Returns
   * true if everything is indexed.
   */
  catchUp(): boolean {
    if (this.#database.isReadOnly) return this.#database.read(() => this.#any.get()) === undefined;
    try {
      for (let step = 0; step < stepsFirst; step++) if (!this.step()) return true;
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'history-busy')) throw error;
    }
    return false;
  }

  #name(kind: 'context' | 'task', id: number): void {
    const row = this.#namesOf[kind].get(id);
    if (row !== undefined) this.names.put(nameId(kind, id), fold(namesText(row)));
    this.#done.run(kind, id);
  }

  #entry(seq: number): number {
    const entry = this.#entryRows.bySeq(seq, searchedLength);
    const text = entry === undefined ? '' : searchTextOf(entry);
    this.entries.put(seq, fold(text));
    this.#done.run('entry', seq);
    return text.length;
  }
}

const nameId = (kind: 'context' | 'task', id: number): number => (kind === 'context' ? id * 2 : id * 2 + 1);

/** The text that the filter of a list searches. */
export const namesText = (row: NamesRow): string =>
  clean(
    [row.own_title, row.title, row.id]
      .map(text => decodeOptional<string>(text) ?? '')
      .filter(text => text !== '')
      .join('\n'),
  );

import type { Database, Query } from '../database/database.ts';

/** So many sets of three characters narrow a search down; the rest is compared. */
const mostOfTerm = 8;
const mostOfQuery = 48;
/** A short term that begins more sets of three than this is in so much text that looking through the newest finds it soon. */
const mostBeginnings = 256;
/** So many short terms narrow a search down. */
const mostShort = 4;
/** The index has no such row. */
const nothing = '""';
/** About so many pages are written by one merge. */
const pagesMerged = 32;
/** So that the last characters of a text begin a set of three as well. */
const padding = '\n\n';

/** Proposes rows by sets of three characters. Folded text only; what is proposed may still be wrong, what is left out is not there. */
export class WordIndex {
  readonly #put: Query;
  readonly #merge: Query;
  readonly #beginnings: Query<{ term: string }>;
  readonly #newest: Query<{ id: number }>;
  readonly #few: Query<{ id: number }>;

  /** `table` is one of the schema's. */
  constructor(database: Database, table: 'entry_words' | 'name_words') {
    this.#put = database.prepare(`INSERT OR REPLACE INTO ${table} (rowid, text) VALUES (?, ?)`);
    this.#merge = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${pagesMerged})`);
    this.#beginnings = database.prepare(`SELECT term FROM ${table}_terms WHERE term >= ? AND term < ? LIMIT ${mostBeginnings + 1}`);
    this.#newest = database.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? AND rowid < ? ORDER BY rowid DESC`);
    this.#few = database.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? LIMIT ?`);
  }

  put(id: number, folded: string): void {
    this.#put.run(id, folded + padding);
  }

  /** Some of the work that keeps searches fast; after some rows were put. */
  merge(): void {
    this.#merge.run();
  }

  /** What to ask the index for text with all these terms; undefined where it cannot narrow them down, so that every row has to be looked at. */
  narrow(terms: readonly string[]): string | undefined {
    const sets = terms.flatMap(setsOfThree).slice(0, mostOfQuery);
    if (sets.length > 0) return sets.map(quoted).join(' AND ');
    const choices = terms.map(term => this.#beginnings.all(term, `${term}\u{10FFFF}`).map(row => row.term));
    const narrow = choices.filter(some => some.length <= mostBeginnings);
    if (narrow.some(some => some.length === 0)) return nothing;
    if (narrow.length === 0) return undefined;
    return narrow.slice(0, mostShort).map(some => `(${some.map(quoted).join(' OR ')})`).join(' AND ');
  }

  /** Ids below `before`, the highest first. Read no further than needed. */
  newest(narrowed: string, before: number): Iterable<{ readonly id: number }> {
    return this.#newest.iterate(narrowed, before);
  }

  /** Ids, unless there are more than `most`: undefined then. */
  few(narrowed: string, most: number): number[] | undefined {
    const ids = this.#few.all(narrowed, most + 1).map(row => row.id);
    return ids.length > most ? undefined : ids;
  }
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Some of the term's sets of three characters, from all over it; none of a shorter one. */
function setsOfThree(term: string): string[] {
  const characters = [...term];
  const last = characters.length - 3;
  if (last < 0) return [];
  const step = Math.max(1, last / (mostOfTerm - 1));
  const starts = new Set(Array.from({ length: mostOfTerm }, (_, index) => Math.min(last, Math.round(index * step))));
  return [...starts].map(start => characters.slice(start, start + 3).join(''));
}

import type { Database, Query } from '../database/database.ts';

/** How many trigrams of a term, and of a query, are looked up; the remaining text is compared. */
const maxPerTerm = 8;
const maxPerQuery = 48;
/** A short term that begins more trigrams than this is so frequent that reading the newest rows finds it soon. */
const maxBeginnings = 256;
/** How many short terms are looked up. */
const maxShort = 4;
/** A query that finds no row. */
const nothing = '""';
/** About how many pages one merge writes. */
const pagesMerged = 32;
/** Appended to a text so that its last characters begin a trigram, too. */
const padding = '\n\n';

/** Finds candidate rows by trigrams of folded text. A candidate may be wrong, but no matching row is left out. */
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
    this.#beginnings = database.prepare(`SELECT term FROM ${table}_terms WHERE term >= ? AND term < ? LIMIT ${maxBeginnings + 1}`);
    this.#newest = database.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? AND rowid < ? ORDER BY rowid DESC`);
    this.#few = database.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? LIMIT ?`);
  }

  put(id: number, folded: string): void {
    this.#put.run(id, folded + padding);
  }

  /** Does a part of the merging that keeps searches fast; call it after some rows were put. */
  merge(): void {
    this.#merge.run();
  }

  /** The index query for text with all these terms; undefined if the index cannot narrow them down and every row has to be read. */
  narrow(terms: readonly string[]): string | undefined {
    const sets = terms.flatMap(setsOfThree).slice(0, maxPerQuery);
    if (sets.length > 0) return sets.map(quoted).join(' AND ');
    const choices = terms.map(term => this.#beginnings.all(term, `${term}\u{10FFFF}`).map(row => row.term));
    const narrow = choices.filter(some => some.length <= maxBeginnings);
    if (narrow.some(some => some.length === 0)) return nothing;
    if (narrow.length === 0) return undefined;
    return narrow
      .slice(0, maxShort)
      .map(some => `(${some.map(quoted).join(' OR ')})`)
      .join(' AND ');
  }

  /** Ids below `before`, the highest first. Stop reading when you have enough. */
  newest(narrowed: string, before: number): Iterable<{ readonly id: number }> {
    return this.#newest.iterate(narrowed, before);
  }

  /** Ids; undefined if there are more than `most`. */
  few(narrowed: string, most: number): number[] | undefined {
    const ids = this.#few.all(narrowed, most + 1).map(row => row.id);
    return ids.length > most ? undefined : ids;
  }
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Some of the term's trigrams, spread over it; none for a shorter term. */
function setsOfThree(term: string): string[] {
  const characters = [...term];
  const last = characters.length - 3;
  if (last < 0) return [];
  const step = Math.max(1, last / (maxPerTerm - 1));
  const starts = new Set(Array.from({ length: maxPerTerm }, (_, index) => Math.min(last, Math.round(index * step))));
  return [...starts].map(start => characters.slice(start, start + 3).join(''));
}

import { Problem, sentence } from '../../protocol/problem.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import type { EntryRows } from '../rows/entryRows.ts';
import type { Indexing } from './indexing.ts';
import { decode, decodeOptional, encode } from '../texts/jsonText.ts';
import { fold, searchedLength, searchTextOf, termsOf } from './searchText.ts';

export interface SearchOptions {
  /** Words and parts of words of any script, all of which must occur in one entry; text between quotation marks must occur as it stands. */
  readonly text: string;
  /** Name of an agent. */
  readonly agent?: string;
  /** Only entries of tasks that are in one of these states now. */
  readonly states?: readonly ShownState[];
  /** The time of the entry, in milliseconds since the epoch: from `since` on, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** `next` of the previous page. */
  readonly before?: number;
  /** 50 if left out, at most 200. */
  readonly limit?: number;
}

export interface SearchHit {
  /** The entry. */
  readonly seq: number;
  readonly kind: Entry['kind'];
  readonly at: number;
  /** Key of the context. */
  readonly context: string;
  readonly agent: string;
  readonly taskId?: string;
  readonly state?: ShownState;
  readonly snippet: Snippet;
}

export interface SearchPage {
  /** The newest hits come first. */
  readonly hits: readonly SearchHit[];
  /** Where the next page begins. It may be set although a page is not full, because a page reads only a bounded number of entries. */
  readonly next?: number;
  /** False while older entries are still being indexed: the same search may soon find more. */
  readonly complete: boolean;
}

interface PlaceRow {
  readonly kind: Entry['kind'];
  readonly at: number;
  readonly key: string;
  readonly agent: string;
  readonly task_id: string | null;
  readonly state: ShownState | null;
  readonly gone: number;
}

/** Longest query, in UTF-16 code units. */
const maxQueryLength = 1000;
/** Most entries of a page, and most code units of them that are read: a tenth of a second. */
const maxCandidates = 20_000;
const maxText = 4 * searchedLength;
/** Cost of an entry that is known to belong to a task in another state, where one that is read costs 1. */
const costOfOthers = 0.1;
const fewEntries = 1000;

/** Searches all messages, artifacts and status messages. */
export class Search {
  readonly #database: Database;
  readonly #entries: EntryRows;
  readonly #indexing: Indexing;
  readonly #all: Query<{ id: number }>;
  readonly #place: Query<PlaceRow>;
  readonly #ofState: Query<{ seq: number }>;
  readonly #ofAgent: Query<{ seq: number }>;

  constructor(database: Database, entries: EntryRows, indexing: Indexing) {
    this.#database = database;
    this.#entries = entries;
    this.#indexing = indexing;
    this.#all = database.prepare(`SELECT seq AS id FROM entries WHERE seq < ? ORDER BY seq DESC`);
    const ofTasks = 'SELECT e.seq FROM tasks t JOIN entries e ON e.task = t.id WHERE t.state = ? AND t.deleted IS NULL';
    this.#ofState = database.prepare(`${ofTasks} LIMIT ?`);
    this.#ofAgent = database.prepare(`${ofTasks} AND t.agent = ? LIMIT ?`);
    this.#place = database.prepare(`SELECT e.kind, e.at, c.key, c.agent, t.task_id, t.state,
      c.deleted IS NOT NULL OR t.deleted IS NOT NULL AS gone
      FROM entries e JOIN contexts c ON c.id = e.context LEFT JOIN tasks t ON t.id = e.task WHERE e.seq = ?`);
  }

  /** Throws a `Problem` with code `search-too-long`; a query without a word finds nothing. */
  find(options: SearchOptions): SearchPage {
    if (options.text.length > maxQueryLength) {
      throw new Problem('search-too-long', sentence('The text to search for is longer than {0} characters.', maxQueryLength), {
        nextStep: sentence('Search for a part of it.'),
      });
    }
    const terms = termsOf(options.text);
    if (terms.length === 0) return { hits: [], complete: true };
    const complete = this.#indexing.catchUp();
    // A history that is only read is not indexed: all of its entries are looked at instead.
    const scans = !complete && this.#database.isReadOnly;
    return this.#database.read(() => ({ ...this.#page(terms, options, scans), complete: complete || scans }));
  }

  #page(terms: readonly string[], options: SearchOptions, scans: boolean): { hits: SearchHit[]; next?: number } {
    const limit = Math.min(Math.max(Math.trunc(options.limit ?? 50), 1), 200);
    const before = options.before ?? Number.MAX_SAFE_INTEGER;
    const hits: SearchHit[] = [];
    const only = this.#entriesOf(options);
    let candidates = 0;
    let text = 0;
    for (const { id } of this.#candidates(terms, only, before, scans)) {
      const left = only?.has(id) === false;
      candidates += left ? costOfOthers : 1;
      const place = left ? undefined : this.#place.get(id);
      if (place !== undefined && fits(place, options)) {
        const entry = this.#entries.bySeq(id, searchedLength);
        const searched = entry === undefined ? '' : searchTextOf(entry);
        text += searched.length;
        const snippet = snippetOf(searched, fold(searched), terms);
        if (snippet !== undefined) hits.push(hit(id, place, snippet));
      }
      if (hits.length === limit || candidates >= maxCandidates || text >= maxText) return { hits, next: id };
    }
    return { hits };
  }

  /** Entries below `before` that may contain these terms, the newest first. */
  #candidates(terms: readonly string[], only: Set<number> | undefined, before: number, scans: boolean): Iterable<{ readonly id: number }> {
    // The entries are so few that the index does not help.
    if (only !== undefined && only.size < fewEntries)
      return [...only]
        .filter(seq => seq < before)
        .sort((one, other) => other - one)
        .map(id => ({ id }));
    const narrowed = scans ? undefined : this.#indexing.entries.narrow(terms);
    return narrowed === undefined ? this.#all.iterate(before) : this.#indexing.entries.newest(narrowed, before);
  }

  /** The entries of tasks in these states; undefined if there are many, or if no state is asked for. */
  #entriesOf({ states, agent }: SearchOptions): Set<number> | undefined {
    if (states === undefined) return undefined;
    const rows = [...new Set(states)].flatMap(state =>
      agent === undefined ? this.#ofState.all(state, maxCandidates + 1) : this.#ofAgent.all(state, encode(agent), maxCandidates + 1),
    );
    return rows.length > maxCandidates ? undefined : new Set(rows.map(row => row.seq));
  }
}

function fits(place: PlaceRow, { agent, states, since = -Infinity, until = Infinity }: SearchOptions): boolean {
  return (
    place.gone === 0 &&
    place.at >= since &&
    place.at < until &&
    (agent === undefined || decode<string>(place.agent) === agent) &&
    (states === undefined || (place.state !== null && states.includes(place.state)))
  );
}

const hit = (seq: number, place: PlaceRow, snippet: Snippet): SearchHit =>
  withoutUndefined({
    seq,
    kind: place.kind,
    at: place.at,
    context: place.key,
    agent: decode<string>(place.agent),
    taskId: decodeOptional<string>(place.task_id),
    state: place.state ?? undefined,
    snippet,
  });

/** A piece of text around a match. */
interface Snippet {
  readonly text: string;
  /** Where the terms are in `text`, in order, as UTF-16 offsets `[from, to)`; none overlap. */
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/** How much text is before the first match, and the length of the whole, in UTF-16 code units. */
const before = 40;
const maxLength = 200;

/** Where all terms occur in the text, or undefined. `folded` is the text's fold, code unit for code unit. */
function snippetOf(text: string, folded: string, terms: readonly string[]): Snippet | undefined {
  const places = terms.map(term => folded.indexOf(term));
  if (places.some(place => place < 0)) return undefined;
  const first = Math.min(...places);
  const from = wholeCharacter(text, Math.max(0, first - before));
  const to = wholeCharacter(text, Math.min(text.length, from + maxLength));
  const head = from > 0 ? '…' : '';
  return {
    text: `${head}${text.slice(from, to).replaceAll(/\s/g, ' ')}${to < text.length ? '…' : ''}`,
    matches: matchesIn(folded.slice(from, to), terms).map(([start, end]) => [start + head.length, end + head.length]),
  };
}

function matchesIn(folded: string, terms: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (const term of terms) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) found.push([at, at + term.length]);
  }
  found.sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const [from, to] of found) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Not in the middle of a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at);

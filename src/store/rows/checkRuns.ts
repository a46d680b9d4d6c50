import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database, Query } from '../database/database.ts';
import { encode } from '../texts/jsonText.ts';

/** A run of the conformance suite as lists show it. */
export interface CheckRun {
  readonly id: number;
  /** When it began: milliseconds since the epoch. */
  readonly at: number;
  /** How many MUSTs were broken, and how many other rules. */
  readonly failed: number;
  readonly warned: number;
  /** 1 where all was asked; 0 for a run that was stopped, or whose agent could not be asked to its end. */
  readonly whole: number;
}

/** Runs that are kept of one agent; older ones are deleted with the next. */
const maxRuns = 20;
/** Runs that are kept of all agents. */
const maxAll = 200;
/** Longest report that is kept, in characters of JSON. */
const maxReport = 32 * 1024 * 1024;

/** Runs of the conformance suite, by agent. Reports are opaque JSON here. */
export class CheckRuns {
  readonly #database: Database;
  readonly #add: Query;
  readonly #prune: Query;
  readonly #pruneAll: Query;
  readonly #list: Query<CheckRun>;
  readonly #report: Query<{ report: Uint8Array }>;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database.prepare('INSERT INTO checks (agent, at, failed, warned, whole, report) VALUES (?, ?, ?, ?, ?, ?)');
    this.#prune = database.prepare(
      `DELETE FROM checks WHERE agent = ?1 AND id <= (SELECT id FROM checks WHERE agent = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${maxRuns})`,
    );
    this.#pruneAll = database.prepare(`DELETE FROM checks WHERE id <= (SELECT id FROM checks ORDER BY id DESC LIMIT 1 OFFSET ${maxAll})`);
    this.#list = database.prepare(`SELECT id, at, failed, warned, whole FROM checks WHERE agent = ? ORDER BY id DESC LIMIT ${maxRuns}`);
    this.#report = database.prepare('SELECT report FROM checks WHERE id = ? AND agent = ?');
  }

  /** Keeps a run, and forgets the oldest ones. @throws Problem */
  add(agent: string, { at, failed, warned, whole }: Omit<CheckRun, 'id'>, report: object): void {
    const text = JSON.stringify(report);
    if (text.length > maxReport) return;
    const bytes = deflateRawSync(text);
    this.#database.write(() => {
      this.#add.run(encode(agent), at, failed, warned, whole, bytes);
      this.#prune.run(encode(agent));
      this.#pruneAll.run();
    });
  }

  /** The runs of an agent, the newest first. */
  of(agent: string): readonly CheckRun[] {
    return this.#database.read(() => this.#list.all(encode(agent)));
  }

  /** The report of a run of this agent; undefined for one that is not kept any more. */
  report(agent: string, id: number): unknown {
    const row = this.#database.read(() => this.#report.get(id, encode(agent)));
    return row && (JSON.parse(inflateRawSync(row.report, { maxOutputLength: 4 * maxReport }).toString()) as unknown);
  }
}

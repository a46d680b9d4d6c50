import { hostname } from 'node:os';
import type { Database, Query } from '../database/database.ts';

interface OwnerRow {
  readonly host: string;
  readonly pid: number;
  readonly beat: number;
}

/** An owner on another machine that was silent for so long counts as gone, in milliseconds. */
const silent = 6_000;
/** The same on this machine if its process id exists: the process may be asleep or stopped in a debugger, or the id may belong to another one. */
const longSilent = 15 * 60_000;
/** The same for an owner that a new window replaces: most likely its process is gone. */
const replacedSilent = 60_000;

/**
 * The processes that follow tasks. Only the owner's writes of a task count: an extension host that survives a reload for a moment cannot write
 * the same text a second time.
 */
export class OwnerRows {
  readonly #host = hostname();
  readonly #get: Query<OwnerRow>;
  readonly #put: Query;
  readonly #delete: Query;
  readonly #inheritTasks: Query;
  readonly #inheritMessages: Query;

  constructor(database: Database) {
    this.#get = database.prepare('SELECT host, pid, beat FROM owners WHERE id = ?');
    this.#put = database.prepare(
      'INSERT INTO owners (id, host, pid, beat) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat',
    );
    this.#delete = database.prepare('DELETE FROM owners WHERE id = ?');
    this.#inheritTasks = database.prepare('UPDATE tasks SET owner = ? WHERE owner = ?');
    this.#inheritMessages = database.prepare("UPDATE entries SET owner = ? WHERE owner = ? AND delivery = 'sending'");
  }

  beat(owner: string, at: number): void {
    this.#put.run(owner, this.#host, process.pid, at);
  }

  /** `owner` replaces another process, unless that is alive: a folder may be open in two windows. */
  inherit(owner: string, from: string, at: number): void {
    if (this.isAlive(from, at, replacedSilent)) return;
    this.#inheritTasks.run(owner, from);
    this.#inheritMessages.run(owner, from);
    this.#delete.run(from);
  }

  delete(owner: string): void {
    this.#delete.run(owner);
  }

  /** `longest`: how long a process of this machine may have been silent, in milliseconds. */
  isAlive(owner: string, at: number, longest = longSilent): boolean {
    const row = this.#get.get(owner);
    if (row === undefined) return false;
    if (row.host !== this.#host) return at - row.beat < silent;
    return processExists(row.pid) && at - row.beat < longest;
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

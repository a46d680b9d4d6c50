import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../../src/store/openStore.ts';
import { salvage } from '../../../../src/store/transfer/salvage.ts';
import type { TaskStore } from '../../../../src/store/taskStore.ts';
import { artifact, at, History, is, said } from './history.ts';

/** What became of a history after a misfortune. */
export interface Aftermath {
  /** Where it was set aside; undefined where it opens as it is. */
  readonly setAside: string | undefined;
  /** Tasks that are as they were, in the history or brought over. */
  readonly tasks: number;
  /** The same, of which every row could be read from the damaged file. */
  readonly readable: number;
}

const contexts = 30;
const tasks = 4;

/** The text of a task's artifact. */
const told = (context: number, task: number): string => `picture ${context}-${task} ${'x'.repeat(300)}`;

/** One history with finished tasks, to be damaged over and over again. */
export class WornHistory {
  readonly folder = mkdtempSync(join(tmpdir(), 'a2a-worn-'));
  readonly path = join(this.folder, 'history.db');
  readonly tasks = contexts * tasks;
  readonly #files: ReadonlyMap<string, Buffer>;

  constructor() {
    const history = new History();
    for (let context = 0; context < contexts; context++) {
      const key = `k${context}`;
      history.store.putContext({ key, agent: 'Ann', at });
      for (let task = 0; task < tasks; task++) {
        history.record(key, [
          is(`t${task}`, 'WORKING'),
          artifact(`t${task}`, 'a', told(context, task)),
          is(`t${task}`, 'COMPLETED', said(`m${context}-${task}`, 'done')),
        ]);
      }
      // Half of it is in the log alone, as it is while a window is open.
      if (context === contexts / 2) checkpoint(history.path);
    }
    this.#files = new Map(['', '-wal', '-shm'].map(suffix => [suffix, readFileSync(history.path + suffix)]));
    history.close();
  }

  /** The history as it was before any misfortune. */
  restore(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    for (const [suffix, bytes] of this.#files) writeFileSync(this.path + suffix, bytes);
  }

  bytes(suffix: string): Buffer {
    return Buffer.from(this.#files.get(suffix)!);
  }

  put(suffix: string, bytes: Uint8Array): void {
    writeFileSync(this.path + suffix, bytes);
  }

  /**
   * Opens it, reads all there is, opens it anew where that found a fault, and brings over what can be read. Throws what is no `Problem` that a person
   * is told. `brings`: unless nothing is to be brought over.
   */
  async open({ brings = true } = {}): Promise<Aftermath> {
    const readable = this.#readable();
    let setAside: string | undefined;
    const onDamaged = (where: string): void => {
      setAside = where;
    };
    let store = openStore(this.path, { onDamaged });
    try {
      if (setAside === undefined && !readAll(store)) {
        store.close();
        store = openStore(this.path, { onDamaged });
      }
      if (setAside !== undefined && brings) await salvage(setAside, store.import, at);
      return { setAside, tasks: whole(store).length, readable };
    } finally {
      store.close();
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Tasks whose own rows can all be read, one by one and by their number, and are as they were. */
  #readable(): number {
    const copy = mkdtempSync(join(tmpdir(), 'a2a-worn-copy-'));
    try {
      for (const suffix of ['', '-wal']) if (existsSync(this.path + suffix)) copyFileSync(this.path + suffix, join(copy, `h${suffix}`));
      const raw = new DatabaseSync(join(copy, 'h'));
      try {
        return rowsReadable(raw);
      } finally {
        raw.close();
      }
    } catch {
      return 0;
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

function checkpoint(path: string): void {
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA wal_checkpoint(PASSIVE)');
  raw.close();
}

function rowsReadable(raw: DatabaseSync): number {
  const at = (sql: string, ...values: number[]): Record<string, unknown> | undefined => {
    try {
      return raw.prepare(sql).get(...values);
    } catch {
      return undefined;
    }
  };
  let count = 0;
  for (let id = 1; id <= contexts * tasks; id++) {
    const task = at('SELECT context, task_id FROM tasks NOT INDEXED WHERE id = ?', id);
    const chunk = at('SELECT CAST(coalesce(text, parts) AS TEXT) AS text FROM artifact_chunks NOT INDEXED WHERE id = ?', id);
    const context = at('SELECT key FROM contexts NOT INDEXED WHERE id = ?', Number(task?.['context'] ?? 0));
    const words = told(Math.floor((id - 1) / tasks), (id - 1) % tasks);
    const entries = [3 * id - 2, 3 * id - 1, 3 * id].every(
      seq => at('SELECT body FROM entries NOT INDEXED WHERE seq = ?', seq) !== undefined,
    );
    if (task !== undefined && context !== undefined && entries && String(chunk?.['text']).includes(words)) count++;
  }
  return count;
}

/** False where the history proves to be damaged. */
function readAll(store: TaskStore): boolean {
  try {
    for (const { key } of store.contexts({ limit: 200 })) {
      for (const { taskId } of store.tasks({ context: key })) store.taskDocument(key, taskId);
      store.transcript.entries({ context: key, limit: 200 });
    }
    while (store.indexing.step());
    [...store.export.lines(undefined)].join('');
    store.putContext({ key: `new ${randomUUID()}`, agent: 'Ann', at });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'history-damaged' || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Tasks that are as they were. */
function whole(store: TaskStore): string[] {
  const found: string[] = [];
  for (let context = 0; context < contexts; context++) {
    for (let task = 0; task < tasks; task++) {
      try {
        const document = store.taskDocument(`k${context}`, `t${task}`);
        const [part] = document?.task.artifacts?.[0]?.parts ?? [];
        if (part !== undefined && 'text' in part && part.text === told(context, task)) found.push(`${context}-${task}`);
      } catch {
        // Not whole.
      }
    }
  }
  return found;
}

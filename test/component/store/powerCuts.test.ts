import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { append, at, is, owner, said } from './support/history.ts';

/** So many states of the disk are opened. */
const states = full ? 5_000 : 60;
const seeds = full ? 100 : 3;
const steps = 20;
const sector = 512;
const page = 4_096;

/** Numbers below 1, the same for the same seed. */
function randomly(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The files of a history at one moment. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

/** What was told by then. */
interface Told {
  readonly messages: number;
  readonly ends: number;
}

/** A moment of which the disk has everything, and what has to be found whatever is lost after it. */
interface Moment extends Told {
  readonly files: Files;
}

/** A history that writes what a window does, and copies of its files as a disk may have them when the power is cut. */
class CutHistory {
  readonly folder = mkdtempSync(join(tmpdir(), 'a2a-power-'));
  readonly path = join(this.folder, 'history.db');
  readonly #store: TaskStore;
  readonly #key = 'key';
  #messages = 0;
  #ends = 0;
  #chunks = 0;

  constructor() {
    this.#store = openStore(this.path);
    this.#store.putContext({ key: this.#key, agent: 'Ann', at });
  }

  close(): void {
    this.#store.close();
    rmSync(this.folder, { recursive: true });
  }

  get told(): Told {
    return { messages: this.#messages, ends: this.#ends };
  }

  /** A message before it is sent. */
  message(): void {
    this.#store.own.putMessage(this.#key, { ...said(`m${this.#messages}`, `message ${this.#messages}`), role: 'ROLE_USER' }, { at, owner });
    this.#messages++;
  }

  /** A chunk of the running task. */
  chunk(length: number): void {
    this.#store.record(this.#key, [append('t', 'a', `${this.#chunks++} ${'x'.repeat(length)}`)], { at, owner, follow: true });
  }

  end(): void {
    this.#store.record(this.#key, [is(`done${this.#ends}`, 'WORKING'), is(`done${this.#ends}`, 'COMPLETED')], { at, owner });
    this.#ends++;
  }

  checkpoint(): void {
    const other = new DatabaseSync(this.path);
    other.exec('PRAGMA wal_checkpoint(PASSIVE)');
    other.close();
  }

  files(): Files {
    return { database: readFileSync(this.path), log: readFileSync(`${this.path}-wal`) };
  }
}

/** What the disk has of a file of which it had `before` and was given `after`: any sectors of what changed, or only some of its length. */
function torn(before: Buffer, after: Buffer, random: () => number, unit: number): Buffer {
  const shown = Buffer.from(after);
  const kept = random();
  for (let from = 0; from < after.length; from += unit) {
    const to = Math.min(from + unit, after.length);
    if (before.length >= to && before.compare(after, from, to, from, to) === 0) continue;
    if (random() < kept) continue;
    // What was there, or what a new sector begins with.
    shown.fill(0, from, to);
    if (from < before.length) before.copy(shown, from, from, Math.min(to, before.length));
  }
  return random() < 0.5 ? shown : shown.subarray(0, Math.max(before.length, Math.floor(random() * (after.length + 1))));
}

/** What is wrong with a history in this state; undefined for nothing. */
function wrongWith(path: string, { messages, ends }: Told): string | undefined {
  let aside: string | undefined;
  const store = openStore(path, {
    onDamaged: where => {
      aside = where;
    },
  });
  try {
    if (aside !== undefined) return 'it was taken for damaged';
    const words = store.transcript
      .entries({ context: 'key', limit: 200 })
      .flatMap(entry => (entry.kind === 'message' ? [entry.message.messageId] : []));
    for (let index = 0; index < messages; index++) if (!words.includes(`m${index}`)) return `message ${index} is gone`;
    for (let index = 0; index < ends; index++)
      if (store.task('key', `done${index}`)?.state !== 'TASK_STATE_COMPLETED') return `the end of task ${index} is gone`;
    const parts = store.taskDocument('key', 't')?.task.artifacts?.[0]?.parts ?? [];
    const hole = parts.findIndex((part, index) => !('text' in part) || !/^\d+ x+$/.test(part.text) || !part.text.startsWith(`${index} x`));
    if (hole >= 0) return `a hole at chunk ${hole}`;
    // It goes on.
    store.record('key', [is('next', 'COMPLETED')], { at, owner });
  } finally {
    store.close();
  }
  const raw = new DatabaseSync(path);
  const found = raw
    .prepare('PRAGMA integrity_check')
    .all()
    .map(row => String(row['integrity_check']))
    .join();
  raw.close();
  return found === 'ok' ? undefined : found;
}

suite('power cuts', function () {
  this.timeout(full ? 3_600_000 : 120_000);
  let folder: string;
  let path: string;
  const { exec } = DatabaseSync.prototype;
  /** Hears each commit that the disk is made to have before it returns. */
  let onDurable: () => void;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-power-'));
    path = join(folder, 'history.db');
    onDurable = () => {};
    let synchronous = '';
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
      exec.call(this, sql);
      synchronous = /PRAGMA synchronous = (\w+)/.exec(sql)?.[1] ?? synchronous;
      if (sql === 'COMMIT' && synchronous === 'FULL') onDurable();
    };
  });
  teardown(() => {
    DatabaseSync.prototype.exec = exec;
    rmSync(folder, { recursive: true });
  });

  function put({ database, log }: Files): void {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(path, database);
    writeFileSync(`${path}-wal`, log);
  }

  /** Opens states of a disk that has the base, and whatever of what was written since. Returns what is wrong. */
  function cut(base: Moment, after: Files, wanted: Told, random: () => number): string | undefined {
    put({
      database: torn(base.files.database, after.database, random, page),
      log: torn(base.files.log, after.log, random, sector),
    });
    return wrongWith(path, wanted);
  }

  /** One history; `look` is asked after each step. */
  function live(seed: number, steps: number, look: (history: CutHistory, base: Moment, random: () => number) => void): void {
    const random = randomly(seed);
    const history = new CutHistory();
    try {
      let base: Moment = { ...history.told, files: history.files() };
      onDurable = () => {
        base = { ...base, files: history.files() };
      };
      const durably = (work: () => void): void => {
        const before = base.files;
        work();
        // What is told now has to be on the disk; where no commit waited for it, the files are as they were.
        base = { ...history.told, files: base.files === before ? before : base.files };
      };
      for (let step = 0; step < steps; step++) {
        const kind = random();
        if (kind < 0.15) durably(() => history.message());
        else if (kind < 0.3) durably(() => history.end());
        else if (kind < 0.4) {
          // It writes the log, then the database, and waits for each; then the log may begin anew.
          const before = history.files();
          history.checkpoint();
          const after = history.files();
          look(history, { ...base, files: { ...before, log: after.log } }, random);
          base = { ...base, files: after };
        } else history.chunk(random() < 0.2 ? 40_000 : 500);
        look(history, base, random);
      }
    } finally {
      history.close();
    }
  }

  test(`${states} states of the disk open, with every intent and every end of a task`, () => {
    const wrong: string[] = [];
    let count = 0;
    const each = Math.ceil(states / seeds / steps);
    for (let seed = 1; seed <= seeds; seed++) {
      live(seed, steps, (history, base, random) => {
        const after = history.files();
        for (let round = 0; round < each; round++) {
          count++;
          const found = cut(base, after, base, random);
          if (found !== undefined) wrong.push(`seed ${seed}, state ${count}: ${found}`);
        }
      });
    }
    figure(
      'F13',
      { states: count, 'opened wrongly': wrong.length },
      `${count} states of the disk after a cut (seeds 1 to ${seeds}), ${wrong.length} of them wrong`,
    );
    assert.deepEqual(wrong, []);
    assert.ok(count >= states);
  });

  test('a commit that is told before the disk has it is caught', () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= 4; seed++) {
      live(seed, steps, (history, base, random) => {
        const found = wrong.length > 0 ? undefined : cut(base, history.files(), { ...base, ends: base.ends + 1 }, random);
        if (found !== undefined) wrong.push(found);
      });
    }
    assert.ok(
      wrong.some(one => /end of task/.test(one)),
      wrong.join(),
    );
    caught('F13', 'a commit that is told before the disk has it');
  });
});

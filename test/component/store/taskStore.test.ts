import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { EntryUpdate } from '../../../src/protocol/message/transcript.ts';
import { walIsSound } from '../../../src/store/database/database.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';

const owner = 'me';
const at = 1_700_000_000_000;
const message = (messageId: string, text = messageId): Message => ({ messageId, role: 'ROLE_USER', parts: [{ text }] });
const said = (messageId: string, text = messageId): Message => ({ messageId, role: 'ROLE_AGENT', parts: [{ text }] });
const began = (taskId: string, contextId?: string): TaskChange => ({ kind: 'task', taskId, contextId });
const is = (taskId: string, word: string, words?: Message): TaskChange => ({
  kind: 'status',
  taskId,
  status: { state: `TASK_STATE_${word}` as TaskState, ...(words && { message: words }) },
});
const artifact = (taskId: string, artifactId: string, ...texts: string[]): TaskChange => ({
  kind: 'artifact',
  taskId,
  artifact: { artifactId, parts: texts.map(text => ({ text })) },
  complete: false,
});
const append = (taskId: string, artifactId: string, text: string, complete = false): TaskChange => ({
  kind: 'append',
  taskId,
  artifactId,
  parts: [{ text }],
  complete,
});

suite('TaskStore', () => {
  let folder: string;
  let path: string;
  let store: TaskStore;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-store-'));
    path = join(folder, 'history.db');
    store = openStore(path);
  });
  teardown(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  const reopen = (): void => {
    store.close();
    store = openStore(path);
  };
  const context = (agent = 'Ann'): string => {
    const key = randomUUID();
    store.putContext({ key, agent, at });
    return key;
  };
  const record = (key: string, changes: readonly TaskChange[], options = {}) => store.record(key, changes, { at, owner, ...options });

  test('a status that was asked for is marked as that, after a restart too, and keeps the mark when it is repeated', () => {
    const key = context();
    const marks = (updates: readonly EntryUpdate[]): unknown =>
      updates.flatMap(update => (update.type === 'put' ? [[update.entry.untimed, update.entry.polled]] : []));
    const polled = record(key, [began('t'), is('t', 'COMPLETED')], { polled: true });
    const again = { kind: 'status', taskId: 't', status: { state: 'TASK_STATE_COMPLETED' }, metadata: { progress: 100 } } as const;
    assert.deepEqual([marks(polled.updates), marks(record(key, [again]).updates)], [[[undefined, true]], [[undefined, true]]]);
    // The agent's own members of these names are none of ours.
    const named = { state: 'TASK_STATE_WORKING', polled: true, untimed: true } as const;
    assert.deepEqual(marks(record(key, [{ kind: 'status', taskId: 'u', status: named }]).updates), [[undefined, undefined]]);
    reopen();
    const entries = store.transcript.entries({ context: key });
    assert.deepEqual(
      entries.map(entry => [entry.taskId, entry.at, entry.untimed, entry.polled]),
      [
        ['t', at, undefined, true],
        ['u', at, undefined, undefined],
      ],
    );
    assert.deepEqual(store.linkedTasks(key).tasks[0]?.states, [{ state: 'TASK_STATE_COMPLETED', at }]);
  });

  test('another end of a task that was over has no time where it was asked for later, whatever time the agent gives it', () => {
    for (const first of ['COMPLETED', 'CANCELED', 'WORKING']) {
      const key = context();
      record(key, [began(first), is(first, first)]);
      const timestamp = new Date(at + 99_000).toISOString();
      const asked: TaskChange = { kind: 'status', taskId: first, status: { state: 'TASK_STATE_FAILED', timestamp } };
      record(key, [asked], { at: at + 100_000, late: true });
      const last = store.transcript.lastEntry(key, first);
      assert.deepEqual(
        [last?.kind === 'status' && last.state, last?.untimed],
        ['TASK_STATE_FAILED', first === 'WORKING' ? undefined : true],
      );
    }
  });

  test('keeps everything over a restart', () => {
    const key = context();
    const { seq } = store.own.putMessage(key, message('u', 'Draw a boat'), { at, owner });
    record(key, [began('t', 'c'), is('t', 'WORKING', said('w')), artifact('t', 'a', 'x'), append('t', 'a', 'y', true)], {
      answers: seq,
      exchangeId: 'e',
    });
    record(key, [is('t', 'COMPLETED', said('done'))], { exchangeId: 'e' });
    store.own.putProblem(key, new Problem('p', sentence('It broke: {0}', 'x'), { nextStep: sentence('Mend it.'), details: 'd' }), {
      at,
      taskId: 't',
    });
    store.own.putGap(key, sentence('Cut'), { at, taskId: 't' });
    reopen();
    assert.deepEqual(store.taskDocument(key, 't')?.task, {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED', message: said('done') },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }],
      history: [message('u', 'Draw a boat'), said('w')],
    });
    assert.deepEqual(store.transcript.entries({ context: key }), [
      { seq, at, kind: 'message', taskId: 't', exchangeId: 'e', message: message('u', 'Draw a boat'), delivery: 'sent' },
      { seq: seq + 1, at, kind: 'status', taskId: 't', exchangeId: 'e', state: 'TASK_STATE_WORKING', message: said('w') },
      {
        seq: seq + 2,
        at,
        kind: 'artifact',
        taskId: 't',
        exchangeId: 'e',
        artifact: { artifactId: 'a', parts: [{ text: 'xy' }] },
        complete: true,
        chunks: 2,
      },
      { seq: seq + 3, at, kind: 'status', taskId: 't', exchangeId: 'e', state: 'TASK_STATE_COMPLETED', message: said('done') },
      {
        seq: seq + 4,
        at,
        kind: 'problem',
        taskId: 't',
        code: 'p',
        sentence: sentence('It broke: {0}', 'x'),
        nextStep: sentence('Mend it.'),
        details: 'd',
      },
      { seq: seq + 5, at, kind: 'gap', taskId: 't', reason: sentence('Cut') },
    ]);
    assert.deepEqual(store.context(key), {
      key,
      agent: 'Ann',
      contextId: 'c',
      title: 'Draw a boat',
      createdAt: at,
      updatedAt: at,
      madeBy: 'person',
      tasks: 1,
      waiting: 0,
      newestState: 'TASK_STATE_COMPLETED',
    });
    assert.deepEqual(store.task(key, 't'), {
      taskId: 't',
      context: key,
      state: 'TASK_STATE_COMPLETED',
      title: 'Draw a boat',
      createdAt: at,
      updatedAt: at,
    });
    assert.equal(store.contextById('Ann', 'c')?.key, key);
    assert.equal(store.contextOfTask('Ann', 't')?.key, key);
    assert.equal(store.contextOfTask('Bob', 't'), undefined);
  });

  test('tells exactly what a reader would find: applying the updates gives the entries', () => {
    const key = context();
    const shown = new Map<number, unknown>();
    const take = ({ updates }: { readonly updates: readonly { type: string; seq?: number; entry?: { seq: number } }[] }): void => {
      for (const update of updates) {
        if (update.type === 'put') shown.set(update.entry!.seq, update.entry);
        else shown.set(update.seq!, 'appended');
      }
    };
    take(record(key, [began('t'), artifact('t', 'a', 'x')]));
    assert.deepEqual([...shown.values()], store.transcript.entries({ context: key }));
    take(record(key, [append('t', 'a', 'y')]));
    assert.deepEqual([...shown.values()], ['appended']);
    take(record(key, [append('t', 'a', 'z', true), is('t', 'WORKING'), is('t', 'WORKING'), is('t', 'COMPLETED')]));
    assert.deepEqual([...shown.values()].slice(1), store.transcript.entries({ context: key }).slice(1));
  });

  test('the chunk that ends an artifact says so, and brings nothing of it again', () => {
    const key = context();
    record(key, [began('t'), artifact('t', 'a', 'x')]);
    const { updates } = record(key, [append('t', 'a', 'y'), append('t', 'a', 'z', true)]);
    const [entry] = store.transcript.entries({ context: key });
    assert.deepEqual(updates, [{ type: 'append', seq: entry?.seq, parts: [{ text: 'yz' }], chunks: 3, complete: true }]);
    assert.ok(entry?.kind === 'artifact' && entry.complete);
  });

  test('neighbouring appends are one update that says how many there were', () => {
    const key = context();
    record(key, [began('t'), artifact('t', 'a', 'x')]);
    const { updates } = record(key, [append('t', 'a', '1'), append('t', 'a', '2'), append('t', 'a', '3')]);
    const [entry] = store.transcript.entries({ context: key });
    assert.deepEqual(updates, [{ type: 'append', seq: entry?.seq, parts: [{ text: '123' }], chunks: 4 }]);
  });

  test('many appends are told in pieces that can be shown one after another, each with the chunks there are by then', () => {
    const key = context();
    record(key, [began('t'), artifact('t', 'a', 'x')]);
    const { updates } = record(key, [
      ...Array.from({ length: 25 }, (_, index) => append('t', 'a', String.fromCharCode(97 + index).repeat(200))),
      append('t', 'a', '', true),
    ]);
    assert.deepEqual(
      updates.map(update =>
        update.type === 'append'
          ? [update.parts.map(part => ('text' in part ? part.text.length : 0)), update.chunks, update.complete]
          : undefined,
      ),
      [
        [[2200], 12, undefined],
        [[2200], 23, undefined],
        [[600], 27, true],
      ],
    );
    assert.equal(
      updates
        .flatMap(update => (update.type === 'append' ? update.parts : []))
        .map(part => ('text' in part ? part.text : ''))
        .join('').length,
      5000,
    );
  });

  test('a status said again moves its time and makes no second entry', () => {
    const key = context();
    const working = (timestamp: string): TaskChange => ({
      kind: 'status',
      taskId: 't',
      status: { state: 'TASK_STATE_WORKING', timestamp },
    });
    record(key, [began('t'), working('1')]);
    const { updates } = record(key, [working('2')]);
    assert.equal(updates.length, 1);
    assert.deepEqual(
      store.transcript.entries({ context: key }).map(entry => entry.kind === 'status' && entry.timestamp),
      ['2'],
    );
    assert.deepEqual(store.taskDocument(key, 't')?.task.status, { state: 'TASK_STATE_WORKING', timestamp: '2' });
  });

  test('progress moves in the one entry of its status; an update without any takes none back', () => {
    const key = context();
    const working = (progress?: number): TaskChange => ({
      kind: 'status',
      taskId: 't',
      status: { state: 'TASK_STATE_WORKING' },
      ...(progress !== undefined && { metadata: { progress } }),
    });
    record(key, [began('t'), working()]);
    for (const progress of [10, 50, undefined, 50]) record(key, [working(progress)]);
    const { updates } = record(key, [working(90)]);
    const [entry] = store.transcript.entries({ context: key });
    assert.deepEqual(updates, [{ type: 'put', entry }]);
    assert.deepEqual(
      store.transcript.entries({ context: key }).map(told => told.kind === 'status' && told.metadata),
      [{ progress: 90 }],
    );
    record(key, [is('t', 'COMPLETED')]);
    assert.deepEqual(
      store.transcript.entries({ context: key }).map(told => told.kind === 'status' && told.metadata),
      [{ progress: 90 }, undefined],
    );
  });

  test("the person's message in the agent's history is not a second message", () => {
    const key = context();
    store.own.putMessage(key, message('u'), { at, owner });
    record(key, [began('t'), { kind: 'message', taskId: 't', message: message('u') }]);
    assert.deepEqual(
      store.transcript.entries({ context: key }).map(entry => [entry.kind, entry.taskId]),
      [['message', 't']],
    );
    assert.equal(store.task(key, 't')?.title, 'u');
  });

  const hostile = [
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u0000',
    '"; DROP TABLE entries; --',
    '\u202etxt.exe',
    '\uffff',
    '__proto__',
    '\u2028',
    '𝄞',
  ];
  for (const text of hostile) {
    test(`keeps ${JSON.stringify(text)} in every place`, () => {
      const key = context(text);
      const { seq } = store.own.putMessage(key, message(`u${text}`, text), { at, owner });
      record(
        key,
        [
          began(text, text),
          is(text, 'WORKING', said(`w${text}`, text)),
          artifact(text, text, text),
          { kind: 'task', taskId: text, metadata: { [text]: text } },
          { kind: 'finding', taskId: text, finding: { rule: 'STRM-03', pointer: text, message: text } },
        ],
        { answers: seq },
      );
      const binary = {
        ...exchange('e'),
        failure: text,
        request: { ...exchange('e').request, bytes: 'AQID' },
        response: { status: 200, headers: [], bytes: 'BAU=', trailers: [['grpc-status', '0']] as const },
      };
      store.putWire(key, { exchanges: [binary], frames: new Map([['e', [{ seq: 0, at, data: text, bytes: 'Bg==' }]]]) });
      reopen();
      assert.deepEqual(store.taskDocument(key, text)?.task, {
        id: text,
        contextId: text,
        status: { state: 'TASK_STATE_WORKING', message: said(`w${text}`, text) },
        artifacts: [{ artifactId: text, parts: [{ text }] }],
        history: [message(`u${text}`, text)],
        metadata: JSON.parse(JSON.stringify({ [text]: text })),
      });
      assert.deepEqual(store.task(key, text)?.findings, [{ rule: 'STRM-03', pointer: text, message: text }]);
      assert.equal(store.contexts({ agent: text })[0]?.key, key);
      assert.equal(store.contextById(text, text)?.key, key);
      assert.deepEqual(store.exchange('e')?.exchange, binary);
      assert.deepEqual(store.exchange('e')?.frames, [{ seq: 0, at, data: text, bytes: 'Bg==' }]);
    });
  }

  test('a status cannot pass itself off as another entry', () => {
    const key = context();
    const status = { state: 'TASK_STATE_WORKING', seq: 99, kind: 'message', taskId: 'other', delivery: 'sent' } as never;
    record(key, [began('t'), { kind: 'status', taskId: 't', status }]);
    const [entry] = store.transcript.entries({ context: key });
    assert.deepEqual([entry?.kind, entry?.taskId, entry?.seq === 99], ['status', 't', false]);
  });

  test('pages do not overlap and miss nothing', () => {
    const keys = Array.from({ length: 25 }, (_, index) => {
      const key = context();
      // Five at a time have the same moment.
      store.own.putMessage(key, message(`u${index}`), { at: at + Math.floor(index / 5), owner });
      return key;
    });
    const seen: string[] = [];
    for (let before: { key: string; updatedAt: number } | undefined; ; ) {
      const page = store.contexts({ agent: 'Ann', before, limit: 4 });
      if (page.length === 0) break;
      seen.push(...page.map(one => one.key));
      before = page.at(-1);
    }
    assert.deepEqual(seen, keys.toReversed());

    const [key] = keys as [string];
    record(
      key,
      Array.from({ length: 30 }, (_, index) => is(`t${index}`, 'WORKING')),
    );
    const entries: number[] = [];
    for (let before: number | undefined; ; ) {
      const page = store.transcript.entries({ context: key, before, limit: 7 });
      if (page.length === 0) break;
      entries.unshift(...page.map(entry => entry.seq));
      before = page[0]?.seq;
    }
    assert.equal(entries.length, 31);
    assert.deepEqual(
      entries,
      entries.toSorted((one, other) => one - other),
    );
    const tasks: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = store.tasks({ context: key, before, limit: 8 });
      if (page.length === 0) break;
      tasks.push(...page.map(task => task.taskId));
      before = page.at(-1)?.taskId;
    }
    assert.deepEqual(
      tasks,
      Array.from({ length: 30 }, (_, index) => `t${29 - index}`),
    );
  });

  test('a page is never longer than the store allows', () => {
    const key = context();
    record(
      key,
      Array.from({ length: 300 }, (_, index) => is(`t${index}`, 'WORKING')),
    );
    assert.equal(store.transcript.entries({ context: key, limit: 1e9 }).length, 201);
    assert.equal(store.transcript.entries({ context: key, limit: -5 }).length, 1);
  });

  test('a context in which nothing happened is in no list, and goes in time', () => {
    const empty = context();
    const used = context();
    store.own.putMessage(used, message('u'), { at, owner });
    assert.deepEqual(
      store.contexts({ agent: 'Ann' }).map(one => one.key),
      [used],
    );
    store.sweep(at + 1);
    assert.equal(store.context(empty), undefined);
    assert.notEqual(store.context(used), undefined);
  });

  test('a context that begins with a file in a data: URI is called by its kind', () => {
    const key = context();
    record(key, [{ kind: 'message', message: { ...message('u'), parts: [{ url: 'data:image/png;base64,AAAA' }] } }]);
    assert.equal(store.context(key)?.title, 'image/png');
  });

  test('a title has the words of a message without the marks of Markdown around them', () => {
    for (const [text, title] of [
      ['hello **there**, what is `new`?', 'hello there, what is new?'],
      ['## Plan _this_ [trip](https://example.com/x)', 'Plan this trip'],
      ['call __init__ of snake_case_name, 2 * 3 * 4', 'call __init__ of snake_case_name, 2 * 3 * 4'],
      ['**', '**'],
    ] as const) {
      const key = context();
      record(key, [{ kind: 'message', message: { ...message('u'), parts: [{ text }] } }]);
      assert.equal(store.context(key)?.title, title);
    }
  });

  test('a task without a word is something that happened', () => {
    const key = context();
    record(key, [began('t')]);
    assert.deepEqual(
      store.contexts({ agent: 'Ann' }).map(({ title }) => title),
      ['t'],
    );
    store.sweep(at + 1);
    assert.notEqual(store.context(key), undefined);
  });

  test('deleting a context takes all of it and nothing else', () => {
    const [gone, kept] = [context(), context()];
    for (const key of [gone, kept]) {
      const { seq } = store.own.putMessage(key, message('u'), { at, owner });
      record(key, [began('t'), artifact('t', 'a', 'x')], { answers: seq });
      store.putWire(key, { exchanges: [exchange(`e-${key}`)], frames: new Map([[`e-${key}`, [{ seq: 0, at, data: 'x' }]]]) });
    }
    store.deleteContext(gone);
    assert.equal(store.exchange(`e-${gone}`), undefined);
    assert.equal(store.exchange(`e-${kept}`)?.frames.length, 1);
    assert.throws(() => record(gone, [began('t')]), { code: 'no-context' });
    store.close();
    const raw = new DatabaseSync(path);
    for (const table of ['contexts', 'tasks', 'artifacts', 'artifact_chunks', 'exchanges', 'frames']) {
      assert.equal(raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'], 1, table);
    }
    raw.close();
  });

  test('counts what waits, and finds the task that waited last', () => {
    const key = context();
    record(key, [began('t'), is('t', 'INPUT_REQUIRED'), began('v'), is('v', 'WORKING')]);
    record(key, [began('u'), is('u', 'AUTH_REQUIRED')], { at: at + 1 });
    assert.equal(store.waiting(), 2);
    assert.equal(store.context(key)?.waiting, 2);
    assert.equal(store.waitingTask(key)?.taskId, 'u');
    record(key, [is('u', 'COMPLETED')], { at: at + 2 });
    assert.equal(store.waitingTask(key)?.taskId, 't');
  });

  test('ten thousand appends write ten thousand chunks and no more', () => {
    const pagesAfter = (appends: number): number => {
      const file = join(folder, `n${appends}.db`);
      const big = openStore(file);
      const key = randomUUID();
      big.putContext({ key, agent: 'Ann', at });
      big.record(key, [began('t'), artifact('t', 'a', 'x')], { at, owner });
      for (let index = 0; index < appends; index += 100) {
        // Two artifacts in turns, so that every append is a row of its own.
        big.record(
          key,
          Array.from({ length: 100 }, (_, one) => append('t', one % 2 === 0 ? 'a' : 'b', `${index + one} `)),
          { at, owner },
        );
      }
      const document = big.taskDocument(key, 't')?.task;
      assert.equal(
        document?.artifacts?.reduce((sum, one) => sum + one.parts.length, 0),
        appends + 1,
      );
      big.close();
      const raw = new DatabaseSync(file);
      const { n } = raw.prepare('SELECT count(*) AS n FROM artifact_chunks').get() as { n: number };
      assert.equal(n, appends + 1);
      const { page_count: pages } = raw.prepare('PRAGMA page_count').get() as { page_count: number };
      raw.close();
      return pages;
    };
    const ratio = pagesAfter(10_000) / pagesAfter(5_000);
    assert.ok(ratio < 2.1, `twice the chunks took ${ratio} times the space`);
  });

  test('only the owner of a task writes to it', () => {
    const key = context();
    store.leases.enter('a', { at });
    store.leases.enter('b', { at });
    record(key, [began('t'), artifact('t', 'x', '1')], { owner: 'a', follow: true });
    assert.deepEqual(record(key, [append('t', 'x', 'twice')], { owner: 'b' }), { updates: [], rev: 2, disowned: ['t'] });
    assert.equal(store.leases.claim(key, 't', 'b', { at }), false);
    assert.equal(store.leases.claim(key, 't', 'b', { at, force: true }), true);
    assert.deepEqual(record(key, [append('t', 'x', 'late')], { owner: 'a' }).disowned, ['t']);
    assert.deepEqual(record(key, [append('t', 'x', '2')], { owner: 'b' }).disowned, []);
    assert.deepEqual(store.taskDocument(key, 't')?.task.artifacts?.[0]?.parts, [{ text: '1' }, { text: '2' }]);
  });

  test('a task whose owner left is unfinished, one that is followed is not', () => {
    const key = context();
    store.leases.enter('a', { at });
    record(key, [began('t'), is('t', 'WORKING')], { owner: 'a', follow: true });
    assert.deepEqual(store.leases.unfinished('b', { at, all: true }), []);
    store.leases.leave('a');
    assert.deepEqual(
      store.leases.unfinished('b', { at, all: false }).map(task => task.taskId),
      ['t'],
    );
    store.leases.claim(key, 't', 'b', { at });
    record(key, [is('t', 'COMPLETED')], { owner: 'b' });
    assert.deepEqual(store.leases.unfinished('b', { at, all: true }), []);
  });

  test('a task that was let go is picked up at the next start only', () => {
    const key = context();
    record(key, [began('t'), is('t', 'WORKING')], { follow: true });
    store.leases.release(key, 't', owner, false);
    assert.deepEqual(store.leases.unfinished('b', { at, all: false }), []);
    assert.deepEqual(
      store.leases.unfinished('b', { at, all: true }).map(task => task.taskId),
      ['t'],
    );
  });

  test('who replaces a process that is gone has what it had at once, and nothing of one that is alive', () => {
    const key = context();
    store.leases.enter('old', { at });
    record(key, [began('t'), is('t', 'WORKING')], { owner: 'old', follow: true });
    const { seq } = store.own.putMessage(key, message('u'), { at, owner: 'old' });
    store.leases.enter('new', { at, replaces: 'old' });
    assert.deepEqual([store.leases.unfinished('new', { at, all: false }), store.leases.stranded('new', at)], [[], []]);
    assert.deepEqual([store.leases.isElsewhere(key, 't', 'new', at), store.leases.isElsewhere(key, 't', 'old', at)], [true, false]);
    const later = at + 61_000;
    store.leases.enter('new', { at: later, replaces: 'old' });
    assert.equal(store.leases.isElsewhere(key, 't', 'new', later), false);
    assert.deepEqual(
      store.leases.unfinished('new', { at, all: false }).map(task => task.taskId),
      ['t'],
    );
    assert.deepEqual(store.leases.stranded('new', at), [{ context: key, seq }]);
    assert.deepEqual(record(key, [is('t', 'COMPLETED')], { owner: 'old' }).disowned, ['t']);
  });

  test('what another process wrote is seen', () => {
    const key = context();
    store.own.putMessage(key, message('mine'), { at, owner });
    const revision = store.revision(key);
    store.changedElsewhere();
    assert.equal(store.changedElsewhere(), false);
    const other = openStore(path);
    other.own.putMessage(key, message('theirs'), { at, owner: 'other' });
    other.close();
    assert.equal(store.changedElsewhere(), true);
    assert.equal(store.changedElsewhere(), false);
    const { entries, rev } = store.transcript.changedEntries(key, revision);
    assert.deepEqual(
      entries.map(entry => entry.kind === 'message' && entry.message.messageId),
      ['theirs'],
    );
    assert.equal(rev, revision + 1);
  });

  test('card fetches are kept up to a bound', () => {
    for (let index = 0; index < 250; index++) store.putWire(undefined, { exchanges: [exchange(`e${index}`)], frames: new Map() });
    assert.equal(store.exchange('e0'), undefined);
    assert.notEqual(store.exchange('e249'), undefined);
    assert.notEqual(store.exchange('e50'), undefined);
  });

  suite('findings', () => {
    const finding = { rule: 'DATA-04', pointer: '/status/timestamp', message: 'no time' } as const;
    const folded = { rule: 'STRM-03', pointer: '', message: 'late' } as const;
    const wire = (id: string, ...findings: Exchange['findings']) => ({ exchanges: [{ ...exchange(id), findings }], frames: new Map() });

    test('are listed with their exchange, those of reading it and those of putting it together, also over a restart', () => {
      const key = context();
      const other = context();
      store.putWire(key, wire('clean'));
      record(key, [began('t'), { kind: 'finding', taskId: 't', finding: folded }], { exchangeId: 'e', wire: wire('e', finding) });
      store.putWire(key, wire('e', finding, finding));
      store.putWire(other, wire('f', finding));
      reopen();
      assert.deepEqual(
        store.deviantExchanges(key).map(({ exchangeId, operation, findings }) => [exchangeId, operation, findings]),
        [['e', exchange('e').operation, [finding, finding, folded]]],
      );
      assert.deepEqual(store.exchange('e')?.exchange.findings, [finding, finding, folded]);
      assert.deepEqual(store.deviantExchanges('no such context'), []);
    });

    test('an exchange is found in its own context only', () => {
      const key = context();
      const other = context();
      store.putWire(key, wire('e'));
      store.putWire(undefined, wire('card'));
      assert.equal(store.exchangeOf(key, 'e')?.exchange.id, 'e');
      assert.deepEqual(
        [store.exchangeOf(other, 'e'), store.exchangeOf(key, 'card'), store.exchangeOf('no such context', 'e')],
        [undefined, undefined, undefined],
      );
    });
  });

  test('refuses the history of a newer version and leaves it as it is', () => {
    store.close();
    const raw = new DatabaseSync(path);
    const { user_version: current } = raw.prepare('PRAGMA user_version').get() as { user_version: number };
    raw.exec(`PRAGMA user_version = ${current + 1}`);
    raw.close();
    assert.throws(() => openStore(path), { name: 'Problem', code: 'history-newer' });
    assert.deepEqual(
      readdirSync(folder).filter(name => name.includes('damaged')),
      [],
    );
    const again = new DatabaseSync(path);
    again.exec(`PRAGMA user_version = ${current}`);
    again.close();
    store = openStore(path);
  });

  for (const [name, spoil] of [
    ['a file of rubbish', (file: string) => writeFileSync(file, 'not a database, not at all, by any means whatsoever'.repeat(100))],
    [
      'a damaged schema',
      (file: string) => {
        const bytes = readFileSync(file, 'latin1');
        writeFileSync(file, bytes.replaceAll('CREATE TABLE tasks', 'CREATE TAXLE tasks'), 'latin1');
      },
    ],
  ] as const) {
    test(`${name} is set aside, not deleted`, () => {
      store.close();
      spoil(path);
      let aside = '';
      store = openStore(path, {
        onDamaged: set => {
          aside = set;
        },
      });
      assert.ok(
        readdirSync(folder).some(file => join(folder, file) === aside),
        aside,
      );
      const key = context();
      store.own.putMessage(key, message('u'), { at, owner });
      assert.equal(store.transcript.entries({ context: key }).length, 1);
    });
  }

  test('a folder that is not there is a problem with a next step', () => {
    assert.throws(
      () => openStore(join(folder, 'none', 'history.db')),
      (error: unknown) => error instanceof Problem && error.code === 'history-unopened' && error.nextStep !== undefined,
    );
  });

  test('a transaction that fails leaves nothing behind', () => {
    const key = context();
    const bad = {
      kind: 'status',
      taskId: 't',
      status: { state: 'TASK_STATE_WORKING', message: { messageId: 'm', role: 'ROLE_AGENT', parts: null } },
    };
    assert.throws(() => record(key, [began('t'), artifact('t', 'a', 'x'), bad as never]));
    assert.deepEqual(store.transcript.entries({ context: key }), []);
    assert.equal(store.task(key, 't'), undefined);
    record(key, [began('t')]);
    assert.notEqual(store.task(key, 't'), undefined);
  });
});

const exchange = (id: string): Exchange => ({
  id,
  operation: 'SendMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
  startedAt: at,
  findings: [],
});

suite('walIsSound', () => {
  const table: readonly (readonly [version: string, sound: boolean])[] = [
    ['3.44.5', false],
    ['3.44.6', true],
    ['3.45.0', false],
    ['3.50.4', false],
    ['3.50.7', true],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.52.0', true],
    ['4.0.0', true],
    ['', false],
  ];
  for (const [version, sound] of table) test(`${version || 'unknown'}: ${sound}`, () => assert.equal(walIsSound(version), sound));
});

import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import type { Problem } from '../../../src/protocol/problem.ts';
import type { Rescued } from '../../../src/store/transfer/historyRescue.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { LiveTask } from '../../support/model/liveTask.ts';
import { fast, looked, startWorld, textOf, until, word, type World } from '../../support/model/world.ts';

/** Contexts that were there before, with a finished task each. */
const before = 40;

interface Place {
  readonly path: string;
  readonly folder: string;
}

const misfortunes: readonly {
  readonly what: string;
  readonly happens: (place: Place) => void;
  /** All of it is saved; undefined where that depends on what SQLite has in memory; otherwise what was under way, and what could still be read. */
  readonly whole: boolean | undefined;
  /** Something of the old one is left, and kept. */
  readonly aside: boolean;
}[] = [
  {
    what: 'is deleted with all its files',
    whole: true,
    aside: false,
    happens: ({ path }) => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    },
  },
  { what: 'is deleted, and its log stays', whole: true, aside: true, happens: ({ path }) => rmSync(path) },
  { what: 'loses its folder', whole: true, aside: false, happens: ({ folder }) => rmSync(folder, { recursive: true }) },
  {
    what: 'is moved elsewhere',
    whole: true,
    aside: false,
    happens: ({ path, folder }) => {
      for (const suffix of ['', '-wal', '-shm']) renameSync(path + suffix, join(dirname(folder), `moved${suffix}`));
    },
  },
  { what: 'loses its log', whole: true, aside: true, happens: ({ path }) => rmSync(`${path}-wal`) },
  { what: 'loses the index of its log', whole: true, aside: true, happens: ({ path }) => rmSync(`${path}-shm`) },
  { what: 'is emptied', whole: false, aside: true, happens: ({ path }) => truncateSync(path, 0) },
  {
    what: 'is cut in the middle',
    whole: undefined,
    aside: true,
    happens: ({ path }) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096),
  },
  {
    what: 'is written over',
    whole: false,
    aside: true,
    happens: ({ path }) => writeFileSync(path, 'nothing of a database, whatever one may say'.repeat(5_000)),
  },
  {
    what: 'is replaced by another one',
    whole: false,
    aside: false,
    happens: ({ path, folder }) => {
      const other = join(folder, 'other.db');
      openStore(other).close();
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix);
      renameSync(other, path);
    },
  },
];

suite('a history that is lost while it is in use', () => {
  let world: World;
  let live: LiveTask;
  let http: Http;
  let folder: string;
  let path: string;
  const closing: (() => void)[] = [];
  setup(async () => {
    live = new LiveTask();
    world = await startWorld({ version: '1.0', script: live.script });
    http = new Http({ loadObserver });
    folder = join(dirname(world.path), 'storage');
    mkdirSync(folder);
    path = join(folder, 'history.db');
    const store = openStore(path);
    for (let count = 0; count < before; count++) {
      store.putContext({ key: `k${count}`, agent: 'Ann', at: count + 1 });
      store.record(
        `k${count}`,
        [
          {
            kind: 'artifact',
            taskId: `t${count}`,
            artifact: { artifactId: 'a', parts: [{ text: `${count} ${'x'.repeat(2_000)}` }] },
            complete: true,
          },
          { kind: 'status', taskId: `t${count}`, status: { state: 'TASK_STATE_COMPLETED' } },
        ],
        { at: count + 1, owner: 'before' },
      );
    }
    store.close();
  });
  teardown(async () => {
    for (const close of closing.splice(0)) close();
    await http.close();
    await world.close();
  });

  function open() {
    const rescued: Rescued[] = [];
    const errors: unknown[] = [];
    let atWork = false;
    const onError = (error: unknown): void => {
      errors.push(error);
    };
    const onLost = (): void => {
      if (atWork) return;
      atWork = true;
      contexts
        .rescue(openStore)
        .then(what => rescued.push(what), onError)
        .finally(() => {
          atWork = false;
        });
    };
    const store = openStore(path, { onLost });
    const agents = new Agents({ http, onError });
    agents.configure({ Ann: { url: world.agent.url } });
    const contexts: AgentContexts = new AgentContexts({ store, agents, timing: fast, onError, owner: `window ${closing.length}` });
    contexts.resume();
    closing.push(() => {
      contexts.dispose();
      store.close();
    });
    return { contexts, rescued, errors, store };
  }
  const textIn = (contexts: AgentContexts, key: string): string => contexts.get(key)?.task('t')?.artifacts?.map(textOf).join('') ?? '';

  for (const { what, happens, whole, aside } of misfortunes) {
    test(`and ${what} is noticed, and goes on in a new one`, async () => {
      const { contexts, rescued, errors, store } = open();
      const { key } = contexts.create('Ann');
      contexts.get(key)!.send({ parts: [{ text: 'Write' }], target: 'new-task' });
      await until(() => world.agent.requests.some(({ operation }) => operation === 'SendStreamingMessage'));
      live.say('one ');
      await until(() => textIn(contexts, key) === 'one ');
      // What is in the log alone survives whatever happens to the file.
      const raw = new DatabaseSync(path);
      raw.exec('PRAGMA wal_checkpoint(PASSIVE)');
      raw.close();
      live.say('two ');
      await until(() => textIn(contexts, key) === 'one two ');
      happens({ path, folder });
      await until(() => rescued.length > 0);
      live.say('three');
      live.end();
      await until(() => contexts.get(key)?.taskState('t') === 'TASK_STATE_COMPLETED');
      await looked({ store }, 3);
      assert.deepEqual(
        rescued.map(one => [one.whole, one.setAside !== undefined]),
        [[whole ?? rescued[0]?.whole, aside]],
        JSON.stringify(rescued),
      );
      for (const close of closing.splice(0)) close();
      // Of a file that is cut SQLite may say so before anybody has looked.
      assert.deepEqual(
        errors.filter(error => whole === true || (error as Problem).code !== 'history-damaged'),
        [],
      );
      const anew = openStore(path, { onDamaged: () => assert.fail('the new one is damaged') });
      closing.push(() => anew.close());
      assert.equal(anew.taskDocument(key, 't')?.task.artifacts?.map(textOf).join(''), live.text);
      const said = anew.transcript.entries({ context: key }).map(word);
      assert.ok(
        said.some(entry => entry.startsWith('I: Write')),
        said.join(', '),
      );
      assert.equal(said.at(-1), 'completed');
      const kept = Array.from({ length: before }, (_, count) => anew.taskDocument(`k${count}`, `t${count}`)).filter(
        task => task !== undefined,
      ).length;
      if (rescued[0]!.whole) assert.equal(kept, before);
      else
        console.log(
          `      ${kept} of ${before} tasks of the history ${rescued[0]!.brought.unreadable > 0 ? `, not readable: ${rescued[0]!.brought.unreadable}` : ''}`,
        );
      const asides = readdirSync(folder).filter(name => name.includes('.lost-'));
      assert.equal(asides.length > 0, aside, asides.join());
      assert.deepEqual(
        readdirSync(folder).filter(name => name.includes('rescue')),
        [],
      );
    });
  }

  test('by two windows is written anew once, with what both have', async () => {
    const [one, two] = [open(), open()];
    const { key } = one.contexts.create('Ann');
    one.contexts.get(key)!.send({ parts: [{ text: 'Write' }], target: 'new-task' });
    live.say('one ');
    await until(() => textIn(one.contexts, key) === 'one ');
    const other = two.contexts.create('Ann').key;
    two.store.record(other, [{ kind: 'message', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'also here' }] } }], {
      at: Date.now(),
      owner: 'two',
    });
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    await until(() => one.rescued.length > 0 && two.rescued.length > 0);
    live.end();
    await until(() => one.contexts.get(key)?.taskState('t') === 'TASK_STATE_COMPLETED');
    for (const close of closing.splice(0)) close();
    assert.deepEqual([...one.errors, ...two.errors], []);
    assert.deepEqual(
      [one.rescued, two.rescued].map(({ length }) => length),
      [1, 1],
    );
    const store = openStore(path, { onDamaged: () => assert.fail('the new one is damaged') });
    closing.push(() => store.close());
    assert.equal(store.listTasks({ limit: 200 }).length, before + 1);
    assert.equal(store.taskDocument(key, 't')?.task.artifacts?.map(textOf).join(''), 'one ');
    assert.equal(store.transcript.entries({ context: other }).map(word).join(), 'agent: also here');
    assert.ok(existsSync(path) && readFileSync(path).length > 0);
  });
});

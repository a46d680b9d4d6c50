import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { SendRequestOptions } from '../../../src/model/requests/sendContext.ts';
import { SnapshotFile } from '../../../src/model/snapshotFile.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import type { Script } from '../../../src/mock/script.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { eventually } from '../../support/eventually.ts';
import { CancellationTokenSource, Uri } from '../../support/fakeVscode.ts';
import { startWorld, type Window, type World } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RequestItems } = await import('../../../src/workbench/requests/testing/requestItems.ts');
const { TestRuns } = await import('../../../src/workbench/requests/testing/testRuns.ts');

/** Items of the Test Explorer as VS Code keeps them. */
class Items {
  readonly #items = new Map<string, Item>();
  readonly #parent: Item | undefined;

  constructor(parent?: Item) {
    this.#parent = parent;
  }

  get size(): number {
    return this.#items.size;
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  add(item: Item): void {
    item.parent = this.#parent;
    this.#items.set(item.id, item);
  }

  replace(items: readonly Item[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }

  [Symbol.iterator](): Iterator<[string, Item]> {
    return this.#items[Symbol.iterator]();
  }
}
class Item {
  readonly id: string;
  readonly uri: unknown;
  readonly children = new Items(this);
  parent: Item | undefined;
  label = '';

  constructor(id: string, uri: unknown) {
    this.id = id;
    this.uri = uri;
  }
}

suite('tests of request files', () => {
  let world: World;
  let window: Window;
  let restore: () => void;
  let told: string[];
  let output: string[];
  let stop: CancellationTokenSource;
  let answers = 0;
  let finished = false;
  const working = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } as const;
  /** Sends a request by its lens. */
  let resend: (label: string) => Promise<unknown>;
  let runOf: (label: string) => RequestRun;
  let messages: readonly { readonly contextValue?: string; readonly expectedOutput?: string; readonly actualOutput?: string }[];
  const script: Script = {
    SendStreamingMessage: ({ params }) =>
      JSON.stringify(params?.message.parts).includes('slow')
        ? [{ event: working }, { stall: true }]
        : JSON.stringify(params?.message.parts).includes('lost')
          ? [{ event: working }]
          : [{ event: { message: { messageId: `m${++answers}`, role: 'ROLE_AGENT', parts: [{ text: 'done' }] } } }],
    SubscribeToTask: [{ error: { code: -32601, message: 'No such method' } }],
    GetTask: () => [{ answer: { id: 't', contextId: 'c', status: { state: finished ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING' } } }],
    CancelTask: [{ answer: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_CANCELED' } } }],
  };
  setup(async () => {
    [told, output, stop] = [[], [], new CancellationTokenSource()];
    world = await startWorld({ version: '1.0', script });
    window = world.open();
  });
  teardown(async () => {
    restore();
    await world.close();
  });

  /** What the agent was sent, in order. */
  const sent = (): readonly string[] =>
    world.agent.requests
      .filter(({ operation }) => operation === 'SendStreamingMessage')
      .map(({ body }) => (JSON.parse(body) as { params: { message: { parts: [{ text: string }] } } }).params.message.parts[0].text);

  /** The file in the Test Explorer, and what runs all of it or an item by its label. */
  function show(requests: readonly object[], options: SendRequestOptions = {}): (label?: string) => Promise<void> {
    const text = JSON.stringify({ agent: 'Ann', requests });
    const uri = Uri.file('/nowhere/checks.a2a');
    const document = {
      uri,
      languageId: 'a2a',
      version: 1,
      getText: () => text,
      positionAt: (offset: number) => ({ line: 0, character: offset }),
    } as never;
    restore = inPlaceOf('workspace', {
      textDocuments: [{ uri }],
      getWorkspaceFolder: () => undefined,
      openTextDocument: async () => document,
    });
    const all = new Items();
    const run = {
      enqueued: () => undefined,
      started: () => undefined,
      end: () => undefined,
      appendOutput: (line: string) => void output.push(line.trim()),
      ...Object.fromEntries(
        ['passed', 'failed', 'errored', 'skipped'].map(verdict => [
          verdict,
          ({ label }: Item, given: unknown) => {
            told.push(`${label} ${verdict}`);
            if (Array.isArray(given)) messages = given as typeof messages;
          },
        ]),
      ),
    };
    const controller = {
      items: all,
      createTestRun: () => run,
      createTestItem: (id: string, _: string, of: unknown) => new Item(id, of),
    };
    const items = new RequestItems(controller as never);
    const file = readRequestFile(text);
    const item = new Item(uri.toString(), uri);
    all.add(item);
    items.show(item as never, document, file.requests);
    const runs = new RequestRuns({ agents: window.agents, contexts: window.contexts } as never, error => assert.fail(String(error)));
    const sender = {
      prepare: async (_: unknown, isWanted: (entry: (typeof file.requests)[number]) => boolean) => ({
        session: { runs },
        file,
        entries: file.requests.filter(isWanted),
        options,
      }),
    };
    const testRuns = new TestRuns({ controller, sender, items } as never);
    const find = (label: string, within: Items = all): Item | undefined => {
      for (const [, each] of within) {
        const found = each.label === label ? each : find(label, each.children);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    runOf = label => runs.get(label)!;
    resend = label => runs.send(file.requests.find(({ name }) => name === label)!, file, {}).done;
    return async label => {
      told = [];
      const include = label === undefined ? undefined : [find(label) ?? assert.fail(`no item "${label}"`)];
      await testRuns.run({ include, exclude: [] } as never, stop.token as never);
    };
  }
  const done = { text: 'done' };

  test('a failed snapshot shows both answers, and passes once the new one is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'a2a-snapshots-'));
    try {
      await mkdir(join(folder, '__snapshots__'));
      const kept = join(folder, '__snapshots__', 'checks.a2a.snap.json');
      await writeFile(kept, '{ "first": { "role": "ROLE_AGENT" }, "rows [b]": {} }');
      const snapshots = new SnapshotFile(join(folder, 'checks.a2a'), { root: folder, writes: 'new', secrets: new SecretValues() });
      const expect = { snapshot: true };
      const rows = { name: 'rows', message: 'quick', each: [{ name: 'a' }, { name: 'b' }], expect };
      const run = show([{ name: 'first', message: 'quick', expect }, { name: 'new', message: 'quick', expect }, rows], { snapshots });
      await run();
      assert.deepEqual(told, ['first failed', 'new passed', 'a passed', 'b failed']);
      assert.ok(output.includes('The snapshot was written to __snapshots__/checks.a2a.snap.json.'), output.join());
      const [message] = messages;
      assert.deepEqual([message?.contextValue, message?.expectedOutput], ['a2a-snapshot', '{}']);
      assert.match(message?.actualOutput ?? '', /"text": "done"/);
      told = [];
      runOf('first').acceptSnapshots();
      await eventually(() => assert.deepEqual(told, ['first passed']));
      runOf('rows').acceptSnapshots(0);
      assert.equal(
        runOf('rows').outcome?.expectations?.every(({ ok }) => ok),
        false,
        'only the row that is meant',
      );
      told = [];
      runOf('rows').acceptSnapshots(1);
      await eventually(() => assert.deepEqual(told, ['a passed', 'b passed']));
      assert.equal((JSON.parse(await readFile(kept, 'utf8')) as { first: Message }).first.parts.length, 1);
      await run();
      assert.deepEqual(told, ['first passed', 'new passed', 'a passed', 'b passed']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('the output has why a task is only polled, while it is', async () => {
    finished = false;
    const run = show([{ name: 'first', message: 'lost', expect: { state: 'completed' } }]);
    const ended = run();
    await eventually(() =>
      assert.deepEqual(output, [
        'first: The agent ended the stream before the task finished. Polling every few seconds; not finished yet.',
      ]),
    );
    finished = true;
    await ended;
    assert.deepEqual([told, output.length], [['first passed'], 2]);
  });

  test('each row of data is a test; cancelling leaves those that are over as they are, and stops the agent', async () => {
    const row = (name: string, how: string): object => ({ name, how });
    const run = show([
      { name: 'first', message: 'quick', expect: done },
      {
        name: 'cities',
        message: '{{how}} {{name}}',
        each: [row('Oslo', 'quick'), row('Rome', 'quick'), row('Turku', 'slow'), row('Lima', 'quick')],
        expect: done,
      },
    ]);
    const ended = run();
    await eventually(() => assert.deepEqual(sent(), ['quick', 'quick Oslo', 'quick Rome', 'slow Turku']));
    await eventually(() => assert.deepEqual(told, ['first passed', 'Oslo passed', 'Rome passed']));
    stop.cancel();
    await ended;
    assert.deepEqual(told, ['first passed', 'Oslo passed', 'Rome passed', 'Turku skipped', 'Lima skipped']);
    assert.ok(world.agent.requests.some(({ operation }) => operation === 'CancelTask'));
    // One row alone.
    stop = new CancellationTokenSource();
    const before = sent().length;
    await run('Lima');
    assert.deepEqual([told, sent().slice(before)], [['Lima passed'], ['quick Lima']]);
  });

  test('a test whose need gave no answer is skipped where that is told beside it, and an error of its own where not', async () => {
    const run = show([
      { name: 'unreachable', agent: 'http://127.0.0.1:9/', message: 'quick', expect: done },
      { name: 'dependent', message: 'quick {{unreachable.state}}', expect: done },
      { name: 'unexpected', message: 'quick', expect: { text: 'other' } },
      { name: 'goes on', after: 'unexpected', message: 'quick', expect: done },
    ]);
    await run();
    assert.deepEqual(told, ['unreachable errored', 'dependent skipped', 'unexpected failed', 'goes on passed']);
    await run('dependent');
    assert.deepEqual(told, ['dependent errored']);
  });

  test('what comes of a request that its lens sends is the result of its test, if that has one', async () => {
    const run = show([
      { name: 'one', message: 'quick', expect: { text: 'other' } },
      { name: 'two', message: 'quick', expect: done },
    ]);
    await resend('two');
    assert.deepEqual(told, []);
    await run('one');
    await run('one');
    assert.deepEqual(told, ['one failed']);
    await resend('one');
    await resend('one');
    await resend('two');
    await eventually(() => assert.deepEqual(told, ['one failed', 'one failed', 'one failed']));
    await run();
    assert.deepEqual(told, ['one failed', 'two passed']);
  });

  test('the contexts that it makes are those of tests', async () => {
    await show([{ name: 'one', message: 'quick', expect: done }])();
    assert.deepEqual(told, ['one passed']);
    const { contexts } = window;
    assert.deepEqual(contexts.page({ agent: 'Ann', madeBy: ['person', 'file', 'agent'] }).items, []);
    assert.equal(contexts.page({ agent: 'Ann', madeBy: ['test'] }).items.length, 1);
  });
});

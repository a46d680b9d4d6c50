import * as assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Player } from '../../../src/recording/player.ts';
import { readRecording, recordingText } from '../../../src/recording/recording.ts';
import { runTerminal } from '../../support/cli/runTerminal.ts';
import { says, startWorld, type Window, type World } from '../../support/model/world.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { exchangeOf, is, said } from '../store/support/history.ts';

const { exportHistory } = await import('../../../src/workbench/history/exporting.ts');
const { askForRecording, recordableOf } = await import('../../../src/workbench/history/recordingExport.ts');
const { importTasks } = await import('../../../src/workbench/history/importing.ts');
const { cleanUpHistory } = await import('../../../src/workbench/history/cleanup.ts');
const { HistorySearch } = await import('../../../src/workbench/history/search.ts');

const tasks = 250;
const at = 1_700_000_000_000;

interface Row {
  readonly label: string;
  readonly description?: string;
}

suite('what a history tells of itself', () => {
  let world: World;
  let window: Window;
  let file: string;
  /** What the person is told: in notifications, and while something is under way. */
  let told: string[];
  let progress: { readonly message?: string; readonly increment?: number }[];
  /** The name that a dialog suggests for a file. */
  let suggested: string;
  let restore: () => void;

  setup(async () => {
    world = await startWorld({
      version: '1.0',
      script: { SendStreamingMessage: [{ event: { message: says('m', 'ACME: ann@work.test') } }] },
    });
    window = world.open();
    file = join(dirname(world.path), 'out.jsonl');
    [told, progress] = [[], []];
    restore = inPlaceOf('window', {
      showQuickPick: async (rows: readonly Row[]) => rows[0],
      showSaveDialog: async ({ defaultUri }: { readonly defaultUri: { readonly path: string } }) => {
        suggested = basename(defaultUri.path);
        return Uri.file(file);
      },
      showOpenDialog: async () => [Uri.file(file)],
      showInformationMessage: async (text: string) => void told.push(text),
      showWarningMessage: async (text: string) => void told.push(text),
      withProgress: (_: unknown, work: (told: { report: (one: object) => void }, token: object) => Promise<unknown>) =>
        work({ report: one => void progress.push(one) }, { isCancellationRequested: false }),
    });
  });
  teardown(async () => {
    restore();
    await world.close();
  });

  /** One context with this many tasks. */
  function write(count: number, context = 'c'): void {
    window.store.putContext({ key: context, agent: 'Ann', at });
    for (let index = 0; index < count; index++) {
      const id = `${context}-t${index}`;
      window.store.record(context, [is(id, 'WORKING'), is(id, 'COMPLETED', said(`m-${id}`, `harbour ${id}`))], {
        at: at + index,
        owner: 'me',
      });
    }
  }
  const nothingMeant = { argument: undefined, rows: undefined, selection: [] };

  test('an export tells how many of all tasks are done, and how many it wrote', async () => {
    write(tasks);
    await exportHistory(window.contexts, window.agents, nothingMeant);
    assert.deepEqual(
      progress.map(({ message }) => message),
      ['100 of 250', '200 of 250'],
    );
    assert.deepEqual(
      progress.map(({ increment }) => increment),
      [40, 40],
    );
    assert.deepEqual(told, [`Exported to ${file}. Lines: 250.`]);
    assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, tasks);
  });

  test('an import tells how much of the file is read, and how many tasks are new', async () => {
    write(tasks);
    await exportHistory(window.contexts, window.agents, nothingMeant);
    const other = await startWorld({ version: '1.0', script: {} });
    try {
      [told, progress] = [[], []];
      const { contexts } = other.open();
      await importTasks(contexts);
      assert.match(progress.at(-1)?.message ?? '', /^100 %$/);
      assert.deepEqual(told, ['Imported from out.jsonl: 250 new tasks. Tasks already in the history: 0.']);
      assert.equal(contexts.page({ agent: contexts.agentNames()[0]!, limit: 10 }).items[0]?.tasks, tasks);
      await importTasks(contexts);
      assert.equal(told.at(-1), 'Imported from out.jsonl: 0 new tasks. Tasks already in the history: 250.');
    } finally {
      await other.close();
    }
  });

  test('a hit of the search names its task beside its context', async () => {
    const typed = new EventEmitter<string>();
    const never = () => ({ dispose: () => undefined });
    const pick = {
      value: '',
      items: [] as readonly Row[],
      busy: false,
      onDidChangeValue: typed.event,
      onDidAccept: never,
      onDidTriggerItemButton: never,
      onDidHide: never,
      show: () => undefined,
    };
    const close = inPlaceOf('window', { createQuickPick: () => pick });
    try {
      const ask = (id: string, text: string) => ({ ...said(`q-${id}`, text), role: 'ROLE_USER' as const, taskId: id });
      window.store.putContext({ key: 'c', agent: 'Ann', at });
      for (const [index, [id, text]] of [
        ['one', 'Book a berth'],
        ['two', 'Tell the tides'],
      ].entries()) {
        window.store.record(
          'c',
          [{ kind: 'message', taskId: id!, message: ask(id!, text!) }, is(id!, 'COMPLETED', said(`m-${id}`, `harbour ${id}`))],
          { at: at + index, owner: 'me' },
        );
      }
      HistorySearch.open({ contexts: window.contexts, openEntry: async () => undefined, openArtifact: async () => undefined }, 'harbour');
      await eventually(() => assert.equal(pick.items.length, 2));
      const [second, first] = pick.items.map(({ description }) => description?.split(' · ').slice(1));
      assert.deepEqual([first, second], [['Book a berth'], ['Book a berth', 'Tell the tides']]);
    } finally {
      close();
    }
  });
  /** What the menu of a context's row hands over. */
  const rowMeant = (key: string) => {
    const context = window.contexts.page({ agent: 'Ann' }).items.find(each => each.key === key);
    return { argument: { kind: 'context', context, parent: {} }, rows: undefined, selection: [] };
  };

  test('a row is exported alone, under its name; of what is imported again, a bad line is told with its number', async () => {
    write(1);
    write(2, 'd');
    await exportHistory(window.contexts, window.agents, rowMeant('d'));
    assert.match(suggested, /^harbour d-t.\.jsonl$/);
    const text = readFileSync(file, 'utf8');
    assert.equal(text.trimEnd().split('\n').length, 2);
    appendFileSync(file, '{"no": "task"}\n');
    window.contexts.remove([{ context: 'd' }]);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, 1);
    await importTasks(window.contexts);
    assert.match(told.at(-1) ?? '', /Unreadable lines: 1. First: line 3: /);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, 2);
  });

  test('one row alone is exported as a transcript, too', async () => {
    const last = inPlaceOf('window', { showQuickPick: async (rows: readonly Row[]) => rows.at(-1) });
    write(1);
    await exportHistory(window.contexts, window.agents, rowMeant('c'));
    last();
    assert.match(suggested, /\.md$/);
    assert.match(readFileSync(file, 'utf8'), /^# [^]*harbour c-t0/);
    assert.deepEqual(told, [`Exported to ${file}.`]);
  });

  test('a conversation is exported as a recording once what is replaced was seen, and the recording plays', async () => {
    const { contexts, agents } = window;
    const context = contexts.create('Ann');
    context.send({ parts: [{ text: 'hello' }], target: 'new-task' });
    await eventually(() => assert.ok(context.exchanges().items[0]?.endedAt !== undefined));
    const asked: string[] = [];
    const answers = ['Replace More…', 'Save…', undefined];
    const back = inPlaceOf('window', {
      showQuickPick: async (rows: readonly Row[]) => rows.find(({ label }) => label.startsWith('Recording')),
      showInformationMessage: async (text: string, options: { readonly detail?: string } | string) => {
        if (typeof options === 'string') return void told.push(text);
        asked.push(options.detail ?? '');
        return answers.shift();
      },
      showInputBox: async () => 'ACME=some company',
    });
    try {
      const summary = contexts.page({ agent: 'Ann' }).items[0]!;
      const meant = { argument: { kind: 'context', context: summary, parent: {} }, rows: undefined, selection: [] };
      await exportHistory(contexts, agents, meant);
      assert.match(suggested, /^hello\.a2a-recording\.jsonl$/);
      assert.deepEqual(asked, [
        'Requests: 1. Credentials are masked.\nReplaced: e-mail addresses (1 ×).\nA text that was streamed in several pieces is not found: look at the file before you give it away.',
        'Requests: 1. Credentials are masked.\nReplaced: some company (1 ×), e-mail addresses (1 ×).\nA text that was streamed in several pieces is not found: look at the file before you give it away.',
      ]);
      const written = join(dirname(file), 'out.a2a-recording.jsonl');
      const text = readFileSync(written, 'utf8');
      assert.doesNotMatch(text, /ACME|ann@/);
      const player = new Player(readRecording(text), { speed: 0, isLoose: false, onError: error => assert.fail(error as Error) });
      await player.start();
      assert.match((await runTerminal(['send', player.url, 'hello'])).out, /^some company: person1@example\.com\n$/);
      await player.stop();
      await exportHistory(contexts, agents, meant);
      assert.equal(readFileSync(written, 'utf8'), text);
      assert.equal(told.length, 1);
    } finally {
      back();
    }
  });

  test('a recording has the requests to the agent alone, the oldest first', async () => {
    const { contexts, agents, store } = window;
    const exchange = (id: string, more: object = {}) =>
      ({ ...exchangeOf(id), startedAt: at + Number(id), endedAt: at + Number(id), ...more }) as Exchange;
    store.putContext({ key: 'c', agent: 'Ann', at });
    const exchanges = [exchange('1'), exchange('2', { received: { outcome: 'applied', verdicts: [] } }), exchange('3')];
    store.putWire('c', { exchanges, frames: new Map() });
    const back = inPlaceOf('window', { showInformationMessage: async () => 'Save…' });
    try {
      const recording = readRecording(recordingText((await askForRecording(recordableOf(contexts, { context: 'c' }), agents))!));
      const times = recording.exchanges.map(one => one.exchange.startedAt);
      assert.deepEqual([recording.recordedAt, ...times], [at + 1, at + 1, at + 3]);
    } finally {
      back();
    }
  });

  test('a clean-up says first what would go, and nothing goes without a yes', async () => {
    const asked: string[] = [];
    const answers = [undefined, 'Delete'];
    const back = inPlaceOf('window', {
      showWarningMessage: async (_: string, { detail }: { readonly detail: string }) => {
        asked.push(detail);
        return answers.shift();
      },
    });
    write(1);
    const left = (): number => window.contexts.page({ agent: 'Ann' }).items.length;
    await cleanUpHistory(window.contexts);
    assert.equal(left(), 1);
    await cleanUpHistory(window.contexts);
    back();
    assert.equal(asked.length, 2);
    for (const said of asked) assert.match(said, /^Tasks: 1, contexts: 1 \(with their exchanges\), other exchanges: 0/);
    assert.equal(left(), 0);
    assert.match(told.join(), /^Deleted: tasks: 1,/);
  });

  test('a clean-up of one agent, of tasks older than a number of days, says first what would go, and is undone', async () => {
    const asked: unknown[] = [];
    const answer = async (text: string, ...more: readonly unknown[]): Promise<unknown> => {
      asked.push([text, ...more.map(one => (typeof one === 'object' ? (one as { readonly detail: string }).detail : one))]);
      return more.at(-1);
    };
    const back = inPlaceOf('window', {
      showQuickPick: async (rows: readonly Row[]) => rows.find(({ label }) => /Older Than/.test(label)),
      showInputBox: async ({ validateInput }: { readonly validateInput: (typed: string) => unknown }) => {
        asked.push(['', '-1', 'two', '2'].map(typed => validateInput(typed) === undefined));
        return '2';
      },
      showWarningMessage: answer,
      showInformationMessage: answer,
    });
    write(1);
    window.store.putContext({ key: 'other', agent: 'Ben', at });
    window.store.record('other', [is('other', 'COMPLETED')], { at, owner: 'me' });
    const seen: number[] = [];
    const listener = window.contexts.onDidChange(() => seen.push(window.contexts.count({}, 9)));
    await cleanUpHistory(window.contexts, 'Ann');
    await eventually(() => assert.equal(window.contexts.count({}, 9), 2));
    listener.dispose();
    back();
    assert.deepEqual([seen, window.contexts.count({ agent: 'Ann' }, 9)], [[1, 2], 1]);
    assert.match(
      JSON.stringify(asked),
      /^\[\[false,false,false,true\],\["Delete this from the history\?","Tasks: 1, contexts: 1 [^"]*MB\.[^"]*for one hour[^"]*","Delete"\],\["Deleted: tasks: 1, [^"]*","Undo"\]\]$/,
    );
  });
});

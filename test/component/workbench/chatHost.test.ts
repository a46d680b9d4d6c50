import * as assert from 'node:assert/strict';
import type { Draft } from '../../../src/chat/host/draft.ts';
import type { Requests } from '../../../src/chat/host/messages.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { RemoteListings } from '../../../src/model/contexts/remoteListings.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { StoredExchange } from '../../../src/workbench/documents/exchangeText.ts';
import { chatPanelHost, type PanelHost } from '../../support/chatPanelHost.ts';
import { emptyDraft } from '../../support/emptyDraft.ts';
import { eventually } from '../../support/eventually.ts';
import { chunk, first, says, startWorld, status, task, taskOf, until, type Window, word, type World } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

type Replayed = Requests['replay']['result'];

suite('what the page of a chat asks its host', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  let host: PanelHost;
  let opened: (readonly [StoredExchange, finding: number | undefined])[];
  let stored: Draft | undefined;
  const drafts = { read: async () => stored, keep: async () => undefined };

  function show(): void {
    opened = [];
    stored = undefined;
    host = chatPanelHost(context, {
      agents: window.agents,
      drafts: drafts as never,
      openExchange: async (kept, finding) => void opened.push([kept, finding]),
    });
  }
  async function begin(script: Script): Promise<void> {
    world = await startWorld({ version: '1.0', script });
    window = world.open();
    context = window.contexts.create('Ann');
    show();
  }
  teardown(async () => {
    host.dispose();
    await world.close();
  });
  const send = (text: string) => context.send({ parts: [{ text }], target: 'new-task' });
  /** The exchange of the last message. */
  const exchangeId = (): string => context.exchanges({ limit: 1 }).items[0]?.id ?? assert.fail('nothing was sent');

  test('Stop cancels the task at the agent', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
      CancelTask: [{ answer: taskOf('CANCELED') }],
    });
    const { done } = send('hi');
    await until(() => context.tasks().length === 1);
    await host.request('stop', null);
    assert.equal((await done).task?.status.state, 'TASK_STATE_CANCELED');
  });

  test('a context that is deleted has no tab', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')] });
    await send('hi').done;
    assert.equal(host.isClosed(), false);
    window.contexts.remove([{ context: context.key }]);
    await eventually(() => assert.equal(host.isClosed(), true));
  });

  test('what deviates from the protocol is in its first answer, and leads to the finding of the exchange', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED'), chunk('too late', first)] });
    await send('hi').done;
    await eventually(async () => {
      const { findings = [] } = (await host.request('ready', null)) ?? {};
      assert.deepEqual(
        findings.map(found => [found.exchangeId, ...found.lines.map(({ rule, title, ignoredTexts }) => [rule, title, ignoredTexts])]),
        [[exchangeId(), ['STRM-03', 'Nothing follows a terminal state', ['too late']]]],
      );
    });
    await host.request('openExchange', { exchangeId: exchangeId(), finding: 0 });
    assert.deepEqual(
      opened.map(([{ exchange }, finding]) => [exchange.id, finding]),
      [[exchangeId(), 0]],
    );
  });

  test('the data of a form goes out in the task that asks for it; both exchanges are on the wire, and are copied', async () => {
    const asks = {
      ...says('q', 'How much?'),
      parts: [{ data: { type: 'object', properties: { amount: { type: 'integer', minimum: 0 } } } }],
    };
    await begin({
      SendStreamingMessage: ({ params }) => [params?.message.taskId === undefined ? task('INPUT_REQUIRED', {}, asks) : task('COMPLETED')],
    });
    await send('Pay me back.').done;
    const { seq } = context.entriesOfTask('t').items.findLast(({ kind }) => kind === 'status') ?? assert.fail('nothing was asked');
    const wrong = '{"amount":-9007199254740993}';
    const faults = [{ pointer: '/amount', message: 'should be at least 0' }];
    assert.deepEqual(await host.request('checkForm', { seq, json: wrong }), faults);
    assert.deepEqual(await host.request('sendForm', { seq, json: wrong }), faults);
    assert.deepEqual(await host.request('sendForm', { seq, json: '{"amount":9007199254740993}' }), []);
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');

    const { exchanges = [] } = (await host.request('exchanges', {})) ?? {};
    assert.deepEqual(
      exchanges.map(({ operation }) => operation),
      ['SendStreamingMessage', 'SendStreamingMessage'],
    );
    const [{ id }] = exchanges as [(typeof exchanges)[number]];
    const { events = [] } = (await host.request('wireEvents', { exchangeId: id })) ?? {};
    assert.equal(events.length, 1);
    assert.match((await host.request('wireEvent', { exchangeId: id, event: events[0]?.seq ?? 0 }))?.text ?? '', /TASK_STATE_COMPLETED/);
    assert.match(
      (await host.request('exchange', { exchangeId: id }))?.exchange.request.body ?? '',
      /"parts":\[\{"data":\{"amount":9007199254740993\},"mediaType":"application\/json"\}\]/,
    );
    const copied: string[] = [];
    const back = inPlaceOf('env', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
    try {
      for (const form of ['curl', 'a2a'] as const) await host.request('copyExchange', { exchangeId: id, form });
    } finally {
      back();
    }
    assert.match(copied[0] ?? '', /^curl [^]*"amount":9007199254740993/);
    assert.match(copied[1] ?? '', /"agent": "Ann"[^]*"amount": 9007199254740993/);
  });

  test('a command for a request with a credential has a variable in its place, which is named', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')] });
    const { url } = window.agents.get('Ann') ?? assert.fail('no agent');
    window.agents.configure({ Ann: { url, headers: { Authorization: 'Bearer s3cret-of-Ann' } } });
    await send('hi').done;
    const said: string[] = [];
    const back = [
      inPlaceOf('env', { clipboard: { writeText: async (text: string) => void said.push(text) } }),
      inPlaceOf('window', { showInformationMessage: async (text: string) => void said.push(text) }),
    ];
    try {
      for (const form of ['curl', 'a2a'] as const) await host.request('copyExchange', { exchangeId: exchangeId(), form });
    } finally {
      for (const each of back) each();
    }
    assert.match(said[0] ?? '', /Authorization: Bearer '"\$A2A_SECRET_AUTHORIZATION"/);
    assert.deepEqual(said.slice(1, -1), ['Copied without credentials. Before you run it, set A2A_SECRET_AUTHORIZATION.']);
    assert.match(said.at(-1) ?? '', /^\{\s+"agent": "Ann",\s+"interface": "JSONRPC 1\.0 http:[^"]+",\s+"method"/);
  });

  test('a stream that is over is stepped through, on and back, without what the person said', async () => {
    await begin({
      SendStreamingMessage: ({ params }) => [task('WORKING', { history: [params!.message] }), status('COMPLETED', says('done'))],
    });
    await send('hi').done;
    const replay = async (from: number | undefined, to: number): Promise<Replayed> =>
      (await host.request('replay', { exchangeId: exchangeId(), ...(from !== undefined && { from }), to })) ?? assert.fail(host.told());
    const words = ({ updates }: Replayed): readonly string[] =>
      updates.flatMap(update => (update.type === 'put' ? [word(update.entry)] : []));
    assert.deepEqual(words(await replay(undefined, 0)), []);
    const one = await replay(0, 1);
    assert.deepEqual([words(one), one.first], [['working'], context.entries({ limit: 9 }).items[1]?.seq]);
    assert.deepEqual(words(await replay(1, 2)), ['completed: done']);
    assert.deepEqual(words(await replay(undefined, 1)), ['working']);
  });

  test('a tab that opens has the agent asked for the tasks that it alone has', async () => {
    const kept = taskOf('COMPLETED', { history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Draw' }] }] });
    world = await startWorld({
      version: '1.0',
      script: {
        ListTasks: [{ answer: { tasks: [kept], nextPageToken: '', pageSize: 50, totalSize: 1 } }],
        GetTask: [{ answer: kept }],
      },
    });
    window = world.open();
    const { contexts, agents } = window;
    const listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), onError: error => assert.fail(String(error)) });
    await agents.get('Ann')?.check();
    await listings.refresh('Ann');
    context = contexts.get(contexts.page({ agent: 'Ann' }).items[0]?.key ?? '') ?? assert.fail('no task is listed');
    show();
    assert.deepEqual(context.entries({ limit: 9 }).items, []);
    assert.deepEqual((await host.request('ready', null))?.entries, []);
    await eventually(() => assert.deepEqual(context.entries({ limit: 9 }).items.map(word), ['I: Draw', 'completed']));
    listings.dispose();
  });

  test('its sign-in is that of the agent, and a certificate that nobody checks is told', async () => {
    await begin({});
    window.agents.configure({ Ann: { url: world.agent.url, tls: { rejectUnauthorized: false } } });
    const run: unknown[][] = [];
    const back = inPlaceOf('commands', { executeCommand: async (...all: unknown[]) => void run.push(all) });
    try {
      await host.request('signIn', null);
      assert.deepEqual(run, [['a2a.signIn', 'Ann']]);
      assert.equal((await host.request('ready', null))?.state.unchecked, true);
    } finally {
      back();
    }
  });
  test('a new page gets the newer one of the stored draft and the one that an earlier page kept, and the forms back', async () => {
    await begin({});
    const draft = (version: number, text: string): Draft => ({ ...emptyDraft, version, text });
    const forms = { card: { typed: { a: 'x' }, words: '' } };
    const shown = async (kept: Draft) => (await host.request('ready', { context: context.key, draft: kept, forms }))?.draft?.text;
    assert.equal(await shown(draft(1, 'of the page')), 'of the page');
    for (const [page, disk, wanted] of [
      [3, 2, 'of the page'],
      [2, 3, 'stored'],
      [3, 3, 'of the page'],
    ] as const) {
      stored = draft(disk, 'stored');
      assert.equal(await shown(draft(page, 'of the page')), wanted);
    }
    const answer = await host.request('ready', null);
    assert.deepEqual([answer?.draft?.text, answer?.forms], ['stored', undefined]);
    assert.deepEqual((await host.request('ready', { context: context.key, forms }))?.forms, forms);
  });

  test('Up leads from the newest message to the one before, each with its parts', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')] });
    await send('one').done;
    const raw = Buffer.from('Reef early.').toString('base64');
    await context.send({ parts: [{ text: 'two' }, { raw, filename: 'notes.txt', mediaType: 'text/plain' }], target: 'new-task' }).done;
    const recall = (wanted: Requests['recall']['params']) => host.request('recall', wanted);
    const two = await recall({});
    assert.deepEqual([two?.text, two?.parts.map(part => ('name' in part ? part.name : part.kind))], ['two', ['notes.txt']]);
    const one = await recall({ before: two?.seq ?? 0 });
    assert.deepEqual([one?.text, one?.parts], ['one', []]);
    assert.equal(await recall({ before: one?.seq ?? 0 }), null);
    assert.deepEqual(await recall({ seq: one?.seq ?? 0 }), one);
  });
});

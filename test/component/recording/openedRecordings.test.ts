import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import { readRecording, recordingText } from '../../../src/recording/recording.ts';
import type { ChatPanels } from '../../../src/workbench/chat/panels.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { says, statusUpdate, task } from '../../support/client/says.ts';
import { ways } from '../../support/cli/taskWays.ts';
import { looked, startWorld, textOf, until, word, type Window, type World } from '../../support/model/world.ts';
import { startSampleAgents, type SampleAgentName, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RecordingEditor } = await import('../../../src/workbench/history/recordingEditor.ts');
const { askForRecording, recordableOf } = await import('../../../src/workbench/history/recordingExport.ts');

/** A conversation with each sample agent: what a person types, a line a message. */
const conversations: Readonly<Record<SampleAgentName, readonly string[]>> = {
  Sailboat: ['Generate an image of a sailboat on the ocean.', 'Please modify the sailboat to be red.'],
  Currency: ['How much is 10 USD?', 'in EUR'],
  Helsinki: ["I'd like to book a flight to Helsinki."],
  Writer: ['Write a short text about the sea.'],
  Phrasebook: ['Hello'],
};

const fact = ({ rule, pointer, message, frame, times }: Finding): object => ({ rule, pointer, message, frame, times });
const withoutTexts = ({ rule, pointer, message }: Finding): object => ({ rule, pointer, message });

/** All that a context shows, with the numbers of its exchanges in place of their ids. */
function shown(context: AgentContext): Record<string, unknown> {
  const exchanges = context.exchanges({ limit: 200 }).items.toReversed();
  const number = (id: string | undefined): number | undefined => (id === undefined ? undefined : exchanges.findIndex(one => one.id === id));
  const wire = exchanges.map(({ id }) => {
    const { exchange, frames } = context.exchange(id)!;
    const { id: _, failureSentence: __, satisfies: ___, findings, ...rest } = exchange;
    return { ...rest, findings: findings.map(fact), frames };
  });
  const tasks = context.tasks({ limit: 200 }).map(({ context: _, findings = [], ...summary }) => ({
    ...summary,
    findings: findings.map(withoutTexts),
    task: context.task(summary.taskId),
  }));
  return {
    title: context.title,
    contextId: context.contextId,
    entries: context.entries({ limit: 200 }).items.map(({ seq: _, exchangeId, ...entry }: Entry) => ({
      ...entry,
      // What to do about it depends on the agent's card.
      nextStep: undefined,
      exchange: number(exchangeId),
    })),
    tasks,
    deviations: context
      .deviantExchanges()
      .map(({ exchangeId, findings, ...one }) => ({ ...one, exchange: number(exchangeId), findings: findings.map(fact) })),
    wire,
  };
}

/** Ways whose agent says nothing for as long as it is waited for: the gap that a silent stream leaves is not in a recording. */
const silent = ['never answers', 'is over before its time is up, without a word on its stream'];
/** A message waits for the card before it is sent, and an event until it is written: by how much their times may differ, in milliseconds. */
const mayWait = 5_000;

function assertSame(one: unknown, other: unknown, at: string): void {
  if (typeof one === 'number' && typeof other === 'number' && /[aA]t$/.test(at)) {
    const most = at.includes('/wire/') ? 0.01 : mayWait;
    assert.ok(Math.abs(one - other) < most, `${at}: ${one} is not ${other}`);
    return;
  }
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    assert.deepEqual(one, other, `${at}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
    return;
  }
  const keys = (value: object): string[] =>
    Object.keys(value)
      .filter(key => (value as Record<string, unknown>)[key] !== undefined)
      .sort();
  assert.deepEqual(keys(one), keys(other), `${at}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
  for (const key of keys(one)) assertSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key], `${at}/${key}`);
}

const manyRequests = (count: number): string =>
  [
    { format: 'a2a-workbench-recording', version: 1, recordedAt: '2026-01-02T03:04:05.678Z', agent: { url: 'http://a.test/' } },
    ...Array.from({ length: count }, (_, index) => ({
      request: index + 1,
      at: index,
      operation: 'GetTask',
      binding: 'JSONRPC',
      version: '1.0',
      method: 'POST',
      url: 'http://a.test/',
      headers: [],
      body: '',
    })),
  ]
    .map(line => JSON.stringify(line))
    .join('\n');

suite('opened recordings', () => {
  let agents: StartedSampleAgents;
  let world: World;
  let window: Window;
  let restore: () => void;

  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
  });
  suiteTeardown(() => agents.stop());

  async function begin(script = {}): Promise<void> {
    world = await startWorld({ version: '1.0', script });
    window = world.open();
    restore = inPlaceOf('window', { showInformationMessage: async () => 'Save…' });
  }
  teardown(async () => {
    restore();
    await world.close();
  });

  async function say(context: AgentContext, text: string): Promise<void> {
    const target = context.waitingTask === undefined ? 'new-task' : 'waiting-task';
    await context.send({ parts: [{ text }], target }).ended;
    await until(() => context.exchanges({ limit: 200 }).items.every(({ endedAt }) => endedAt !== undefined));
  }

  const recorded = async (context: AgentContext): Promise<string> =>
    recordingText((await askForRecording(recordableOf(window.contexts, { context: context.key }), window.agents))!);

  async function opened(text: string, id = 'x'): Promise<AgentContext> {
    const key = await window.contexts.history.putRecording(readRecording(text), { id, agent: 'Ann (recording)' });
    return window.contexts.get(key)!;
  }

  for (const name of Object.keys(conversations) as SampleAgentName[])
    test(`the conversation with ${name} is shown as it was`, async () => {
      await begin();
      window.agents.configure({ Ann: { url: agents.urls[name] } });
      const context = window.contexts.create('Ann');
      for (const line of conversations[name]) await say(context, line);
      const again = await opened(await recorded(context));
      assertSame(shown(again), shown(context), name);
      assert.equal(again.agent, undefined);
      assert.equal(again.agentName, 'Ann (recording)');
    });

  for (const [title, { script }] of Object.entries(ways).filter(([name]) => !silent.includes(name)))
    test(`a task that ${title} is shown as it was`, async () => {
      await begin(script());
      const context = window.contexts.create('Ann');
      await say(context, 'x');
      const again = await opened(await recorded(context));
      assertSame(shown(again), shown(context), title);
    });

  const refusals: Readonly<Record<string, Script>> = {
    'an error': { SendStreamingMessage: [{ error: { code: -32603, message: 'no model today' } }] },
    'HTTP 503': { SendStreamingMessage: [{ status: 503, headers: { 'content-type': 'text/plain' } }, { raw: 'try later' }] },
    'a web page': { SendStreamingMessage: [{ status: 200, headers: { 'content-type': 'text/html' } }, { raw: '<p>hello' }] },
    'an empty stream': { SendStreamingMessage: [] },
    'an event that breaks rules': {
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_COMPLETED') } },
        { event: { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: 'late' }] } } } },
      ],
    },
  };
  for (const [title, script] of Object.entries(refusals))
    test(`${title} is shown as it was`, async () => {
      await begin(script);
      const context = window.contexts.create('Ann');
      await say(context, 'x');
      const again = await opened(await recorded(context));
      assertSame(shown(again), shown(context), title);
    });

  const piece = (text: string, append: boolean): Step => ({
    event: { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text }] }, append } },
  });
  const working: Step = { event: { task: task('TASK_STATE_WORKING') } };
  const asks: Step = { event: statusUpdate('TASK_STATE_INPUT_REQUIRED', { ...says('Which one?'), messageId: '' }) };
  const done: Step = { event: statusUpdate('TASK_STATE_COMPLETED') };
  const stories: Readonly<Record<string, Script>> = {
    'a task that makes an artifact anew after the answer': {
      SendStreamingMessage: ({ params }) =>
        params?.message.taskId === undefined ? [working, piece('draft', false), asks] : [working, piece('red', false), done],
    },
    'a task that asks the same again': {
      SendStreamingMessage: ({ params }) => (params?.message.taskId === undefined ? [working, asks] : [asks]),
    },
    'a task whose history has the message': {
      SendStreamingMessage: ({ params }) => [{ event: { task: task('TASK_STATE_COMPLETED', { history: [params!.message] }) } }],
    },
    'a task whose stream is taken up in the middle of an artifact': {
      SendStreamingMessage: [working, { delay: 50 }, { close: true }],
      SubscribeToTask: [piece('on', true), done],
      GetTask: [{ answer: task('TASK_STATE_WORKING') }],
    },
  };
  for (const [title, script] of Object.entries(stories))
    test(`${title} is shown as it was`, async () => {
      await begin(script);
      const context = window.contexts.create('Ann');
      for (const line of ['x', 'y']) if (line === 'x' || context.waitingTask !== undefined) await say(context, line);
      const again = await opened(await recorded(context));
      assertSame(shown(again), shown(context), title);
    });

  test('a connection that broke before an answer is shown with the words in which it was told', async () => {
    await begin({ SendStreamingMessage: [{ reset: true }] });
    const context = window.contexts.create('Ann');
    await say(context, 'x');
    const again = await opened(await recorded(context));
    const told = (of: AgentContext) =>
      of
        .entries()
        .items.map(entry => (entry.kind === 'problem' ? english(entry.sentence) : entry.kind === 'message' ? entry.delivery : ''));
    assert.deepEqual(told(again), told(context));
    assert.match(told(again)[1] ?? '', /closed the connection/);
  });

  test('a task that its agent forgot in the middle is lost, and why is said', async () => {
    await begin({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
      GetTask: [{ error: { code: -32001, message: 'no such task' } }],
    });
    const context = window.contexts.create('Ann');
    await say(context, 'x');
    const again = await opened(await recorded(context));
    assertSame(shown(again), shown(context), 'forgotten');
    assert.deepEqual(
      again.entries().items.map(entry => word(entry)),
      ['I: x (sent)', 'working', 'problem stream-ended', 'lost'],
    );
  });

  test('a task whose agent fails when it is asked for it has a gap, and why is said', async () => {
    await begin({
      SendStreamingMessage: [working, { delay: 50 }, { close: true }],
      GetTask: [{ error: { code: -32603, message: 'not now' } }],
    });
    const context = window.contexts.create('Ann');
    await say(context, 'x');
    const again = await opened(await recorded(context));
    const words = (of: AgentContext): readonly string[] => of.entries().items.map(entry => word(entry));
    assert.deepEqual(words(again), words(context));
    assert.deepEqual(words(again), ['I: x (sent)', 'working', 'gap', 'problem stream-ended']);
  });

  test('the same file is the same conversation, and is written anew where it was deleted; no agent is asked', async () => {
    await begin({ SendStreamingMessage: [{ event: { task: task('TASK_STATE_INPUT_REQUIRED') } }] });
    const { contexts, agents: configured } = window;
    const context = contexts.create('Ann');
    await say(context, 'x');
    const text = await recorded(context);
    const { requests } = world.agent;
    const [asked] = [requests.length];
    const again = await opened(text);
    contexts.resume();
    assert.equal(await opened(text), again);
    assert.equal(contexts.count({ agent: 'Ann (recording)' }, 9), 1);
    contexts.rename({ context: again.key }, 'Mine');
    assert.equal((await opened(text)).title, 'Mine');
    contexts.remove([{ context: again.key }]);
    assert.equal(contexts.count({ agent: 'Ann (recording)' }, 9), 0);
    const anew = await opened(text);
    assertSame(shown(anew), shown(context), 'anew');
    assert.equal(contexts.count({ agent: 'Ann (recording)' }, 9), 1);
    assert.throws(() => anew.send({ parts: [{ text: 'y' }], target: 'new-task' }), /is not configured/);
    await assert.rejects(anew.refreshTask('t-1'), /is not configured/);
    await looked(window);
    assert.equal(requests.length, asked);
    // The agent at the same address is another one, even under the same name.
    configured.configure({ 'Ann (recording)': { url: world.agent.url } });
    assert.equal(
      contexts.names.of({ name: 'Ann (recording)', place: 'user', label: '', settings: { url: world.agent.url } }),
      'Ann (recording)',
    );
    assert.notEqual(anew.agentName, 'Ann (recording)');
  });

  test('each conversation of a recording is one of its own, in whatever order its requests came', async () => {
    await begin();
    window.agents.configure({ Ann: { url: agents.urls.Currency } });
    const [one, other] = [window.contexts.create('Ann'), window.contexts.create('Ann')];
    await say(one, 'How much is 10 USD?');
    await one.call('ListTasks', {});
    await say(other, 'How much is 20 USD?');
    await say(one, 'in EUR');
    await say(other, 'in GBP');
    const recordings = [readRecording(await recorded(one)), readRecording(await recorded(other))];
    const exchanges = recordings.flatMap(recording => recording.exchanges).toSorted((a, b) => a.exchange.startedAt - b.exchange.startedAt);
    const first = await opened(recordingText({ ...recordings[0]!, exchanges }));
    assertSame(shown(first), shown(one), 'one');
    assertSame(shown(window.contexts.get(`${first.key}-2`)!), shown(other), 'other');
    assert.equal(window.contexts.count({ agent: 'Ann (recording)' }, 9), 2);
  });

  test('what a recording does not have is said', async () => {
    await begin({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const context = window.contexts.create('Ann');
    await say(context, 'x');
    const again = await opened(recordingText({ ...readRecording(await recorded(context)), lacks: ['2 requests.'] }));
    const [gap] = again.entries().items;
    assert.ok(gap?.kind === 'gap');
    assert.equal(english(gap.reason), 'What this recording does not have: 2 requests.');
    const long = await opened(recordingText({ ...readRecording(await recorded(context)), lacks: ['x'.repeat(5_000)] }), 'long');
    const [cut] = long.entries().items;
    assert.ok(cut?.kind === 'gap' && english(cut.reason).length < 1_100);
  });

  suite('in their editor', () => {
    /** What the tab of a file shows: the title of a conversation, or a page. */
    async function shownOf(path: string): Promise<string> {
      let context: AgentContext | undefined;
      const panels = { showIn: (_: unknown, one: AgentContext) => (context = one) } as unknown as ChatPanels;
      const webview = { options: {}, html: '' };
      const editor = new RecordingEditor(window.contexts, panels);
      await editor.resolveCustomEditor(editor.openCustomDocument(Uri.file(path) as never), { webview } as never);
      return context === undefined ? webview.html : `${context.agentName}: ${context.title}`;
    }
    let folder: string;
    setup(async () => {
      folder = mkdtempSync(join(tmpdir(), 'a2a-recordings-'));
      await begin({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    });
    teardown(() => rmSync(folder, { recursive: true }));

    test('a file shows its conversation, and the same content in another file the same one', async () => {
      const context = window.contexts.create('Ann');
      await say(context, 'hello');
      const text = await recorded(context);
      for (const name of ['one', 'two']) writeFileSync(join(folder, name), text);
      assert.equal(await shownOf(join(folder, 'one')), 'Ann (recording): hello');
      assert.equal(await shownOf(join(folder, 'two')), 'Ann (recording): hello');
      assert.equal(window.contexts.count({ agent: 'Ann (recording)' }, 9), 1);
      writeFileSync(join(folder, 'two'), `${text}\n`);
      assert.equal(await shownOf(join(folder, 'two')), 'Ann (recording): hello');
      assert.equal(window.contexts.count({ agent: 'Ann (recording)' }, 9), 2);
    });

    for (const [title, content, page] of [
      ['a file that is broken', '{"format":"a2a-workbench-recording","version":1,"recordedAt":"<b>"', /not a recording that can be read/],
      ['a file with HTML', '{"format":"<img src=x>"}', /Its first line does not say &#34;a2a-workbench-recording&#34;/],
      ['a file that is too large', Buffer.alloc(64 * 2 ** 20 + 1, ' '), /exceeds 64 MiB/],
      ['a file of too many lines', '\n'.repeat(200_001), /exceeds 200000 lines/],
      ['a file of too many requests', manyRequests(10_001), /exceeds 10000 requests/],
      ['a folder', undefined, /EISDIR/],
    ] as const)
      test(`${title} is told, and can be opened as text`, async () => {
        const path = join(folder, 'file');
        if (content === undefined) mkdirSync(path);
        else writeFileSync(path, content);
        const html = await shownOf(path);
        assert.match(html, page);
        assert.match(html, /<a href="command:workbench\.action\.reopenTextEditor">Open as Text<\/a>/);
        assert.doesNotMatch(html, /<img|<b>/);
      });
  });

  suite('of strangers', () => {
    const head = {
      format: 'a2a-workbench-recording',
      version: 1,
      recordedAt: '2026-01-02T03:04:05.678Z',
      agent: { name: 'Ann', url: 'http://a.test/' },
    };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
    const request = (
      number: number,
      text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
    ) => ({
      request: number,
      at: number,
      operation: 'SendStreamingMessage',
      binding: 'JSONRPC',
      version: '1.0',
      method: 'POST',
      url: 'http://a.test/',
      headers: [],
      body: text,
    });
    const answer = (number: number) => ({ answer: number, at: number + 1, status: 200, headers: [['content-type', 'text/event-stream']] });
    const event = (number: number, data: string, at = 5) => ({ event: number, at, data });
    const text = (...lines: readonly unknown[]): string => [head, ...lines].map(line => JSON.stringify(line)).join('\n');
    const words = (context: AgentContext): readonly string[] => context.entries().items.map(entry => word(entry));
    const saying = (words: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: words }] } } });

    setup(() => begin());

    test('nested without end, and no JSON at all', async () => {
      const deep = '['.repeat(200_000);
      const context = await opened(
        text(request(1), answer(1), event(1, deep), event(1, saying('hi')), { end: 1, at: 9 }, request(2, deep), { end: 2, at: 9 }),
      );
      assert.deepEqual(words(context), ['I: x (sent)', 'agent: hi']);
      assert.equal(context.exchanges().items.length, 2);
      await assert.rejects(opened(text(request(1, deep)), 'y'), /no message and no task/);
    });

    test('HTML, commands and foreign members stay text', async () => {
      const hostile = '<img src=x onerror=alert(1)> [run](command:workbench.action.quit) $(rocket)';
      const line = text({ ...request(1), constructor: 1, extra: { deep: [] } }, answer(1), event(1, saying(hostile)));
      const context = await opened(line.replace('"extra"', '"__proto__"'));
      assert.deepEqual(words(context), ['I: x (sent)', `agent: ${hostile}`]);
      assert.equal(({} as Record<string, unknown>)['deep'], undefined);
    });

    test('half of a file is shown as far as it goes', async () => {
      const context = await opened(text(request(1), answer(1), event(1, saying('hi'), 2), request(2)));
      assert.deepEqual(words(context), ['I: x (sent)', 'agent: hi', 'I: x (sent)']);
      assert.deepEqual(
        context.exchanges().items.map(({ failure, endedAt }) => [failure, endedAt]),
        Array.from({ length: 2 }, () => ['The recording ends before its answer.', Date.parse(head.recordedAt) + 2]),
      );
    });

    for (const [title, lines, problem] of [
      ['an answer before its request', [answer(1), request(1)], /Line 2 belongs to request 1, which is not before it/],
      ['two requests of one number', [request(1), request(1)], /Line 3 has request 1 a second time/],
      ['a time beyond the calendar', [{ ...request(1), at: 9e15 }], /Line 2: /],
      ['no request', [], /no message and no task/],
    ] as const)
      test(`${title} is told`, async () => {
        await assert.rejects(opened(text(...lines)), problem);
        assert.deepEqual(window.contexts.agentNames(), []);
      });

    test('events in any order are read in the order of their times, or not at all', async () => {
      const status = (state: string) =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, result: { statusUpdate: { taskId: 't', contextId: 'c', status: { state } } } });
      const context = await opened(
        text(request(1), answer(1), event(1, status('TASK_STATE_COMPLETED'), 900), event(1, status('TASK_STATE_WORKING'), 5), {
          end: 1,
          at: 2,
        }),
      );
      assert.equal(context.tasks()[0]?.state, 'TASK_STATE_COMPLETED');
    });

    test('of more than a thousand conversations, the last has the rest', async () => {
      const lines = Array.from({ length: 1_003 }, (_, index) => {
        const contextId = `c${index}`;
        const params = { message: { messageId: `m${index}`, role: 'ROLE_USER', contextId, parts: [{ text: 'x' }] } };
        const sent = { ...request(index + 1, JSON.stringify({ jsonrpc: '2.0', id: 1, params })), operation: 'SendStreamingMessage' };
        return [sent, answer(index + 1), { end: index + 1, at: index + 2 }];
      }).flat();
      const first = await opened(text(...lines));
      assert.equal(window.contexts.count({ agent: 'Ann (recording)' }, 2_000), 1_000);
      assert.equal(window.contexts.get(`${first.key}-1000`)?.exchanges().items.length, 4);
    });

    test('thirty thousand events are shown', async () => {
      const chunk = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        result: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, append: true } },
      });
      const begin = chunk.replace('"append":true', '"append":false');
      const events = Array.from({ length: 30_000 }, (_, index) => event(1, index === 0 ? begin : chunk, index + 2));
      const context = await opened(text(request(1), answer(1), ...events, { end: 1, at: 40_000 }));
      const artifact = context.entries().items.find(entry => entry.kind === 'artifact');
      assert.ok(artifact?.kind === 'artifact');
      assert.deepEqual([artifact.chunks, textOf(artifact.artifact).length], [30_000, 30_000]);
    });
  });
});

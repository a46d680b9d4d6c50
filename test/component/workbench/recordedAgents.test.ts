import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Memento } from 'vscode';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { readRecording, type Recording } from '../../../src/recording/recording.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { says, startWorld, until, type Window, type World } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { AgentRecordings } = await import('../../../src/workbench/history/agentRecordings.ts');
const { copyIssueReport } = await import('../../../src/workbench/history/copiedReport.ts');
const { issueReport } = await import('../../../src/workbench/history/issueReport.ts');
const { askForRecordingFile, recordableOf } = await import('../../../src/workbench/history/recordingExport.ts');

suite('recordings of agents, and reports', () => {
  let world: World;
  let window: Window;
  let folder: string;
  /** What the person types as a file's name, and presses. */
  let typed: string;
  let presses: (string | undefined)[];
  let asked: string[];
  let told: string[];
  let marks: { text: string; isShown: boolean }[];
  let copied: string;
  let kept: Record<string, unknown>;
  const back: (() => void)[] = [];

  const memento = {
    get: (key: string, otherwise: unknown) => kept[key] ?? otherwise,
    update: async (key: string, value: unknown) => void (kept[key] = value),
  } as unknown as Memento;

  setup(async () => {
    [folder, typed, presses, asked, told, marks, copied, kept] = [mkdtempSync(join(tmpdir(), 'a2a-recorded-')), '', [], [], [], [], '', {}];
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: [
          { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
          {
            event: {
              artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'late ```` ann@work.test' }] } },
            },
          },
        ],
      },
    });
    window = world.open();
    const message = async (text: string, options?: { readonly modal?: true }) => {
      if (options?.modal === true) {
        asked.push(text);
        return presses.shift();
      }
      told.push(text);
      return undefined;
    };
    back.push(
      inPlaceOf('window', {
        showSaveDialog: async ({ defaultUri }: { readonly defaultUri: { readonly path: string } }) =>
          Uri.file(join(folder, typed || basename(defaultUri.path))),
        showInformationMessage: message,
        showWarningMessage: message,
        createStatusBarItem: () => {
          const mark = { text: '', isShown: false, show: () => (mark.isShown = true), dispose: () => (mark.isShown = false) };
          marks.push(mark);
          return mark;
        },
      }),
      inPlaceOf('env', { clipboard: { writeText: async (text: string) => void (copied = text) } }),
    );
  });
  teardown(async () => {
    for (const restore of back.splice(0)) restore();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  async function say(text: string, context = window.contexts.create('Ann')): Promise<AgentContext> {
    await context.send({ parts: [{ text }], target: 'new-task' }).ended;
    await until(() => context.exchanges().items.every(({ endedAt }) => endedAt !== undefined));
    return context;
  }
  const saved = (name: string): Recording => readRecording(readFileSync(join(folder, name), 'utf8'));
  const bodies = ({ exchanges }: Recording): readonly string[] =>
    exchanges.flatMap(({ exchange }) => /"text":"([^"]*)"/.exec(exchange.request.body)?.[1] ?? []);
  const shownMarks = (): readonly string[] => marks.filter(({ isShown }) => isShown).map(({ text }) => text);

  test('everything of an agent since the beginning is recorded, in whatever conversation, over a reload', async () => {
    const old = await say('before');
    let recordings = new AgentRecordings(window.contexts, window.agents, memento);
    assert.deepEqual(shownMarks(), []);
    await recordings.toggle('Ann');
    assert.deepEqual(shownMarks(), ['$(record) Ann']);
    await say('one');
    recordings.dispose();
    recordings = new AgentRecordings(window.contexts, window.agents, memento);
    assert.deepEqual(shownMarks(), ['$(record) Ann']);
    await say('two');
    await say('three', old);
    // The question is closed: nothing is lost.
    presses = [undefined];
    await recordings.toggle('Ann');
    assert.deepEqual(shownMarks(), ['$(record) Ann']);
    presses = ['Save…'];
    await recordings.toggle('Ann');
    assert.deepEqual(bodies(saved('Ann.a2a-recording.jsonl')), ['one', 'two', 'three']);
    assert.deepEqual([...new Set(asked)], ['Save the recording of "Ann"?']);
    assert.deepEqual([shownMarks(), kept], [[], { 'a2a.recordedAgents': {} }]);
  });

  test('a recording without a request, or that nobody wants, leaves no file', async () => {
    const recordings = new AgentRecordings(window.contexts, window.agents, memento);
    await recordings.toggle('Ann');
    await recordings.toggle('Ann');
    assert.deepEqual([shownMarks(), told], [[], ['Nothing was sent to "Ann", so there is no recording.']]);
    await recordings.toggle('Ann');
    await say('one');
    presses = ['Discard'];
    await recordings.toggle('Ann');
    assert.deepEqual([shownMarks(), readdirSync(folder)], [[], []]);
  });

  test('a file that cannot be written ends no recording, and the end of one leaves those of other agents', async () => {
    const recordings = new AgentRecordings(window.contexts, window.agents, memento);
    for (const name of ['Ann', 'Ben']) await recordings.toggle(name);
    await say('one');
    [presses, typed] = [['Save…'], 'none/there'];
    await assert.rejects(recordings.toggle('Ann'), { code: 'not-saved' });
    assert.deepEqual(shownMarks(), ['$(record) Ann', '$(record) Ben']);
    [presses, typed] = [['Save…'], ''];
    await recordings.toggle('Ann');
    assert.deepEqual(bodies(saved('Ann.a2a-recording.jsonl')), ['one']);
    assert.deepEqual(shownMarks(), ['$(record) Ben']);
    assert.deepEqual(Object.keys(kept['a2a.recordedAgents'] as object), ['Ben']);
  });

  test('an agent may be called like a member that every object has', async () => {
    await new AgentRecordings(window.contexts, window.agents, memento).toggle('constructor');
    assert.deepEqual([shownMarks(), told], [['$(record) constructor'], []]);
  });

  test('a task alone is recorded with its own exchanges', async () => {
    const context = await say('one');
    await context.call('ListTasks', {}).catch(() => undefined);
    await until(() => context.exchanges().items.length === 3);
    const operations = (item: { readonly context: string; readonly taskId?: string }) =>
      recordableOf(window.contexts, item).exchanges.map(({ exchange }) => exchange.operation);
    assert.deepEqual(operations({ context: context.key }), ['SendStreamingMessage', 'GetTask', 'ListTasks']);
    assert.deepEqual(operations({ context: context.key, taskId: 't' }), ['SendStreamingMessage']);
  });

  test('the file has the ending of a recording, whatever name is typed, and replaces no other', async () => {
    const named = async (name: string): Promise<string | undefined> => {
      typed = name;
      const target = await askForRecordingFile('x');
      return target && basename(target.path);
    };
    for (const name of ['a', 'a.jsonl', 'a.json', 'a.a2a-recording', 'a.a2a-recording.jsonl'])
      assert.equal(await named(name), 'a.a2a-recording.jsonl');
    assert.equal(await named('v1.2'), 'v1.2.a2a-recording.jsonl');
    writeFileSync(join(folder, 'a.a2a-recording.jsonl'), '');
    presses = [undefined, 'Replace'];
    assert.equal(await named('a.jsonl'), undefined);
    assert.equal(await named('a.jsonl'), 'a.a2a-recording.jsonl');
    assert.deepEqual(presses, []);
  });

  test('a report says what was asked and came, which rules are broken, and how to see it, without addresses', async () => {
    const context = await say('Where does ann@work.test live?');
    presses = ['Save…'];
    await copyIssueReport(window.contexts, window.agents, { context: context.key });
    const [file = ''] = readdirSync(folder);
    assert.equal(file, 'Ann.a2a-recording.jsonl');
    assert.deepEqual(told, [`The report is in the clipboard. Attach ${file} to it.`]);
    assert.deepEqual(asked, ['Save a recording, and copy an issue report?']);
    assert.equal(copied, await issueReport(saved(file), { file, version: '' }));
    assert.doesNotMatch(copied, /ann@/);
    assert.match(copied, /^### What was asked\n\n```text\nWhere does person1@example\.com live\?\n```\n/);
    assert.match(copied, /### What came\n\nState: completed\n\nArtifact ` a `:\n\n`````text\nlate ```` person1@example\.com\n`````\n/);
    assert.match(copied, /- ` STRM-03 ` \(A2A 1\.0 §[\d.]+\): ` An event arrived after the task was completed/);
    assert.match(copied, /- Agent: ` Ann/);
    assert.match(copied, /- Protocol: ` A2A 1\.0 over JSONRPC `/);
    assert.ok(copied.includes(`a2a serve '${file}'`));
  });

  test('a report has each message with what came of it: words of the status, and artifacts with their chunks joined', async () => {
    const ids = { taskId: 't', contextId: 'c' };
    const chunk = (text: string, append: boolean): StreamResponse => ({
      artifactUpdate: { ...ids, append, artifact: { artifactId: 'w', ...(!append && { name: 'weather.md' }), parts: [{ text }] } },
    });
    const status = (state: TaskState, id: string, text: string): StreamResponse => ({
      statusUpdate: { ...ids, status: { state, message: { messageId: id, role: 'ROLE_AGENT', parts: [{ text }] } } },
    });
    await world.close();
    const script: Script = {
      SendStreamingMessage: [
        { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
        { event: status('TASK_STATE_WORKING', 'm1', 'Looking…') },
        { event: chunk('Sunny, ', false) },
        { event: chunk('at most 12 ', true) },
        { event: chunk('degrees.', true) },
        { event: status('TASK_STATE_COMPLETED', 'm2', 'Here it is.') },
      ],
    };
    world = await startWorld({ version: '1.0', script });
    window = world.open();
    const context = await say('Hello');
    await say('And in Berlin?', context);
    presses = ['Save…'];
    await copyIssueReport(window.contexts, window.agents, { context: context.key });
    const headings = copied.split('\n').filter(line => /^### What/.test(line));
    assert.deepEqual(headings, [
      '### What was asked (message 1 of 2)',
      '### What came (message 1 of 2)',
      '### What was asked (message 2 of 2)',
      '### What came (message 2 of 2)',
    ]);
    const [, second = ''] = copied.split('(message 2 of 2)\n\n```text\n');
    assert.match(second, /^And in Berlin\?\n/);
    assert.ok(
      copied.includes(
        'State: completed\n\n```text\nLooking…\n```\n\n```text\nHere it is.\n```\n\nArtifact ` weather.md `:\n\n```text\nSunny, at most 12 degrees.\n```\n',
      ),
      copied,
    );
  });

  test('a long conversation is reported by its last ten messages', async () => {
    const context = await say('0');
    for (let count = 1; count < 12; count++) await say(String(count), context);
    presses = ['Save…'];
    await copyIssueReport(window.contexts, window.agents, { context: context.key });
    assert.match(copied, /^The first 2 messages are in the recording alone\.\n\n### What was asked \(message 3 of 12\)\n\n```text\n2\n/);
  });

  test('a report tells an error, and nothing where nothing came', async () => {
    const recording = (answer: object): Recording => ({
      agent: { url: 'http://a.test/' },
      recordedAt: 0,
      replaced: [],
      lacks: [],
      rules: [],
      faults: [],
      exchanges: [
        {
          exchange: {
            id: '1',
            operation: 'SendMessage',
            protocolBinding: 'JSONRPC',
            protocolVersion: '1.0',
            request: {
              method: 'POST',
              url: 'http://a.test/',
              headers: [],
              body: JSON.stringify({ params: { message: { ...says('m', 'x'), role: 'ROLE_USER' } } }),
            },
            startedAt: 0,
            findings: [],
            ...answer,
          },
          frames: [],
        },
      ],
    });
    const came = async (answer: object): Promise<string> =>
      /### What came\n\n([^]*?)\n\n###/.exec(await issueReport(recording(answer), { file: "it's.jsonl", version: '1' }))?.[1] ?? '';
    const body = (text: string, status = 200) => ({ response: { status, headers: [], body: text } });
    assert.equal(await came(body('{"error":{"code":-32603,"message":"no ``` model"}}')), 'Error -32603:\n\n````text\nno ``` model\n````');
    assert.equal(await came(body('<p>', 502)), 'HTTP 502:\n\n```text\n<p>\n```');
    assert.equal(await came({ failure: 'refused' }), 'The connection broke.');
    assert.match(await issueReport(recording({}), { file: "it's.jsonl", version: '1' }), /a2a serve 'it'\\''s\.jsonl'/);
    const long = await came(body('x'.repeat(5_000), 502));
    assert.ok(long.length < 2_100 && long.includes('x…'), long);
    const findings = Array.from({ length: 30 }, (_, index) => ({
      rule: 'STRM-03',
      pointer: '',
      message: `No \`end\` ${index}.`,
      times: 1,
    }));
    const whole = recording({ findings });
    const report = await issueReport({ ...whole, agent: { ...whole.agent, name: 'A ``x`` [b](c)' } }, { file: 'x', version: '1' });
    assert.equal(report.match(/^- ` STRM-03/gm)?.length, 20);
    assert.match(report, /: `` No `end` 0\. ``$/m);
    assert.match(report, /- Agent: ``` A ``x`` \[b\]\(c\) ```/);
    const two = [recording({}).exchanges[0]!, recording(body('<p>', 502)).exchanges[0]!];
    const last = await issueReport({ ...recording({}), exchanges: two }, { file: 'x', version: '1' });
    assert.match(last, /### What came \(message 2 of 2\)\n\nHTTP 502/);
  });
});

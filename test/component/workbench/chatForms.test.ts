import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { MessageEntry } from '../../../src/protocol/message/transcript.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { PartFiles } from '../../../src/workbench/documents/partDocument.ts';
import { startWorld, until, type Window, type World } from '../../support/model/world.ts';

const shim = new URL('../../support/fakeVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'vscode' ? { url: shim, shortCircuit: true } : next(specifier, context)),
});
const { chatForms } = await import('../../../src/workbench/chat/drafts/chatForms.ts');
const { chatParts } = await import('../../../src/workbench/chat/parts.ts');

const schema = {
  type: 'object',
  required: ['amount', 'code'],
  properties: {
    amount: { type: 'integer', minimum: 1 },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    slow: { type: 'string', pattern: '^(a+)+$' },
    pin: { type: 'string', format: 'password' },
  },
};
const toolCall = (status: string): Part => ({
  data: { request: { callId: 'c-1', name: 'run' }, status, confirmationDetails: { title: 'Run it?' } },
});

suite('what the panel asks about forms', () => {
  let world: World;
  let window: Window;
  let echoes = false;
  teardown(async () => {
    echoes = false;
    await world.close();
  });
  /** So long, but for the last, that they do not turn up by chance in the bytes of a database. */
  const pins = ['Geheim!42-und-mehr', 'no"thing-at-all', 'user'];

  /** A task that says these things, a list a status, and asks with the last. */
  async function asking(...said: readonly (readonly Part[])[]): Promise<{ readonly context: AgentContext; readonly seq: number }> {
    const status = (state: TaskState, parts: readonly Part[], index: number): StreamResponse => ({
      statusUpdate: {
        taskId: 't',
        contextId: 'c',
        status: { state, message: { messageId: `m${index}`, role: 'ROLE_AGENT', parts: [...parts] } },
      },
    });
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: request =>
          request.params?.message.taskId === undefined
            ? [
                { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } } },
                ...said.map((parts, index) => ({
                  event: status(index === said.length - 1 ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_WORKING', parts, index),
                })),
              ]
            : [
                {
                  event: status(
                    'TASK_STATE_COMPLETED',
                    echoes
                      ? [
                          { text: `You said ${request.body}, I heard ${pins.join(' and ')}.` },
                          { data: { heard: request.params.message.parts } },
                        ]
                      : [],
                    99,
                  ),
                },
              ],
      },
    });
    window = world.open();
    const context = window.contexts.create('Ann');
    context.send({ parts: [{ text: 'Go' }], target: 'new-task' });
    await until(() => context.taskState('t') === 'TASK_STATE_INPUT_REQUIRED');
    const seq = context.entriesOfTask('t').items.findLast(entry => entry.kind === 'status')!.seq;
    return { context, seq };
  }
  const bodies = (): readonly string[] =>
    world.agent.requests.filter(({ operation }) => operation === 'SendStreamingMessage').map(({ body }) => body);

  test('data is held to the schema when it is sent; it goes out digit for digit, and comes out of the history so', async () => {
    const { context, seq } = await asking([{ text: 'How much?' }, { data: schema }]);
    const { sendForm, checkForm, secrets } = chatForms(context);
    const wrong = '{"amount":0,"code":"euro"}';
    const faults = [
      { pointer: '/amount', message: 'should be at least 1' },
      { pointer: '/code', message: 'should match /^[A-Z]{3}$/' },
    ];
    assert.deepEqual([await checkForm({ seq, json: wrong }), await sendForm({ seq, json: wrong }), bodies().length], [faults, faults, 1]);
    await assert.rejects(sendForm({ seq, json: '[1]' }), { code: 'bad-json' });
    await assert.rejects(sendForm({ seq, json: '{' }), { code: 'bad-json' });
    assert.deepEqual(await sendForm({ seq, json: '{"amount":9007199254740993,"code":"EUR"}', text: 'Here.' }), []);
    await until(() => bodies().length === 2);
    assert.match(bodies()[1] ?? '', /"data":\{"amount":9007199254740993,"code":"EUR"\}.*"text":"Here\."/);
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    const sent = context.entriesOfTask('t').items.findLast(entry => entry.kind === 'message')!;
    assert.deepEqual(await secrets({ seq: sent.seq }), ['/pin']);
    assert.match(JSON.stringify(world.open().contexts.get(context.key)?.entry(sent.seq)), /"amount":9007199254740993/);
  });

  test('an answer is sent with the options of the composer', async () => {
    const { context, seq } = await asking([{ data: schema }]);
    const sending = { streaming: false, returnImmediately: true, historyLength: 3, once: true } as const;
    assert.deepEqual(await chatForms(context).sendForm({ seq, json: '{"amount":1,"code":"EUR"}', sending }), []);
    const asked = (): string | undefined => world.agent.requests.find(({ operation }) => operation === 'SendMessage')?.body;
    await until(() => asked() !== undefined);
    assert.match(asked() ?? '', /"configuration":\{"returnImmediately":true,"historyLength":3\}/);
  });

  test('a password that was sent is not shown in the editor either', async () => {
    const { context, seq } = await asking([{ data: schema }]);
    await chatForms(context).sendForm({ seq, json: '{"amount":9007199254740993,"code":"EUR","pin":"geheim"}' });
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    assert.match(bodies()[1] ?? '', /"pin":"geheim"/);
    assert.deepEqual((await chatForms(context).form({ seq }))?.answer, [
      { title: 'amount', value: '9007199254740993' },
      { title: 'code', value: 'EUR' },
      { title: 'slow' },
      { title: 'pin', value: '••••••••' },
    ]);
    const sent = context.entriesOfTask('t').items.findLast(entry => entry.kind === 'message')!;
    const opened: unknown[] = [];
    const partFiles = { open: async (_key: string, part: Part) => void opened.push(part) } as unknown as PartFiles;
    await chatParts(context, { agents: window.agents, partFiles }).openPart({ seq: sent.seq, part: 0 });
    assert.match(JSON.stringify(opened), /"data":\{"amount":9007199254740993,"code":"EUR","pin":"••••••••"\}/);
  });

  test('no password that was sent is in the history, wherever the agent repeats it', async () => {
    echoes = true;
    const { context, seq } = await asking([
      {
        data: {
          ...schema,
          properties: {
            ...schema.properties,
            token: { type: 'string', writeOnly: true },
            more: { type: 'object', properties: { short: { type: 'string', format: 'password' }, other: { type: 'string' } } },
          },
        },
      },
    ]);
    const [pin, token, short] = pins;
    assert.deepEqual(
      await chatForms(context).sendForm({
        seq,
        json: JSON.stringify({ amount: 7, code: 'EUR', pin, token, more: { short, other: 'user' } }),
        text: 'Here.',
      }),
      [],
    );
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    for (const each of pins) assert.ok(bodies()[1]?.includes(JSON.stringify(each)), 'it is sent as it was typed');
    const entries = window.contexts.get(context.key)!.entriesOfTask('t').items;
    const sent = entries.findLast(entry => entry.kind === 'message')!;
    assert.match(JSON.stringify(sent), /"pin":"•{6}","token":"•{6}","more":\{"short":"•{6}","other":"user"\}/);
    assert.match(
      JSON.stringify(entries.at(-1)),
      /I heard •{6} and •{6} and •{6}\..*"pin":"•{6}","token":"•{6}","more":\{"short":"•{6}","other":"user"\}/,
    );
    window.close();
    const kept = ['', '-wal']
      .map(end => `${world.path}${end}`)
      .filter(existsSync)
      .map(path => readFileSync(path, 'latin1'))
      .join('');
    assert.ok(kept.includes('"code":"EUR"'));
    for (const each of ['Geheim!42-und-mehr', 'no\\"thing-at-all', 'no"thing-at-all', '"short":"user"', 'short\\":\\"user'])
      assert.ok(!kept.includes(each), each);
  });

  test('nor one in lists, and no number or choice that is only written', async () => {
    echoes = true;
    const secret = { type: 'string', format: 'password' };
    const { context, seq } = await asking([
      {
        data: {
          ...schema,
          properties: {
            ...schema.properties,
            users: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, key: secret } } },
            codes: { type: 'array', items: secret },
            digits: { type: 'integer', writeOnly: true },
            kind: { enum: ['s3cret-kind', 'other'], writeOnly: true },
            all: { type: 'object', writeOnly: true, properties: { inner: { type: 'string' } } },
          },
        },
      },
    ]);
    const [pin, token] = pins;
    const json = JSON.stringify({
      amount: 7,
      code: 'EUR',
      users: [{ name: 'Ann', key: pin }, { name: 'Bob', key: token }, {}],
      codes: ['abcd', 'k3y-of-the-list'],
      digits: 471147114711,
      kind: 's3cret-kind',
      all: { inner: 'inn3r-one-of-all' },
    });
    assert.deepEqual(await chatForms(context).sendForm({ seq, json, text: 'Here.' }), []);
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    assert.ok(bodies()[1]?.includes(json), 'it is sent as it was typed');
    const entries = window.contexts.get(context.key)!.entriesOfTask('t').items;
    const sent = entries.findLast(entry => entry.kind === 'message')!;
    const dots = '"users":[{"name":"Ann","key":"••••••"},{"name":"Bob","key":"••••••"},{}]';
    assert.ok(
      JSON.stringify(sent).includes(`${dots},"codes":["••••••","••••••"],"digits":"••••••","kind":"••••••","all":"••••••"`),
      JSON.stringify(sent),
    );
    assert.ok(JSON.stringify(entries.at(-1)).includes(dots), JSON.stringify(entries.at(-1)));
    window.close();
    const kept = ['', '-wal']
      .map(end => `${world.path}${end}`)
      .filter(existsSync)
      .map(path => readFileSync(path, 'latin1'))
      .join('');
    assert.ok(kept.includes('"name":"Ann"'));
    for (const each of [
      'Geheim!42-und-mehr',
      'no"thing-at-all',
      '"codes":["abcd"',
      'k3y-of-the-list',
      '471147114711',
      '"kind":"s3cret-kind"',
      'inn3r-one-of-all',
    ])
      assert.ok(!kept.includes(each), each);
  });

  test('a message whose password is not kept is not sent again with dots in its place', async () => {
    const { context, seq } = await asking([{ data: schema }]);
    await chatForms(context).sendForm({ seq, json: '{"amount":1,"code":"EUR","pin":"geheim"}' });
    await until(() => context.taskState('t') === 'TASK_STATE_COMPLETED');
    const { message } = context.entriesOfTask('t').items.findLast(entry => entry.kind === 'message') as MessageEntry;
    assert.throws(() => context.send({ parts: message.parts, target: 'new-task' }), { code: 'password-not-kept' });
    assert.equal(bodies().length, 2);
  });

  test('with faults it is sent where the person says so', async () => {
    const { context, seq } = await asking([{ data: schema }]);
    assert.deepEqual(await chatForms(context).sendForm({ seq, json: '{"amount":0}', anyway: true }), []);
    await until(() => bodies().length === 2);
  });

  test('a pattern that takes for ever is given up once and not tried again', async () => {
    const { context, seq } = await asking([{ data: schema }]);
    const { checkForm } = chatForms(context);
    const json = JSON.stringify({ amount: 1, code: 'EUR', slow: `${'a'.repeat(40)}!` });
    const check = async (times: number): Promise<number> => {
      const started = performance.now();
      for (let index = 0; index < times; index++) assert.deepEqual(await checkForm({ seq, json }), []);
      return performance.now() - started;
    };
    const once = await check(1);
    const again = await check(20);
    assert.ok(again < 10 * once, `${again} ms for 20 times, ${once} ms for the first`);
  });

  test('an approval that was asked for before the task waits has buttons; what is pressed is what is sent', async () => {
    const { context, seq } = await asking([toolCall('scheduled')], [toolCall('awaiting_approval')], [{ text: 'May I?' }]);
    const { form, sendForm } = chatForms(context);
    const shown = await form({ seq });
    assert.deepEqual([shown?.part, shown?.form.title, shown?.form.buttons?.length], [undefined, 'Run it?', 3]);
    await assert.rejects(sendForm({ seq, button: 3 }), { code: 'gone' });
    assert.deepEqual(await sendForm({ seq, button: 2 }), []);
    await until(() => bodies().length === 2);
    assert.match(bodies()[1] ?? '', /"parts":\[\{"data":\{"callId":"c-1","outcome":"cancel"\},"mediaType":"application\/json"\}\]/);
  });

  test('a question with nothing to choose from has no form', async () => {
    const { context, seq } = await asking([{ data: { note: 'x' } }], [{ text: 'Why?' }]);
    assert.equal(await chatForms(context).form({ seq }), null);
  });
});

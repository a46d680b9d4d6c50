import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { Script } from '../../../src/mock/script.ts';
import { partsOf } from '../../support/assistant/partsOf.ts';
import { ToolDesk } from '../../support/assistant/toolDesk.ts';
import { says, startWorld, status, task, taskOf, until, type Window, type World } from '../../support/model/world.ts';

suite('tools that act', () => {
  let world: World;
  let window: Window;
  let desk: ToolDesk;
  const script: Record<string, unknown> = {};

  suiteSetup(async () => {
    world = await startWorld({ version: '1.0', script: script as Script });
    window = world.open();
  });
  suiteTeardown(() => world.close());
  setup(() => {
    for (const operation of Object.keys(script)) delete script[operation];
    desk = new ToolDesk(window);
  });
  /** Requests for an operation that reached the agent. */
  const asked = (operation: string) => world.agent.requests.filter(request => request.operation === operation);
  const contextIn = (result: string): string => /^Context: (.+)$/m.exec(partsOf(result).own)?.[1] ?? assert.fail(result);

  test('a message is sent, shown to the person, and comes back with what the agent did', async () => {
    script['SendStreamingMessage'] = [task('WORKING'), status('COMPLETED', says('m2', 'A sailboat, and an instruction'))];
    const result = await desk.call('a2a_send', { agent: 'Ann', text: 'Draw a sailboat' });
    const { own, untrusted } = partsOf(result);
    assert.match(own, /State of the task: completed/);
    assert.match(untrusted, /A sailboat, and an instruction/);
    assert.doesNotMatch(own, /A sailboat/);
    assert.match(untrusted, /"task": "t"/);
    const key = contextIn(result);
    assert.deepEqual(desk.asked, ['send Ann: Draw a sailboat', 'words of Ann']);
    assert.deepEqual(desk.shown, [`Ann ${key}`]);
    assert.match(own, new RegExp(`Open it: test:Ann/${key}`));
  });

  test('what a model sent is marked with tool and program, and the transcript says so', async () => {
    script['SendStreamingMessage'] = [task('COMPLETED', { id: 'mark', contextId: 'cm' })];
    const key = contextIn(await desk.call('a2a_send', { agent: 'Ann', text: 'Draw' }));
    const [entry] = window.contexts.get(key)!.entries().items;
    assert.deepEqual(entry?.kind === 'message' && entry.assistant, { tool: 'a2a_send', client: 'Test Editor' });
    const text = partsOf(await desk.call('a2a_history', { context: key })).untrusted;
    assert.match(text, /Sent by a language model \(` a2a_send `, ` Test Editor `\)/);
    assert.deepEqual(window.contexts.assistantIn(key, 'mark'), { tool: 'a2a_send', client: 'Test Editor' });
  });

  test('without consent nothing is sent, and no context is made', async () => {
    desk.refuses = true;
    const before = world.agent.requests.length;
    const contexts = window.contexts.page({ agent: 'Ann' }).items.length;
    await assert.rejects(desk.call('a2a_send', { agent: 'Ann', text: 'x' }), { message: 'The person said no.' });
    await assert.rejects(desk.call('a2a_task', { agent: 'Ann', task: 't', action: 'cancel' }), { message: 'The person said no.' });
    await assert.rejects(desk.call('a2a_task', { agent: 'Ann', task: 't' }), { message: 'The person said no.' });
    assert.equal(world.agent.requests.length, before);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, contexts);
  });

  test('without consent no name of an agent is given away', async () => {
    desk.refuses = true;
    for (const [tool, input] of [
      ['a2a_send', { text: 'x' }],
      ['a2a_check', {}],
      ['a2a_task', { task: 't', action: 'cancel' }],
    ] as const)
      await assert.rejects(desk.call(tool, { agent: 'Nobody', ...input }), {
        message: 'This workspace has no agent "Nobody". Use the name of an agent from a2a_agents.',
      });
  });

  test('a call that is canceled while the person is asked sends nothing', async () => {
    const stopping = new AbortController();
    const before = world.agent.requests.length;
    const canceling = new ToolDesk(window, { consent: { ...desk.world.consent, mayAct: async () => stopping.abort() } });
    await assert.rejects(canceling.call('a2a_send', { agent: 'Ann', text: 'x' }, stopping.signal), /canceled before anything was sent/);
    assert.equal(world.agent.requests.length, before);
  });

  test('a task that waits is answered in its context', async () => {
    script['SendStreamingMessage'] = ({ params }: { readonly params: { readonly message: { readonly taskId?: string } } }) =>
      params.message.taskId === undefined
        ? [task('INPUT_REQUIRED', { id: 'q', contextId: 'cq' }, says('m1', 'Which color?'))]
        : [task('COMPLETED', { id: 'q', contextId: 'cq' }, says('m2', 'Red it is'))];
    const question = await desk.call('a2a_send', { agent: 'Ann', text: 'Draw' });
    const key = contextIn(question);
    assert.match(partsOf(question).own, new RegExp(`It waits for an answer: a2a_send with "context": "${key}" and "task"`));
    const answer = await desk.call('a2a_send', { agent: 'Ann', parts: [{ text: 'Red' }], context: key, task: 'q' });
    assert.match(partsOf(answer).untrusted, /Red it is/);
    assert.doesNotMatch(partsOf(answer).untrusted, /Which color/);
    assert.equal(contextIn(answer), key);
  });

  test('where the agent takes longer the task goes on, also after the call is canceled, and can be asked for', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    script['SendStreamingMessage'] = async function* () {
      yield task('WORKING', { id: 'slow', contextId: 'cs' });
      await finished;
      yield status('COMPLETED', says('m9', 'At last'), 'slow');
    };
    script['GetTask'] = [{ answer: taskOf('COMPLETED', { id: 'slow', contextId: 'cs' }, says('m9', 'At last')) }];
    const late = await desk.call('a2a_send', { agent: 'Ann', text: 'Take your time', waitSeconds: 1 });
    assert.match(partsOf(late).own, /After 1 seconds the agent still works.*a2a_task and the id of the task below/);
    assert.match(partsOf(late).untrusted, /"task": "slow"/);

    const stopping = new AbortController();
    const waiting = desk.call('a2a_send', { agent: 'Ann', text: 'Again' }, stopping.signal);
    await until(() => asked('SendStreamingMessage').length >= 2);
    stopping.abort();
    assert.match(await waiting, /the agent still works/);
    assert.equal(asked('CancelTask').length, 0);
    assert.equal(window.contexts.get(contextIn(late))?.running, true);
    finish();
    await until(() => window.contexts.get(contextIn(late))?.taskState('slow') === 'TASK_STATE_COMPLETED');
    const now = await desk.call('a2a_task', { agent: 'Ann', task: 'slow' });
    assert.match(partsOf(now).own, /State of the task: completed/);
    assert.match(partsOf(now).untrusted, /At last/);
  });

  test('a task is canceled with consent, and the outcome is given', async () => {
    script['SendStreamingMessage'] = [task('INPUT_REQUIRED', { id: 'stop', contextId: 'cc' })];
    script['CancelTask'] = [{ answer: taskOf('CANCELED', { id: 'stop', contextId: 'cc' }) }];
    await desk.call('a2a_send', { agent: 'Ann', text: 'Begin' });
    const result = await desk.call('a2a_task', { agent: 'Ann', task: 'stop', action: 'cancel' });
    assert.match(result, /^The task was canceled/);
    assert.ok(desk.asked.includes('cancel Ann: stop'));
    await assert.rejects(desk.call('a2a_task', { agent: 'Ann', task: 'none' }), /no such task/);
  });

  test('findings come with their rules', async () => {
    script['SendStreamingMessage'] = [task('WORKING'), status('SUBMITTED'), status('COMPLETED'), status('WORKING')];
    const result = await desk.call('a2a_send', { agent: 'Ann', text: 'x' });
    const { own, untrusted } = partsOf(result);
    const [, rule = ''] = /"rule": "([A-Z]+-\d+)"/.exec(untrusted) ?? assert.fail(result);
    assert.match(own, new RegExp(`Rules that were broken:[^]*"rule": "${rule}"[^]*"clause": "https://a2a-protocol.org/`));
  });

  test('an agent that cannot be reached is in the result with its problem', async () => {
    window.agents.configure({ Ann: { url: world.agent.url }, Gone: { url: 'http://127.0.0.1:9' } });
    const result = await desk.call('a2a_send', { agent: 'Gone', text: 'x' });
    assert.match(partsOf(result).untrusted, /## Problem[^]*127\.0\.0\.1:9/);
  });

  test('a check starts no work, and gives each bad verdict with clause and remedy', async () => {
    script['GetTask'] = [{ answer: taskOf('WORKING') }];
    const before = world.agent.requests.length;
    const result = await desk.call('a2a_check', { agent: 'Ann' });
    const { own, untrusted } = partsOf(result);
    assert.match(own, /Verdicts: \{.*"fail":\d+/);
    const { verdicts } = JSON.parse(untrusted) as {
      readonly verdicts: readonly {
        readonly rule: string;
        readonly remedy?: string;
        readonly asked?: string;
        readonly answered?: string;
      }[];
    };
    const [failed] = verdicts.filter(({ remedy }) => remedy !== undefined);
    assert.ok(failed !== undefined, result);
    const row = new RegExp(`"rule": "${failed.rule}",[^}]*"clause": "https://a2a-protocol.org/`);
    assert.match(own, row);
    // No other tool has the exchanges of a check.
    assert.match(failed.asked ?? '', /^(GET|POST) http:/);
    assert.ok(failed.answered !== undefined);
    const made = world.agent.requests.slice(before);
    assert.ok(made.some(({ operation }) => operation === 'GetTask'));
    // Messages go into tasks that do not exist, or have nothing in them: an agent refuses them.
    const begins = made.filter(({ body }) => body.includes('"parts":[{') && !body.includes('"taskId":'));
    assert.deepEqual(
      begins.map(({ body }) => body),
      [],
    );
    assert.equal(desk.asked[0], 'check Ann: all rules that start no work');

    const one = await desk.call('a2a_check', { agent: 'Ann', rules: [failed.rule] });
    const untested = await desk.call('a2a_check', { agent: 'Ann', rules: ['STRM-03'] });
    assert.match(partsOf(untested).untrusted, /"verdict": "not-testable"/);
    assert.deepEqual([...new Set([...one.matchAll(/"rule": "([A-Z]+-\d+)"/g)].map(([, rule]) => rule))], [failed.rule]);
    await assert.rejects(desk.call('a2a_check', { agent: 'Ann', rules: ['NONE-01'] }), /There is no rule NONE-01/);
  });

  test('the evidence of a verdict is cut, however long the answer', async () => {
    script['GetTask'] = [{ answer: { ...taskOf('WORKING'), more: 'x'.repeat(5000) } }];
    const { untrusted } = partsOf(await desk.call('a2a_check', { agent: 'Ann' }));
    const { verdicts } = JSON.parse(untrusted) as { readonly verdicts: readonly { readonly answered?: string }[] };
    assert.equal(Math.max(...verdicts.map(({ answered = '' }) => answered.length)), 1001);
  });

  test('a check without consent asks the agent for nothing', async () => {
    desk.refuses = true;
    const before = world.agent.requests.length;
    await assert.rejects(desk.call('a2a_check', { agent: 'Ann' }), { message: 'The person said no.' });
    assert.equal(world.agent.requests.length, before);
  });

  test('requests of a file come back with verdicts, what was wrong, and where to read on', async () => {
    script['SendStreamingMessage'] = [task('COMPLETED', {}, says('m3', 'Fair, they say'))];
    const file = readRequestFile(
      JSON.stringify({
        agent: 'Ann',
        requests: [
          { name: 'good', message: 'x', expect: { state: 'completed' } },
          { name: 'bad', message: 'y', expect: { text: { contains: 'rain' } } },
        ],
      }),
    );
    const running = new ToolDesk(window, {
      run: async (_, mayRun, signal) => {
        await mayRun({ agents: [{ name: 'Ann', origin: 'http://x' }], payload: 'weather.a2a' });
        const runs = new RequestRuns(window, error => assert.fail(String(error)));
        await runs.sendAll(file, {}, signal);
        return runs.all;
      },
    });
    const result = await running.call('a2a_run', { file: 'weather.a2a' });
    const { own, untrusted } = partsOf(result);
    assert.match(own, /^Requests: 2 sent, 1 failed\./);
    assert.doesNotMatch(own, /Fair/);
    const [good, bad] = JSON.parse(untrusted) as readonly Record<string, never>[];
    assert.deepEqual([good?.['verdict'], good?.['text'], bad?.['verdict']], ['passed', 'Fair, they say', 'failed']);
    assert.match(JSON.stringify(bad?.['wrong']), /rain/);
    assert.match(await running.call('a2a_wire', { context: bad!['context'], exchange: bad!['exchanges']![0] }), /SendStreamingMessage/);
    assert.deepEqual(running.asked.slice(0, 2), ['run Ann: weather.a2a', 'words of Ann']);
    running.refuses = true;
    const before = world.agent.requests.length;
    await assert.rejects(running.call('a2a_run', { file: 'weather.a2a' }), { message: 'The person said no.' });
    assert.equal(world.agent.requests.length, before);
  });

  test('what does not fit together is refused before the person is asked', async () => {
    const other = window.contexts.create('Gone').key;
    for (const input of [
      { agent: 'Ann', text: 'x', parts: [{ text: 'x' }] },
      { agent: 'Ann' },
      { agent: 'Ann', text: 'x', context: other },
      { agent: 'Ann', text: 'x', task: 't' },
      { agent: 'Ann', text: 'x', waitSeconds: 301 },
      { agent: 'Nobody', text: 'x' },
      { agent: 'Ann', text: 'x', context: 'nowhere' },
    ])
      await assert.rejects(desk.call('a2a_send', input), Error);
    assert.deepEqual(desk.asked, []);
  });
});

import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a2a compare', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let count: number;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  setup(() => (count = 0));
  teardown(() => open.close());

  /** Asks for the currency, then converts. */
  const converts = (rate: () => string): Script => ({
    SendStreamingMessage: ({ params }) => {
      count++;
      const message = params!.message;
      const isAnswer = message.taskId !== undefined;
      const id = message.taskId ?? `task-number-${count}`;
      const contextId = message.contextId ?? `context-number-${count}`;
      const said = { messageId: `m-${count}`, role: 'ROLE_AGENT' as const, parts: [{ text: isAnswer ? 'Done.' : 'Which currency?' }] };
      const state = isAnswer ? ('TASK_STATE_COMPLETED' as const) : ('TASK_STATE_INPUT_REQUIRED' as const);
      return [
        { event: { task: { id, contextId, status: { state: 'TASK_STATE_WORKING' } } } },
        ...(isAnswer
          ? [
              {
                event: {
                  artifactUpdate: {
                    taskId: id,
                    contextId,
                    artifact: { artifactId: `a-${count}`, name: 'rate', parts: [{ text: rate() }] },
                    lastChunk: true,
                  },
                },
              },
            ]
          : []),
        {
          event: {
            statusUpdate: { taskId: id, contextId, status: { state, message: said, timestamp: new Date(1.8e12 + count).toISOString() } },
          },
        },
      ];
    },
  });
  const standard = converts(() => '0.92');

  /** A recording of a conversation with this agent. */
  async function recorded(script: Script) {
    const agent = await open.agent(script);
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'ask', message: 'How much is 10 USD?' },
          { name: 'answer', after: 'ask', message: 'EUR' },
        ],
      },
    });
    const came = await program.run(['run', 'x.a2a', '--record', 'r.a2a-recording.jsonl'], { cwd });
    assert.equal(came.status, 0, came.out + came.err);
    const compare = (...args: readonly string[]) => program.run(['compare', 'r.a2a-recording.jsonl', ...args], { cwd });
    return { agent, cwd, compare };
  }

  test('an agent that answers as in the recording has no differences; the answer goes into the task that asked', async () => {
    const { agent, compare } = await recorded(standard);
    const before = agent.requests.length;
    const came = await compare('--agent', `Same=${agent.url}`);
    assert.deepEqual([came.status, came.err], [0, ''], came.out);
    const lines = came.out.split('\n').map(line => line.replaceAll(/ {2,}/g, ' | '));
    assert.equal(lines[0], 'turn | run | state | first event | total | differs');
    assert.match(lines[1] ?? '', /^1 \| recording \| input-required \| \d+ ms \| \d+ ms$/);
    assert.match(lines[4] ?? '', /^2 \| Same \| completed \| \d+ ms \| \d+ ms$/);
    assert.equal(lines.at(-2), 'No differences.');
    const sent = agent.requests.slice(before).filter(({ operation }) => operation === 'SendStreamingMessage');
    assert.deepEqual(
      [sent.length, sent[1]?.params !== undefined && 'message' in sent[1].params && sent[1].params.message.taskId],
      [2, 'task-number-3'],
    );
  });

  test('an agent that answers otherwise is named turn by turn, with what differs', async () => {
    const { compare } = await recorded(standard);
    const other = await open.agent(converts(() => '0.95'));
    const came = await compare('--agent', `Other=${other.url}`);
    assert.equal(came.status, 1, came.err);
    assert.match(came.out, /^1 +Other +input-required +\d+ ms +\d+ ms$/m);
    assert.match(came.out, /^2 +Other +completed +\d+ ms +\d+ ms +artifacts$/m);
    assert.match(came.out, /Turn 2, "EUR": - recording {2}\+ Other\n[^]*- .*"0\.92"\n *\+ .*"0\.95"/);
    assert.match(came.out, /^1 difference\.$/m);
  });

  test('several agents are compared with the first, each as often as is wanted, with a rate', async () => {
    const { agent, compare } = await recorded(standard);
    let asked = 0;
    const flaky = await open.agent(converts(() => (++asked === 2 ? '1.1' : '0.92')));
    const came = await compare('--agent', `A=${agent.url}`, '--agent', `B=${flaky.url}`, '--times', '2');
    assert.equal(came.status, 1, came.err);
    assert.doesNotMatch(came.out, /recording/);
    assert.deepEqual(
      came.out.split('\n').filter(line => line.includes('equal:')),
      ['1     equal: 3 of 3', '2     equal: 2 of 3'],
    );
    assert.match(came.out, /^2 +B #2 +completed .* artifacts$/m);
  });

  test('an agent that denies what it streamed, or contradicts its end later, is the same as its recording', async () => {
    const ids = { taskId: 't', contextId: 'c' };
    const update = (state: 'COMPLETED' | 'FAILED') => ({
      event: { statusUpdate: { ...ids, status: { state: `TASK_STATE_${state}` as const } } },
    });
    const says = (text: string, append: boolean) => ({
      event: { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append } },
    });
    const begun = { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' as const } } } };
    for (const [steps, state] of [
      [[begun, says('one ', true), says('two ', true), update('COMPLETED')], 'COMPLETED'],
      [[begun, says('one', false), update('COMPLETED'), { delay: 300 }, says('late', true), update('FAILED')], 'FAILED'],
      [[begun, says('one', false), update('COMPLETED'), { delay: 2_500 }, update('FAILED')], 'FAILED'],
    ] as const) {
      const agent = await open.agent({
        SendStreamingMessage: [...steps],
        GetTask: [{ answer: { id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` }, artifacts: [] } }],
      });
      const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'go' } });
      await program.run(['run', 'x.a2a', '--record', 'r.a2a-recording.jsonl'], { cwd });
      const came = await program.run(['compare', 'r.a2a-recording.jsonl', '--agent', `Same=${agent.url}`], { cwd });
      assert.deepEqual([came.status, came.err], [0, ''], came.out);
      assert.match(came.out, /No differences\.\n$/);
    }
  });

  test('long and many differences are cut, and commands in them are none', async () => {
    const lists = (of: () => readonly string[]): Script => ({
      SendStreamingMessage: () => [{ event: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: [...of()] }] } } }],
    });
    const agent = await open.agent(lists(() => ['one']));
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'list' } });
    await program.run(['run', 'x.a2a', '--record', 'r.a2a-recording.jsonl'], { cwd });
    const long = await open.agent(lists(() => ['##vso[task.complete]', ...Array.from({ length: 40 }, (_, index) => `line ${index}`)]));
    const { out } = await program.run(['compare', 'r.a2a-recording.jsonl', '--agent', `Long=${long.url}`, '--times', '22'], { cwd });
    const [, ...blocks] = out.split(/^ *Turn 1, "list": .*\n/m);
    assert.equal(blocks.length, 20, out);
    const lines = blocks[0]!.trimEnd().split('\n');
    assert.deepEqual([lines.length, lines.at(-1)?.trim()], [21, '…']);
    assert.match(blocks.at(-1)!, /… further differences are in the table alone\n22 differences\.\n$/);
    assert.ok(lines.some(line => line.includes('task.complete')) && !out.includes('##vso['), out);
  });

  test('a message gets no more time than --timeout says', async () => {
    const { compare } = await recorded(standard);
    const slow = await open.agent({
      SendStreamingMessage: [{ event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } }, { stall: true }],
      GetTask: [{ stall: true }],
      CancelTask: [{ error: { code: -32002, message: 'No' } }],
    });
    const came = await compare('--agent', `Slow=${slow.url}`, '--timeout', '300ms');
    assert.equal(came.status, 1, came.out + came.err);
    assert.match(came.out, /^1 +Slow +working .*problem/m);
  });

  test('--json prints an object a line', async () => {
    const { compare } = await recorded(standard);
    const other = await open.agent(converts(() => '0.95'));
    const lines = (await compare('--agent', `Other=${other.url}`, '--json')).out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ turn, run, message, state, differs, summary }) => summary ?? [turn, run, message, state, differs]),
      [
        [1, 'recording', 'How much is 10 USD?', 'TASK_STATE_INPUT_REQUIRED', []],
        [1, 'Other', 'How much is 10 USD?', 'TASK_STATE_INPUT_REQUIRED', []],
        [2, 'recording', 'EUR', 'TASK_STATE_COMPLETED', []],
        [2, 'Other', 'EUR', 'TASK_STATE_COMPLETED', ['artifacts']],
        { differences: 1 },
      ],
    );
  });

  test('an error that the recording has too is no difference, and a turn that did not come to be sent is one', async () => {
    const refuses: Script = {
      SendStreamingMessage: ({ params }) =>
        params?.message.parts.some(part => 'text' in part && part.text === 'two') === true
          ? [
              {
                event: {
                  message: { messageId: 'm', role: 'ROLE_AGENT', contextId: params.message.contextId ?? 'c', parts: [{ text: 'Two.' }] },
                },
              },
            ]
          : [{ error: { code: -32005, message: 'No such type' } }],
    };
    const agent = await open.agent(refuses);
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { params: { message: { contextId: 'c', parts: [{ text: 'one' }] } } },
          { params: { message: { contextId: 'c', parts: [{ text: 'two' }] } } },
        ],
      },
    });
    await program.run(['run', 'x.a2a', '--record', 'r.a2a-recording.jsonl'], { cwd });
    const same = await program.run(['compare', 'r.a2a-recording.jsonl', '--agent', `Same=${agent.url}`], { cwd });
    assert.equal(same.status, 0, same.out + same.err);
    assert.match(same.out, /^2 +Same +message /m, 'it goes on behind the error, as the recording does');
    const json = await program.run(['compare', 'r.a2a-recording.jsonl', '--agent', `Same=${agent.url}`, '--json'], { cwd });
    const states = json.out
      .trim()
      .split('\n')
      .slice(0, 4)
      .map(line => (JSON.parse(line) as { readonly state?: string }).state);
    assert.deepEqual(states, [undefined, undefined, 'message', 'message']);
    const { compare } = await recorded(standard);
    const early = await compare('--agent', `Early=${agent.url}`);
    assert.equal(early.status, 1, early.err);
    assert.match(early.out, /^2 +Early +not sent +turn$/m);
  });

  test('an agent that cannot be reached ends it with 3, and a wrong command line with 2', async () => {
    const { agent, cwd, compare } = await recorded(standard);
    const gone = await compare('--agent', 'Gone=http://127.0.0.1:9/');
    assert.equal(gone.status, 3, gone.out);
    const broken = await open.agent({ SendStreamingMessage: [{ reset: true }] });
    assert.equal((await compare('--agent', `Broken=${broken.url}`)).status, 3);
    const failing = await open.agent({ SendStreamingMessage: [{ error: { code: -32603, message: 'Out of order' } }] });
    assert.equal((await compare('--agent', `Failing=${failing.url}`)).status, 1);
    assert.match((await program.run(['help', 'compare'])).out, /1 if something differs, including an answer with an error; 3 if an agent/);
    for (const args of [
      [],
      ['--agent', agent.url],
      ['--agent', `A=${agent.url}`, '--times', '0'],
      ['--agent', `A=${agent.url}`, '--times', '101'],
      ['--agent', `A=${agent.url}`, '--raw'],
    ])
      assert.equal((await compare(...args)).status, 2, args.join(' '));
    const file = await program.run(['compare', 'x.a2a', '--agent', `A=${agent.url}`], { cwd });
    assert.equal(file.status, 2);
    assert.match(file.err, /not a recording/);
    assert.equal((await program.run(['compare', join(cwd, 'none'), '--agent', `A=${agent.url}`], { cwd })).status, 2);
  });
});

import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { ReceivedRequest, Script } from '../../../src/mock/script.ts';
import { eventually } from '../../support/eventually.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { asked, silentCard } from '../../process/support/agentScripts.ts';
import { reporting, type ReporterName } from '../../support/cli/reporting.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

interface Kind {
  readonly script: () => Script;
  readonly verdict: 'sent' | 'failed';
  readonly status: number;
  /** What is said of it. */
  readonly words?: RegExp;
  /** It is not finish within the 3 s that it has. */
  readonly late?: true;
}

/** How agents go about a message, and what comes of a request to each. */
const kinds: Readonly<Record<string, Kind>> = {
  'an agent that is asked again and again': {
    script: () => ({
      ...silentCard,
      SendMessage: [{ answer: { task: task('TASK_STATE_SUBMITTED') } }],
      GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
    }),
    verdict: 'sent',
    status: 0,
  },
  'a stream that breaks': {
    script: () => ({
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        { event: chunk('one ', false) },
        { delay: 100 },
        { close: true },
      ],
      GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
      SubscribeToTask: [{ event: { task: task('TASK_STATE_WORKING') } }, { reset: true }],
    }),
    verdict: 'sent',
    status: 0,
  },
  'a stream that ends before the task does': {
    script: () => ({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
      GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
    }),
    verdict: 'sent',
    status: 0,
  },
  'an agent that never answers': {
    script: () => ({ SendStreamingMessage: [{ stall: true }] }),
    verdict: 'failed',
    status: 1,
    words: /no sign of life within 3 seconds/,
    late: true,
  },
  'an agent whose task never ends': {
    script: () => ({
      ...silentCard,
      SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }],
      GetTask: asked('TASK_STATE_WORKING'),
    }),
    verdict: 'failed',
    status: 1,
    words: /not finish within/,
    late: true,
  },
  'an agent that falls silent in mid-answer': {
    script: () => ({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      GetTask: asked('TASK_STATE_WORKING'),
    }),
    verdict: 'failed',
    status: 1,
    words: /not finish within/,
    late: true,
  },
  'an agent that refuses to cancel what is late': {
    script: () => ({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      GetTask: asked('TASK_STATE_WORKING'),
      CancelTask: [{ error: { code: -32002, message: 'Never.' } }],
    }),
    verdict: 'failed',
    status: 1,
    words: /not finish within 3 seconds\. The agent was then asked to cancel the task, which continues: .*Never\./,
    late: true,
  },
  'an agent that answers with another task': {
    script: () => ({
      ...silentCard,
      SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }],
      GetTask: [{ answer: task('TASK_STATE_COMPLETED', { id: 't-9' }) }],
    }),
    verdict: 'failed',
    status: 3,
    words: /asked for task (\\?"|&quot;)t-1\1 and returned task \1t-9\1; the answer was not applied/,
  },
  'an agent that answers with an error in the middle of the task': {
    script: () => ({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { error: { code: -32603, message: 'the pipe broke' } }],
      GetTask: asked('TASK_STATE_WORKING'),
    }),
    verdict: 'failed',
    status: 3,
    words: /the pipe broke/,
  },
  'an agent that answers garbage': { script: () => ({ SendStreamingMessage: [{ html: '<h1>Oops</h1>' }] }), verdict: 'failed', status: 3 },
  'an agent whose stream cannot be read': {
    script: () => ({ SendStreamingMessage: [{ raw: 'data: {oops\n\n' }] }),
    verdict: 'failed',
    status: 3,
  },
  'an agent whose stream ends with an error': {
    script: () => ({ SendStreamingMessage: [{ raw: 'event: error\ndata: oops\n\n' }] }),
    verdict: 'failed',
    status: 3,
  },
  'an agent whose card is a page': { script: () => ({ AgentCard: [{ html: '<h1>Oops</h1>' }] }), verdict: 'failed', status: 3 },
  'an agent that sends elsewhere': {
    script: () => ({ SendStreamingMessage: [{ status: 307, headers: { location: 'http://elsewhere.example/' } }, { json: {} }] }),
    verdict: 'failed',
    status: 3,
  },
  'an agent that answers garbage when it is asked again': {
    script: () => ({
      ...silentCard,
      SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }],
      GetTask: [{ html: '<h1>Oops</h1>' }],
    }),
    verdict: 'failed',
    status: 3,
  },
};

/** What the agent says of a failure. */
const reasons: Readonly<Record<string, readonly [script: Script, words: string]>> = {
  'a task that failed': [
    {
      ...silentCard,
      SendMessage: [
        { answer: { task: task('TASK_STATE_FAILED', { status: { state: 'TASK_STATE_FAILED', message: says('Disk full at sector 9') } }) } },
      ],
    },
    'Disk full at sector 9',
  ],
  'an error': [
    {
      ...silentCard,
      SendMessage: [{ error: { code: -32603, message: 'the pipe broke', data: [{ '@type': 'x', reason: 'RUSTY_VALVE' }] } }],
    },
    'RUSTY_VALVE',
  ],
};

/** What is said where a stream ended and its task goes on. */
const followed = /^t-1: [^\n]+ (Still following the task|Polling every few seconds; not finished yet)\. Ctrl\+C ends that\.\n/;

const reporters: Readonly<Record<ReporterName, (out: string, kind: Kind) => void>> = {
  spec: (out, { verdict }) => {
    assert.match(out, verdict === 'sent' ? /x\.a2a › asked/ : /[✗!] x\.a2a › asked/);
    assert.match(out, verdict === 'sent' ? /\n1 sent,[^\n]* in \d+\.\d s\n$/ : /\n[^\n]*1 failed[^\n]* in \d+\.\d s\n$/);
  },
  junit: (out, { verdict }) => {
    assert.match(out, /^<\?xml[^]*<\/testsuites>\n$/);
    assert.match(out, /<testcase name="asked"/);
    assert.equal(/<(failure|error)\b/.test(out), verdict === 'failed');
  },
  json: (out, { verdict }) => {
    const [result, last] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    assert.equal(result!['name'], 'asked');
    assert.ok(verdict === 'sent' ? result!['verdict'] === 'sent' : ['failed', 'error'].includes(String(result!['verdict'])), out);
    assert.ok('summary' in last!);
  },
};

suite('a2a run comes to its end', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const asksFor = (agent: { readonly requests: readonly ReceivedRequest[] }, wanted: string): Promise<void> =>
    eventually(() => assert.ok(agent.requests.some(({ operation }) => operation === wanted)));

  for (const [title, kind] of Object.entries(kinds)) {
    test(title, async () => {
      const agent = await open.agent(kind.script());
      const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, name: 'asked', message: 'x' } });
      const { args, reports } = reporting();
      // What is not late has all the time that a busy machine needs.
      const timeout = kind.late === true ? '3s' : '30s';
      const { status, out, err } = await program.run(['run', 'x.a2a', ...args, '--timeout', timeout], { cwd });
      assert.deepEqual([status, err.replace(followed, '')], [kind.status, ''], out);
      for (const [reporter, text] of await reports(cwd, out)) {
        reporters[reporter](text, kind);
        if (kind.words !== undefined) assert.match(text, kind.words);
      }
    });
  }

  test('an error in the middle of a task is the answer that is expected, and not waited out', async () => {
    const agent = await open.agent({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { error: { code: -32603, message: 'the pipe broke' } }],
      GetTask: asked('TASK_STATE_WORKING'),
    });
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, requests: [-32603, '-32603', 'InternalError'].map(error => ({ message: 'x', expect: { error } })) },
    });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 0, out);
    assert.match(out, /3 passed/);
  });

  test('numbers of any length are sent as they are written', async () => {
    const agent = await open.agent({ ...silentCard, SendMessage: [{ answer: { message: says('ok') } }] });
    const cwd = await program.workspace({});
    await writeFile(
      join(cwd, 'x.a2a'),
      `{ "agent": "${agent.url}", "variables": { "v": 9007199254740993 }, "requests": [
        { "message": [{ "data": { "id": 12345678901234567890, "v": "{{v}}", "w": "{{w}}", "e": "{{e}}" } }] },
        { "method": "SendMessage", "params": { "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "data": 1.00000000000000000001 }] } } }
      ] }`,
    );
    await writeFile(join(cwd, 'a2a.env.json'), '{ "dev": { "e": -9007199254740993 } }');
    const { out } = await program.run(['run', 'x.a2a', '--env', 'dev', '--var', 'w:=100000000000000000001'], { cwd });
    const bodies = agent.requests.map(({ body }) => body).join('\n');
    for (const digits of [
      '"id":12345678901234567890',
      '"v":9007199254740993',
      '"w":100000000000000000001',
      '"e":-9007199254740993',
      '1.00000000000000000001',
    ])
      assert.ok(bodies.includes(digits), `${digits}: ${bodies} ${out}`);
  });

  for (const [title, [script, words]] of Object.entries(reasons)) {
    test(`the agent's own reason is in every report: ${title}`, async () => {
      const agent = await open.agent(script);
      const cwd = await program.workspace({
        'x.a2a': { agent: agent.url, requests: [{ message: 'x' }, { message: 'x', expect: { state: 'completed' } }] },
      });
      const { args, reports } = reporting();
      const { out } = await program.run(['run', 'x.a2a', ...args], { cwd });
      for (const [, text] of await reports(cwd, out)) {
        const [, ...results] = text.split(/^[✗!] x\.a2a › |<testcase |^\{"file":/m);
        assert.deepEqual(
          results.map(result => result.replaceAll(/^ *[<>] .*$/gm, '').includes(words)),
          [true, true],
          text,
        );
      }
    });
  }

  test('an agent that only says that it will answer: HTTP 102 again and again', async () => {
    const url = await open.web((request, response) => {
      if (request.method === 'GET')
        return void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(minimalCard(`http://${request.headers.host}/`, '1.0')));
      const timer = setInterval(() => response.writeProcessing(), 20);
      response.on('close', () => clearInterval(timer));
    });
    const cwd = await program.workspace({ 'x.a2a': { agent: url, message: 'x' } });
    const [{ status, out }, { err }] = await Promise.all([
      program.run(['run', 'x.a2a', '--timeout', '2s'], { cwd }),
      program.run(['send', url, 'x', '--timeout', '2s'], { cwd }),
    ]);
    assert.match(out, /In 2 s the agent sent only an interim response \(HTTP 102\)\./);
    assert.equal(status, 1);
    assert.match(err, /^In 2 s the agent sent only an interim response \(HTTP 102\)\.\n/);
  });

  test('an agent that is killed in mid-answer; what comes after it is sent all the same', async () => {
    const dying = await open.agent({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { event: chunk('one ', false) }, { stall: true }],
    });
    const fine = await open.agent({ SendStreamingMessage: [{ event: { task: task('TASK_STATE_COMPLETED') } }] });
    const cwd = await program.workspace({
      'x.a2a': {
        requests: [
          { name: 'dies', agent: dying.url, message: 'x' },
          { name: 'lives', agent: fine.url, message: 'x', expect: {} },
        ],
      },
    });
    const end = program.run(['run', 'x.a2a', '--timeout', '5s'], { cwd });
    await asksFor(dying, 'SendStreamingMessage');
    await dying.stop();
    const { status, out, err } = await end;
    assert.match(out, /[✗!] x\.a2a › dies[^]*✓ x\.a2a › lives[^]*1 passed, 1 failed/);
    assert.deepEqual([status, err.replace(followed, '')], [1, '']);
  });

  test('an agent of 0.3 that ends a stream before its task is over', async () => {
    const agent = await open.agent(
      {
        SendStreamingMessage: [{ event: statusUpdate('TASK_STATE_WORKING') }],
        GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
      },
      '0.3',
    );
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x', expect: { state: 'completed' } } });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 0, out);
    assert.match(out, /1 passed/);
  });
});

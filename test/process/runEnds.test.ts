import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import type { ReceivedRequest, Script } from '../../src/mock/script.ts';
import { eventually } from '../support/eventually.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { asked, silentCard } from './support/agentScripts.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

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

const reporters: Readonly<Record<string, (out: string, kind: Kind) => void>> = {
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

/** All reporters at once: one of them prints, another one each time, and the others write files in the folder of the run. */
let turn = 0;
function reporting(): { readonly args: readonly string[]; reports(cwd: string, out: string): Promise<[reporter: string, text: string][]> } {
  const names = Object.keys(reporters);
  const printing = names[turn++ % names.length];
  return {
    args: names.flatMap(name => ['--reporter', name === printing ? name : `${name}=${name}.txt`]),
    reports: (cwd, out) =>
      Promise.all(names.map(async name => [name, name === printing ? out : await readFile(join(cwd, `${name}.txt`), 'utf8')])),
  };
}

suite('a2a run comes to its end', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
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
        reporters[reporter]!(text, kind);
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
    const child = program.start(['run', 'x.a2a', '--timeout', '5s'], { cwd });
    child.stdin.end();
    const end = ended(child);
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

  test('an interrupt and a termination are told, with what was not run', async () => {
    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const agent = await open.agent({
        // Who asks for a task knows it.
        SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
        GetTask: asked('TASK_STATE_WORKING'),
        CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
      });
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [
            { name: 'a', message: 'x' },
            { name: 'b', message: 'y' },
          ],
        },
      });
      const child = program.start(['run', 'x.a2a', '--reporter', 'junit'], { cwd });
      child.stdin.end();
      const end = ended(child);
      await asksFor(agent, 'GetTask');
      child.kill(signal);
      const { status, out } = await end;
      assert.match(out, /<testcase name="a"[^]*<testcase name="b"[^]*<skipped[^]*<\/testsuites>\n$/);
      assert.equal(status, expected);
      assert.ok(agent.requests.some(({ operation }) => operation === 'CancelTask'));
    }
  });

  const interrupted: Readonly<Record<string, Script>> = {
    'that cancels': {
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
    },
    'that does not answer when it is asked to cancel': {
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      CancelTask: [{ stall: true }],
      GetTask: [{ stall: true }],
    },
    'that has said nothing yet': { SendStreamingMessage: [{ stall: true }], ListTasks: [{ stall: true }] },
  };
  for (const [title, script] of Object.entries(interrupted)) {
    test(`a run that is ended does not blame the agent: one ${title}`, async () => {
      const agent = await open.agent(script);
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [
            { name: 'a', message: 'x', expect: { state: 'completed' } },
            { name: 'b', message: 'y' },
          ],
        },
      });
      const { args, reports } = reporting();
      const child = program.start(['run', 'x.a2a', ...args], { cwd });
      child.stdin.end();
      const end = ended(child);
      await asksFor(agent, 'SendStreamingMessage');
      child.kill('SIGTERM');
      const { status, out } = await end;
      assert.equal(status, 143, out);
      for (const [reporter, text] of await reports(cwd, out))
        assert.match(
          text,
          {
            spec: /^- x\.a2a › a.* \(interrupted\)\n.*The run ended before this request had a result\.\n[^]*- x\.a2a › b \(not run\)\n\n0 passed, 2 not run in/,
            junit:
              /failures="0" errors="0" skipped="2"[^]*"a"[^>]*><skipped message="The run ended before this request had a result\."[^]*"b"[^>]*><skipped/,
            json: /"name":"a".*"verdict":"interrupted".*"agentFailed":false[^]*"name":"b".*"verdict":"not-run"[^]*"failed":0,"skipped":0,"notRun":2/,
          }[reporter]!,
        );
    });
  }

  test('an agent that refuses to cancel: an interrupted run says so and waits for the task', async () => {
    let isTold = false;
    const agent = await open.agent({
      // Who asks for a task knows it.
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
      GetTask: () => [{ answer: task(isTold ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING') }],
      CancelTask: [{ error: { code: -32002, message: 'Never.' } }],
    });
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'a', message: 'x' },
          { name: 'b', message: 'y' },
        ],
      },
    });
    const child = program.start(['run', 'x.a2a'], { cwd });
    child.stdin.end();
    const end = ended(child);
    child.stderr.on('data', chunk => void (isTold ||= String(chunk).includes('Never.')));
    await asksFor(agent, 'GetTask');
    child.kill('SIGINT');
    const { status, out, err } = await end;
    assert.match(err, /a goes on: .*Never\./);
    assert.match(out, /› a: completed[^]*1 sent/);
    assert.equal(status, 130);
    assert.equal(
      agent.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length,
      1,
      'what comes after it is not sent',
    );
  });

  const standstills = {
    send: { status: 4, out: /^$/, err: /^The program exited before the command finished/ },
    defect: {
      status: 70,
      out: /<testcase name="asked"[^]*<error type="defect" message="[^"]*broken[^]*<skipped[^]*<\/testsuites>\n$/,
      err: /^Error: broken\n/,
    },
  };
  for (const [what, { status, out, err }] of Object.entries(standstills)) {
    test(`a process that ends before its command does: ${what}`, async () => {
      const cwd = await program.workspace({
        'x.a2a': { agent: 'http://127.0.0.1:9', requests: [{ name: 'asked', message: 'x' }, { message: 'y' }] },
      });
      const child = spawn(process.execPath, [fileURLToPath(new URL('support/standstill.ts', import.meta.url)), what, 'x.a2a'], {
        cwd,
        stdio: 'pipe',
      });
      child.stdin.end();
      const came = await ended(child);
      assert.match(came.out, out);
      assert.match(came.err, err);
      assert.equal(came.status, status);
    });
  }

  test('a reader that goes away does not turn a failed run into a good one', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { task: task('TASK_STATE_FAILED') } }] });
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests: Array.from({ length: 20 }, () => ({ message: 'x' })) } });
    const child = program.start(['run', 'x.a2a'], { cwd });
    child.stdin.end();
    child.stderr.resume();
    child.stdout.once('data', () => child.stdout.destroy());
    await once(child, 'exit');
    assert.equal(child.exitCode, 1);
  });
});

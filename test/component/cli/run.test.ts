import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from '../../../src/mock/script.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { kinds } from '../../../src/request/expect/kinds.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, task } from '../../support/client/says.ts';
import type { Ended, RunOptions } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let program: TerminalFolder;

const a2a = (args: readonly string[], { cwd = root, env = {} }: RunOptions = {}): Promise<Ended> =>
  program.run(['run', ...args], { cwd, env });

interface Case {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly verdict: string;
  readonly text: string;
}

/** What a JUnit file says, read without knowing how it was written. */
function readJunit(xml: string): { readonly counts: Record<string, number>; readonly cases: readonly Case[] } {
  const attribute = (element: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '';
  const [head = ''] = /<testsuites[^>]*>/.exec(xml) ?? [];
  const cases = [...xml.matchAll(/<testcase[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs)].map(
    ([whole, inside = '']): Case => ({
      name: attribute(whole, 'name'),
      file: attribute(whole, 'file'),
      line: Number(attribute(whole, 'line')),
      verdict: /<(failure|error|skipped)\b/.exec(inside)?.[1] ?? 'passed',
      text: inside,
    }),
  );
  return {
    counts: Object.fromEntries(['tests', 'failures', 'errors', 'skipped'].map(name => [name, Number(attribute(head, name))])),
    cases,
  };
}

suite('a2a run', () => {
  const open = new OpenThings();
  suiteSetup(async () => {
    program = await TerminalFolder.make();
  });
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const workspace = (files: Readonly<Record<string, unknown>>): Promise<string> => program.workspace(files);

  const echo: Script = { SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }] };

  suite('against the sample agents', () => {
    let agents: StartedSampleAgents;
    let named: string[];
    suiteSetup(async () => {
      agents = await startSampleAgents({ pace: 0 });
      named = Object.entries(agents.urls).flatMap(([name, url]) => ['--agent', `${name}=${url}`]);
    });
    suiteTeardown(() => agents.stop());

    test('every example runs, also in parallel, and JUnit says so', async () => {
      const { status, out, err } = await a2a(['examples/workspace', ...named, '--reporter', 'junit', '--parallel', '4']);
      assert.deepEqual([status, err], [0, ''], out);
      const { counts, cases } = readJunit(out);
      assert.equal(counts['tests'], cases.length);
      assert.deepEqual([counts['failures'], counts['errors'], counts['skipped']], [0, 0, 0]);
      assert.ok(cases.some(({ name, file }) => name === 'converted [25, JPY]' && file === 'examples/workspace/stories.a2a'));
      // A case for every request there is, and one for each row of the one that has rows.
      const written = globSync('examples/workspace/*.a2a', { cwd: root }).flatMap(
        path => readRequestFile(readFileSync(join(root, path), 'utf8')).requests,
      );
      assert.equal(cases.length, written.length + 1);
    });

    test('every kind of expectation fails where it should, each at its place', async () => {
      const odd = await open.agent({
        SendMessage: ({ body }) => [
          {
            json: {
              jsonrpc: '2.0',
              id: (JSON.parse(body) as { id: unknown }).id,
              result: { task: { id: 't', contextId: 'c', status: { state: 'completed' } } },
            },
          },
        ],
      });
      const failing: Readonly<Record<string, string>> = {
        state: '"failed"',
        states: '["submitted", "completed"]',
        artifacts: '[{ "name": "other" }]',
        text: '"GBP"',
        paths: '{ "task.id": "other" }',
        data: '{ "required": ["colour"] }',
        events: '[{ "state": "completed" }, { "state": "working" }]',
        firstEventMs: '0.001',
        totalMs: '0.001',
        error: '"TaskNotFoundError"',
        status: '404',
        headers: '{ "x-none": "x" }',
        findings: '[]',
        snapshot: 'true',
      };
      assert.deepEqual(Object.keys(failing).sort(), Object.keys(kinds).sort());
      const requests = Object.entries(failing).map(
        ([kind, expected]) =>
          `{ "name": "${kind}", "agent": "${kind === 'findings' ? odd.url : 'Currency'}", "method": "${kind === 'findings' ? 'SendMessage' : 'SendStreamingMessage'}", "message": "Convert 10 USD to EUR",\n  "expect": { "${kind}": ${expected} } }`,
      );
      const cwd = await workspace({
        'all.a2a': `{ "requests": [\n${requests.join(',\n')}\n] }`,
        '__snapshots__/all.a2a.snap.json': '{ "snapshot": {} }',
      });
      const { status, out } = await a2a(['all.a2a', '--agent', `Currency=${agents.urls['Currency']}`, '--reporter', 'junit'], { cwd });
      const { counts, cases } = readJunit(out);
      assert.deepEqual([status, counts['tests'], counts['failures'], counts['errors']], [1, requests.length, requests.length, 0], out);
      for (const [index, { name, verdict, text: words }] of cases.entries()) {
        assert.equal(verdict, 'failure', name);
        assert.match(words, new RegExp(`all\\.a2a:${3 + 2 * index}:\\d+: `), name);
      }
    });

    test('an expectation that does not hold fails at its line', async () => {
      const cwd = await workspace({
        'sub/wrong.a2a':
          '{ "agent": "Currency",\n  "requests": [\n    { "name": "fine", "message": "What can you do?" },\n    { "name": "wrong", "message": "Convert 10 USD to EUR",\n      "expect": {\n        "text": "EUR",\n        "state": "failed" } },\n  ] }',
      });
      const { status, out } = await a2a(['sub', '--agent', `Currency=${agents.urls['Currency']}`, '--reporter', 'junit'], { cwd });
      const { counts, cases } = readJunit(out);
      assert.deepEqual([status, counts['tests'], counts['failures']], [1, 2, 1]);
      assert.deepEqual(
        cases.map(({ name, line, verdict }) => [name, line, verdict]),
        [
          ['fine', 3, 'passed'],
          ['wrong', 4, 'failure'],
        ],
      );
      assert.match(cases[1]!.text, /message="The task is completed, not failed\."/);
      assert.match(cases[1]!.text, /sub\/wrong\.a2a:7:18: .*expected: failed.*actual: completed/s);
    });
  });

  test('an answer is seen wherever the agent gave it', async () => {
    const agentSays = (messageId: string, words: string): Message => ({ messageId, role: 'ROLE_AGENT', parts: [{ text: words }] });
    const status = (id: string, words?: string, state: TaskState = 'TASK_STATE_WORKING'): StreamResponse => ({
      statusUpdate: {
        taskId: id,
        contextId: 'c',
        status: { state, ...(words !== undefined && { message: agentSays(`${id} ${words}`, words) }) },
      },
    });
    const begun = (id: string): StreamResponse => ({ task: task('TASK_STATE_SUBMITTED', { id }) });
    const streams: Readonly<Record<string, readonly StreamResponse[]>> = {
      message: [{ message: says('Nine EUR') }],
      artifact: [
        begun('a'),
        { artifactUpdate: { taskId: 'a', contextId: 'c', artifact: { artifactId: 'x', parts: [{ text: 'Nine EUR' }] } } },
        status('a', undefined, 'TASK_STATE_COMPLETED'),
      ],
      status: [begun('s'), status('s', 'Nine EUR', 'TASK_STATE_COMPLETED')],
      statuses: [begun('p'), status('p', 'Nine'), status('p', ' EUR'), status('p', undefined, 'TASK_STATE_COMPLETED')],
      history: [begun('h'), status('h', undefined, 'TASK_STATE_COMPLETED')],
    };
    const agent = await open.agent({
      SendStreamingMessage: ({ params }) => (streams[(params?.message.parts[0] as { text: string }).text] ?? []).map(event => ({ event })),
      GetTask: ({ params }) => [
        {
          answer: task('TASK_STATE_COMPLETED', {
            id: params?.id ?? '',
            history: [{ ...agentSays('u', 'history'), role: 'ROLE_USER' }, agentSays('m', 'Nine EUR')],
          }),
        },
      ],
    });
    const cwd = await workspace({
      'x.a2a': {
        agent: agent.url,
        requests: Object.keys(streams).map(name => ({ name, message: name, expect: { text: { equals: 'Nine EUR' } } })),
      },
    });
    const { status: exit, out } = await a2a(['x.a2a'], { cwd });
    assert.equal(exit, 0, out);
    // Only the agent that has said nothing is asked.
    assert.deepEqual(agent.requests.filter(({ operation }) => operation === 'GetTask').length, 1);
  });

  test('needed requests go first, once, however many ask for them', async () => {
    const agent = await open.agent({
      SendStreamingMessage: ({ params }) => [
        { event: { task: task('TASK_STATE_COMPLETED', { id: `t ${JSON.stringify(params?.message.parts)}` }) } },
      ],
    });
    const needing = Array.from({ length: 8 }, (_, index) => ({ name: `b${index}`, message: '{{a.task.id}}' }));
    const cwd = await workspace({
      'x.a2a': { agent: agent.url, requests: [...needing, { name: 'a', message: 'first' }, { name: 'other', message: 'x' }] },
    });
    const { status, out } = await a2a(['x.a2a', '--name', 'b*', '--parallel', '8', '--json'], { cwd });
    assert.equal(status, 0, out);
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { name?: string }).name ?? 'summary')
        .toSorted((one, other) => one.localeCompare(other)),
      ['a', ...needing.map(({ name }) => name), 'summary'],
    );
    const sent = agent.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as { params: { message: { parts: [{ text: string }] } } }).params.message.parts[0].text);
    assert.deepEqual([sent.length, sent.filter(words => words === 'first').length, sent[0]], [9, 1, 'first']);
  });

  test('variables: the file, the environment, the private one, the command line; secrets and files', async () => {
    const agent = await open.agent(echo);
    const cwd = await workspace({
      'a2a.env.json': { $shared: { agent: agent.url, one: 'shared' }, dev: { two: 'env', three: 'env', four: 'env' } },
      'sub/a2a.private.env.json': { dev: { three: 'private', token: '{{$secret api-key}}' } },
      'sub/words.txt': 'from a file',
      'rows.csv': 'city\nOslo\nRome\n',
      'sub/x.a2a': {
        agent: '{{agent}}',
        variables: { one: 'file', five: 'file' },
        message: '{{one}} {{two}} {{three}} {{four}} {{five}} {{n}} {{token}} {{$file words.txt}} {{$env HOME_TOWN}} {{city}}',
        each: '{{$file ../rows.csv}}',
        expect: { text: 'shared env private option file [1] s3cret from a file Turku {{city}}' },
      },
    });
    const { status, out, err } = await a2a(['**/*.a2a', '--env', 'dev', '--var', 'four=option', '--var', 'n:=[1]'], {
      cwd,
      env: { A2A_SECRET_API_KEY: 's3cret', HOME_TOWN: 'Turku' },
    });
    assert.equal(status, 0, out + err);
    assert.match(out, /✓ sub\/x\.a2a › Request 1 \[Rome\]/);
  });

  test('agents by name come from the settings of the workspace', async () => {
    const agent = await open.agent(echo);
    const cwd = await workspace({
      '.vscode/settings.json': `// mine\n{ "a2a.agents": { "Echo": { "url": "${agent.url}" } }, }`,
      'sub/x.a2a': { agent: 'Echo', message: 'x' },
    });
    assert.equal((await a2a(['.'], { cwd })).status, 0);
  });

  const message = { agent: '{{url}}', message: 'x' };
  const rows: readonly (readonly [
    title: string,
    files: Readonly<Record<string, unknown>>,
    args: readonly string[],
    status: number,
    out: RegExp,
    err: RegExp,
    sent: number,
  ])[] = [
    ['a task that failed', { 'x.a2a': { ...message, message: 'fail' } }, ['x.a2a'], 1, /The task is failed/, /^$/, 1],
    ['an agent that says no', { 'x.a2a': { ...message, message: 'refuse' } }, ['x.a2a'], 3, /! x\.a2a.*no boats/s, /^$/, 1],
    [
      'an agent that says no, as it should',
      { 'x.a2a': { ...message, message: 'refuse', expect: { error: -32004 } } },
      ['x.a2a'],
      0,
      /✓/,
      /^$/,
      1,
    ],
    ['an agent that is not there', { 'x.a2a': { agent: 'http://127.0.0.1:9', message: 'x' } }, ['x.a2a'], 3, /! x\.a2a/, /^$/, 0],
    [
      'what failed does not end it',
      { 'x.a2a': { agent: '{{url}}', requests: [{ message: 'fail' }, { message: 'y' }] } },
      ['x.a2a'],
      1,
      /✗.*→.*1 sent, 0 passed, 1 failed in/s,
      /^$/,
      2,
    ],
    [
      'unless it shall',
      { 'x.a2a': { agent: '{{url}}', requests: [{ message: 'fail' }, { message: 'y' }] } },
      ['x.a2a', '--bail'],
      1,
      /0 passed, 1 failed, 1 not run in/,
      /^$/,
      1,
    ],
    [
      'what needs something that failed is skipped',
      { 'x.a2a': { agent: '{{url}}', requests: [{ name: 'a', message: 'refuse' }, { message: '{{a.task.id}}' }] } },
      ['x.a2a'],
      3,
      /! x\.a2a.*- x\.a2a[^\n]*\(skipped\).*0 passed, 1 failed, 1 skipped in/s,
      /^$/,
      1,
    ],
    [
      'what needs something that was not as expected is sent',
      {
        'x.a2a': {
          agent: '{{url}}',
          requests: [
            { name: 'a', message: 'x', expect: { state: 'failed' } },
            { after: 'a', message: 'z' },
          ],
        },
      },
      ['x.a2a'],
      1,
      /✗ x\.a2a › a.*→ x\.a2a.*1 sent, 0 passed, 1 failed in/s,
      /^$/,
      2,
    ],
    [
      'what needs a request that is sent several times waits for all of them',
      {
        'x.a2a': {
          agent: '{{url}}',
          requests: [
            { name: 'a', message: 'x', repeat: 2 },
            { after: 'a', message: 'z' },
          ],
        },
      },
      ['x.a2a'],
      0,
      /a \[#1\].*a \[#2\].*Request 2: completed.*3 sent/s,
      /^$/,
      3,
    ],
    [
      'also where only that was asked for',
      {
        'x.a2a': {
          agent: '{{url}}',
          requests: [
            { name: 'a', message: 'refuse' },
            { name: 'b', message: '{{a.task.id}}' },
          ],
        },
      },
      ['x.a2a', '--name', 'b'],
      3,
      /! x\.a2a › a.*"a", which runs first.*0 passed, 1 failed, 1 skipped in/s,
      /^$/,
      1,
    ],
    [
      'sent, passed, failed, skipped and not run',
      { 'x.a2a': { agent: '{{url}}', requests: [{ message: 'x' }, { message: 'x', expect: {} }, { message: 'fail' }, { message: 'y' }] } },
      ['x.a2a', '--bail', '--json'],
      1,
      /"counts":\{"sent":1,"passed":1,"failed":1,"skipped":0,"notRun":1,"leftOut":0\}/,
      /^$/,
      3,
    ],
    ['a limit that is none', { 'x.a2a': message }, ['x.a2a', '--timeout', 'soon'], 2, /^$/, /--timeout must be at most a day/, 0],
    [
      'a task that is canceled as it was asked to be',
      { 'x.a2a': { agent: '{{url}}', method: 'CancelTask', params: { id: 't-1' } } },
      ['x.a2a'],
      0,
      /→ x\.a2a.*canceled.*1 sent/s,
      /^$/,
      1,
    ],
    [
      'a task that is canceled as its path is expected to say',
      { 'x.a2a': { ...message, message: 'cancel', expect: { paths: { 'task.status.state': 'TASK_STATE_CANCELED' } } } },
      ['x.a2a'],
      0,
      /✓ x\.a2a.*1 passed/s,
      /^$/,
      1,
    ],
    ['a task that is canceled by another', { 'x.a2a': { ...message, message: 'cancel' } }, ['x.a2a'], 1, /The task is canceled/, /^$/, 1],
    ['what asks for confirmation', { 'x.a2a': { ...message, confirm: true } }, ['x.a2a'], 2, /not confirmed.*--yes/s, /^$/, 0],
    ['what is confirmed', { 'x.a2a': { ...message, confirm: true } }, ['x.a2a', '--yes'], 0, /→ x\.a2a.*1 sent/s, /^$/, 1],
    ['a secret that is not set', { 'x.a2a': { ...message, message: '{{$secret nope}}' } }, ['x.a2a'], 2, /A2A_SECRET_NOPE/, /^$/, 0],
    [
      'a file outside',
      { 'x.a2a': { ...message, message: '{{$file ../../../../../../../etc/hostname}}' } },
      ['x.a2a'],
      2,
      /is outside/,
      /^$/,
      0,
    ],
    [
      'a file with a mistake: nothing of it is sent',
      { 'x.a2a': '{"agent":"{{url}}",\n "requests":[{"message":"x"},{"message":"{{nope}}"}]}' },
      ['x.a2a'],
      2,
      /^$/,
      /^x\.a2a:2:42: error: .*"nope"\.\nNothing was sent: 1 error in 1 file\. See: a2a run --help\n$/,
      0,
    ],
    ['a file that is not JSON', { 'x.a2a': '{"agent":' }, ['x.a2a'], 2, /^$/, /x\.a2a:1:10: .*not valid JSON/, 0],
    ['an environment file that is none', { 'x.a2a': message, 'a2a.env.json': '[]' }, ['x.a2a'], 2, /^$/, /environment file/, 0],
    [
      'an environment that is not there',
      { 'x.a2a': message, 'a2a.env.json': { dev: {} } },
      ['x.a2a', '--env', 'prod'],
      2,
      /^$/,
      /no environment prod\. There are: dev/,
      0,
    ],
    ['no such file', {}, ['x.a2a'], 2, /^$/, /No request file at x\.a2a/, 0],
    ['a glob of nothing', {}, ['*.a2a'], 2, /^$/, /No request file/, 0],
    ['no such name', { 'x.a2a': message }, ['x.a2a', '--name', 'a.c'], 2, /^$/, /No request is called a\.c/, 0],
    ['no such reporter', { 'x.a2a': message }, ['x.a2a', '--reporter', 'pdf'], 2, /^$/, /There are: spec, junit, json/, 0],
    ['--parallel of nothing', { 'x.a2a': message }, ['x.a2a', '--parallel', '0'], 2, /^$/, /--parallel must be/, 0],
    ['a variable without a value', { 'x.a2a': message }, ['x.a2a', '--var', 'x'], 2, /^$/, /--var must be/, 0],
    [
      'control characters of an agent do not reach the terminal',
      { 'x.a2a': { ...message, message: 'colour', expect: { text: 'x' } } },
      ['x.a2a'],
      1,
      /^[\P{Cc}\n]*$/u,
      /^$/,
      1,
    ],
    [
      'nor the XML',
      { 'x.a2a': { ...message, message: 'colour', expect: { text: 'x' } } },
      ['x.a2a', '--reporter', 'junit'],
      1,
      /actual: &lt;b&gt;\[2J&amp;/,
      /^$/,
      1,
    ],
  ];
  for (const [title, files, args, status, out, err, sent] of rows) {
    test(title, async () => {
      const agent = await open.agent({
        SendStreamingMessage: ({ params }) => {
          const [part] = params?.message.parts ?? [];
          const words = part !== undefined && 'text' in part ? part.text : '';
          if (words === 'refuse') return [{ error: { code: -32004, message: 'no boats' } }];
          const states = { fail: 'TASK_STATE_FAILED', cancel: 'TASK_STATE_CANCELED' } as const;
          return [
            {
              event:
                words === 'colour'
                  ? { message: says('<b>\u001b[2J&') }
                  : { task: task(words in states ? states[words as keyof typeof states] : 'TASK_STATE_COMPLETED') },
            },
          ];
        },
        CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
      });
      const cwd = await workspace(files);
      const ended = await a2a([...args, ...(JSON.stringify(files).includes('{{url}}') ? ['--var', `url=${agent.url}`] : [])], { cwd });
      assert.equal(ended.status, status, ended.out + ended.err);
      assert.match(ended.out, out);
      assert.match(ended.err, err);
      assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, sent);
    });
  }
});

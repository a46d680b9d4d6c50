import * as assert from 'node:assert/strict';
import { parseTree } from 'jsonc-parser';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, task } from '../../support/client/says.ts';
import type { Ended, RunOptions } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

let program: TerminalFolder;

const a2a = (args: readonly string[], { cwd, env = {} }: RunOptions): Promise<Ended> => program.run(args, { cwd, env });

/** Complains of text that is not well-formed XML, without a parser: every tag is closed in its order, every quote and entity whole. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml.replaceAll(
    /<\?xml[^?]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, close: string | undefined, name: string | undefined, _attributes, empty: string | undefined) => {
      if (name === undefined) return '';
      if (close === '/') assert.equal(open.pop(), name, xml);
      else if (empty !== '/') open.push(name);
      return '';
    },
  );
  assert.deepEqual(open, [], xml);
  assert.ok(!/[<>]/.test(rest), rest);
  assert.ok(!/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(xml), xml);
}

suite('a2a run and mistakes in files', () => {
  const open = new OpenThings();
  suiteSetup(async () => {
    program = await TerminalFolder.make();
  });
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const workspace = (files: Readonly<Record<string, unknown>>): Promise<string> => program.workspace(files);

  /** Each is the text of a file whose mistake is between « and »; what is said of it on standard error after its place; how the run ends. */
  const rows: readonly (readonly [title: string, text: string, said: RegExp, status?: number])[] = [
    [
      'a misspelt expectation',
      '{"agent":"U",\n "message":"x", «"expcet"»:{"state":"failed"}}',
      /error: Unknown key "expcet"\. Did you mean "expect"\?/,
    ],
    ['another one', '{"agent":"U","requests":[\n{"message":"x",«"expects"»:{}}]}', /error: .*Did you mean "expect"\?/],
    ['retries', '{"agent":"U","message":"x",«"retries"»:{}}', /error: Unknown key "retries"\. Available: /],
    ['a reason to skip that is none', '{"agent":"U","message":"x","skip":«5»}', /error: "skip" must be /],
    ['request for requests', '{«"request"»:[{"agent":"U","message":"x"}]}', /error: .*Did you mean "requests"\?/],
    ['an entry without anything to send', '{"agent":"U","requests":[{"message":"x"},{«"name"»:"empty"}]}', /error: Nothing to send here/],
    ['a row that is none', '{"agent":"U","message":"x","each":[{"a":1},«5»]}', /error: "each\[1\]" must be an object, not a number/],
    ['a repetition that is none', '{"agent":"U","message":"x","repeat":«"3"»}', /error: "repeat" must be a whole number, not text/],
    [
      'a part that is none',
      '{"agent":"U","message":["a",{"txt":"b"}]}'.replace('{"txt"', '{«"txt"»'),
      /error: Unknown key "txt"\. Did you mean "text"/,
    ],
    [
      'a state that is none',
      '{"agent":"U","message":"x","expect":{"state":«"compleeted"»}}',
      /error: .*Did you mean "completed"\? Allowed: .*submitted.*working.*failed/,
    ],
    ['params of another shape', '{"agent":"U","method":"GetTask","params":{"id":«5»}}', /error: "id" must be text, not a number/],
    [
      'a raw body with a misspelt key',
      '{"agent":"U","jsonrpc":"2.0","id":1,"method":"message/send","params":{},«"expcet"»:{}}',
      /error: .*Did you mean "expect"/,
    ],
    [
      'a matcher that is none',
      '{"agent":"U","message":"x","expect":{"paths":{"task.id":{«"eqals"»:"x"}}}}',
      /error: .*Did you mean "equals"/,
    ],
    ['no agent and no --agent', '{«"message"»:"x"}', /error: This request names no agent\..*--agent/],
    ['braces that are never closed', '{"agent":"U","message":"x «{{» y"}', /warning: These braces are never closed/, 0],
    ['a doubled key', '{"agent":"U","message":"x",«"message"»:"y"}', /warning: Duplicate "message"/, 0],
    ['a list of variables', '{"agent":"U","variables":«[]»,"message":"y"}', /error: "variables" must be an object, not a list/],
    [
      'a member that A2A does not have',
      '{"agent":"U","params":{"message":{"parts":[{"text":"x"}]},«"vendor:priority"»:1}}',
      /warning: .*"vendor:priority"/,
      0,
    ],
    [
      'members where the format is open',
      '{"agent":"U","params":{"message":{"parts":[{"text":"x"},{"data":{"expcet":1}}],"metadata":{"expcet":1}},"metadata":{"https://x/y":{}}}}',
      /^$/,
      0,
    ],
    ['a file that is not there', '{"agent":"U","message":["x","see «{{$file nope.txt}}»"]}', /^$/, 2],
    ['rows that are not there', '{"agent":"U","message":"x","each":"«{{$file nope.csv}}»"}', /^$/, 2],
    ['a part that a variable makes wrong', '{"agent":"U","variables":{"n":{"m":5}},"message":["x",«"{{n}}"»]}', /^$/, 2],
    ['a byte order mark', '\ufeff{"agent":"U","message":"x"}', /^$/, 0],
  ];
  for (const [title, marked, said, status = 2] of rows) {
    test(title, async () => {
      const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
      const at = marked.indexOf('«');
      const written = marked.replaceAll(/[«»]/g, '');
      const cwd = await workspace({ 'x.a2a': written });
      const named = written.includes('"U"') ? ['--agent', `U=${agent.url}`] : [];
      const ended = await a2a(['run', 'x.a2a', ...named], { cwd });
      assert.equal(ended.status, status, ended.out + ended.err);
      const lines = marked.slice(0, Math.max(0, at)).split('\n');
      const place = at === -1 ? '' : `x.a2a:${lines.length}:${lines.at(-1)!.length + 1}: `;
      // What is found when it is filled in is told with the result.
      const told = said.source === '^$' ? ended.out : ended.err;
      assert.ok(told.includes(place), ended.out + ended.err);
      assert.match(said.source === '^$' ? ended.err : (ended.err.split('\n').find(line => line.startsWith(place)) ?? ''), said);
      if (status === 0) return;
      assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
      if (said.source === '^$') return;
      assert.ok(ended.err.trimEnd().split('\n').length <= 3, ended.err);
      assert.match(ended.err, /a2a run --help\n$/);
      const report = await a2a(['run', 'x.a2a', '--reporter', 'junit', ...named], { cwd });
      assert.equal(report.status, 2);
      assertWellFormed(report.out);
      assert.match(report.out, /errors="1"/);
      assert.ok(report.out.includes(place), report.out);
    });
  }

  test('a variable that only environments have, none of which was chosen, is told with them', async () => {
    const cwd = await program.workspace({
      'x.a2a': { agent: '{{host}}', message: '{{nobody}}' },
      'a2a.env.json': { dev: { host: 'http://127.0.0.1:1' }, prod: { host: 'http://127.0.0.1:2' }, other: {} },
    });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    assert.match(err, /Unknown variable or request "host"\. --env dev or --env prod has it\.\n/);
    assert.match(err, /Unknown variable or request "nobody"\.\n/);
    assert.doesNotMatch((await program.run(['run', 'x.a2a', '--env', 'other'], { cwd })).err, /has it/);
  });

  test('settings that are no object of agents are told in words', async () => {
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Echo', message: 'x' },
      '.vscode/settings.json': { 'a2a.agents': [{ name: 'Echo' }] },
    });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    assert.match(
      err,
      /^\.vscode\/settings\.json:\d+:\d+: the setting a2a\.agents is invalid: it is an object of agents by name, such as \{ "Echo"/,
    );
  });

  test('a name that nothing has is told in an environment, too, where it is used, beside all other errors', async () => {
    const request = { agent: 'http://127.0.0.1:1', each: [{ city: 'Turku' }], message: '{{base}} {{far ?? "x"}} {{missing}}' };
    const cwd = await workspace({
      'x.a2a': { requests: [{ name: 'one', ...request }] },
      'a2a.env.json': { dev: { base: '{{next}} {{city}} {{one.task.id}}', next: ['{{nothing}}'], far: '{{far2}}', unused: '{{void}}' } },
    });
    const { err, status } = await a2a(['run', 'x.a2a', '--env', 'dev'], { cwd });
    const told = err.split('\n').filter(line => line.includes(': error: '));
    assert.deepEqual(
      told.map(line => line.replace(/^(\S+?):\d+:\d+: error: /, '$1 ')),
      ['a2a.env.json Unknown variable or request "nothing".', 'x.a2a Unknown variable or request "missing".'],
    );
    assert.equal(status, 2);
  });

  test('a mistake in one file keeps every file from being sent, and all mistakes are told', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const cwd = await workspace({
      'a.a2a': `{"agent":"${agent.url}","requests":[{"name":"fine","message":"x"}]}`,
      'b.a2a': '{"agent":"x","message":',
      'c.a2a': '{"agent":"x","messag":1}',
      'a2a.env.json': '[]',
    });
    const { status, out, err } = await a2a(['run', '.', '--reporter', 'junit'], { cwd });
    assert.equal(status, 2);
    assertWellFormed(out);
    for (const place of ['b.a2a:1:24: error', 'c.a2a:1:14: error', 'a2a.env.json:1:1: error']) assert.ok(err.includes(place), err);
    assert.match(out, /name="fine"[^>]*><skipped/);
    assert.equal(agent.requests.length, 0);
  });

  test('warnings of environment files are told, too', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const cwd = await workspace({
      'x.a2a': '{"agent":"{{url}}","message":"x"}',
      'a2a.env.json': `{"dev":{"url":"${agent.url}","open":"a {{b"}}`,
    });
    const { status, err } = await a2a(['run', 'x.a2a', '--env', 'dev'], { cwd });
    assert.equal(status, 0, err);
    assert.match(err, /^a2a\.env\.json:1:\d+: warning: These braces are never closed.*\n$/);
  });

  test('usage is printed when it is asked for, an error is short', async () => {
    const cwd = await workspace({
      'x.a2a': '{"agent":"x","message":"x"}',
      '.vscode/settings.json': '{"a2a.agents":{"A":{"url":5},"B":7}}',
    });
    assert.match((await a2a(['run', '--help'], { cwd })).out, /^Usage:/);
    for (const args of [
      ['run'],
      ['run', 'x.a2a', '--reporter', 'pdf'],
      ['run', 'x.a2a', '--nope'],
      ['run', 'none.a2a'],
      ['run', 'x.a2a', '--name', 'q'],
      ['run', 'x.a2a', '--agent', '='],
      ['run', 'x.a2a', '--env', 'q'],
      ['run', 'x.a2a'],
    ]) {
      const { status, out, err } = await a2a(args, { cwd });
      assert.deepEqual([status, out], [2, ''], err);
      assert.ok(err.trimEnd().split('\n').length <= 3, err);
      // Settings are not of the command: its help has nothing about them.
      assert.match(err, err.startsWith('.vscode/') ? /url is invalid: [^\n]*\n$/ : /a2a run --help\n$/);
    }
  });

  test('--agent without a name serves files that name none', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const cwd = await workspace({ 'x.a2a': '{"requests":[{"message":"x","expect":{"text":"hi"}},{"agent":"Own","message":"y"}]}' });
    const { status, out, err } = await a2a(['run', 'x.a2a', '--agent', agent.url, '--agent', `Own=${agent.url}?a=b`], { cwd });
    assert.deepEqual([status, err], [0, ''], out);
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 2);
  });

  test('raw bodies: templates are filled in, keys of the format are not sent, what is expected is held', async () => {
    const agent = await open.agent({
      SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED', { id: 't-7' }) } }],
      GetTask: ({ params }) => [
        params?.id === 'x' ? { error: { code: -32001, message: 'gone' } } : { answer: task('TASK_STATE_COMPLETED', { id: 't-7' }) },
      ],
    });
    const cwd = await workspace({
      'x.a2a': JSON.stringify({
        variables: { n: 7, words: 'a "quoted" word' },
        requests: [
          {
            name: 'ask',
            jsonrpc: '2.0',
            id: '{{n}}',
            method: 'SendMessage',
            params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'say {{words}}' }] } },
            expect: { state: 'completed' },
          },
          {
            name: 'look',
            after: 'ask',
            agent: '{{url}}',
            jsonrpc: '2.0',
            id: 8,
            method: 'GetTask',
            params: { id: '{{ask.task.id}}' },
            expect: { paths: { 'task.id': 't-7' } },
          },
          {
            name: 'gone',
            after: 'look',
            jsonrpc: '2.0',
            id: 9,
            method: 'GetTask',
            params: { id: 'x' },
            expect: { error: 'TaskNotFoundError' },
          },
          { name: 'wrong', after: 'gone', jsonrpc: '2.0', id: 10, method: 'GetTask', params: { id: 't-7' }, expect: { state: 'failed' } },
        ],
      }),
      'whole.a2a':
        '{"agent":"{{url}}","name":"whole","variables":{"n":1},"jsonrpc":"2.0","id":"{{n}}","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}},"expect":{"state":"failed"}}',
    });
    const { status, out, err } = await a2a(['run', 'x.a2a', '--agent', agent.url, '--var', `url=${agent.url}`], { cwd });
    assert.deepEqual([status, err], [1, ''], out);
    assert.match(out, /✓ x\.a2a › ask.*\n✓ x\.a2a › look.*\n✓ x\.a2a › gone.*\n✗ x\.a2a › wrong/);
    const sent = agent.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    assert.deepEqual(JSON.parse(sent[0]!), {
      jsonrpc: '2.0',
      id: 7,
      method: 'SendMessage',
      params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'say a "quoted" word' }] } },
    });
    assert.deepEqual(JSON.parse(sent[1]!), { jsonrpc: '2.0', id: 8, method: 'GetTask', params: { id: 't-7' } });
    assert.deepEqual(
      sent.map(body => Object.keys(parseTree(body)?.children?.map(({ children }) => children?.[0]?.value as string) ?? {}).length),
      [4, 4, 4, 4],
    );
    const whole = await a2a(['run', 'whole.a2a', '--var', `url=${agent.url}`], { cwd });
    assert.equal(whole.status, 1, whole.out + whole.err);
    assert.match(whole.out, /✗ whole\.a2a › whole/);
  });
});

import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import type { Script } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says, statusUpdate, task } from '../support/client/says.ts';
import type { Ended } from '../support/cli/runTerminal.ts';
import { TerminalFolder } from '../support/cli/terminalFolder.ts';
import { ended } from './support/terminalProgram.ts';

const canary = 'c4nary-of-the-script';

/** k6's modules as far as scripts use them; its HTTP waits for the answer, as here another process does. */
const modules = {
  'package.json': JSON.stringify({ name: 'k6', type: 'module', exports: { '.': './index.js', './http': './http.js' } }),
  'index.js': `
    export const checks = [];
    export const check = (value, tests) => Object.entries(tests).map(([name, test]) => checks.push([name, test(value)])).length > 0;
    export const sleep = seconds => checks.push(['slept', seconds]);`,
  'http.js': `
    import { execFileSync } from 'node:child_process';
    const ask = "const [url, body, headers] = JSON.parse(process.argv[1]);" +
      "fetch(url, { method: 'POST', body, headers }).then(async one => console.log(JSON.stringify({ status: one.status, body: await one.text() })))";
    export default {
      post: (url, body, { headers, tags }) => {
        if (typeof tags.name !== 'string') throw new Error('no tag');
        return JSON.parse(execFileSync(process.execPath, ['-e', ask, JSON.stringify([url, body, headers])], { encoding: 'utf8' }));
      },
    };`,
};
const runner = `
  import { checks } from 'k6';
  globalThis.__ENV = process.env;
  const { default: iteration, options } = await import('./script.mjs');
  if (options.iterations !== 1) throw new Error('no options');
  iteration();
  console.log(JSON.stringify(checks));`;

suite('a2a export --k6', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const script: Script = {
    SendMessage: ({ params }) => [
      {
        answer: params?.message.parts.some(part => 'text' in part && part.text.startsWith('talk'))
          ? { message: says('words') }
          : { task: task('TASK_STATE_INPUT_REQUIRED') },
      },
    ],
    SendStreamingMessage: [{ event: { task: task('TASK_STATE_SUBMITTED') } }, { event: statusUpdate('TASK_STATE_COMPLETED') }],
    GetTask: ({ params }) => [
      params?.id === 'none' ? { error: { code: -32001, message: 'no' } } : { answer: task('TASK_STATE_COMPLETED') },
    ],
  };
  const requests = [
    {
      name: 'talk',
      method: 'SendMessage',
      message: 'talk {{$uuid}} \\{{x}} `${y}` \r\n\\ "q"',
      capture: { said: 'message.parts[0].text' },
      expect: {},
    },
    {
      name: 'ask',
      message: 'ask {{said}} {{who}}',
      headers: { Authorization: 'Bearer {{$secret key}}', 'X-Plain': 'Bearer abcdefgh12345678' },
      delay: 20,
      expect: { state: 'input-required' },
    },
    { name: 'go\u0000\u0007 on', after: 'ask', message: 'more', metadata: { number: '{{$random 3 3}}' } },
    { name: 'stream', method: 'SendStreamingMessage', message: 'stream', expect: { state: ['completed'] } },
    { name: 'rows', method: 'GetTask', params: { id: '{{ask.task.id}}-{{n}}' }, each: [{ n: 1 }, { n: 2 }], expect: { state: 'working' } },
    { name: 'row', method: 'GetTask', params: { id: '{{rows[-1].task.id}}' } },
    { name: 'no', method: 'GetTask', params: { id: 'none' }, expect: { error: 'TaskNotFoundError' } },
    { name: 'skipped', message: 'never', skip: true },
  ];

  async function exported(cwd: string, ...args: readonly string[]): Promise<Ended> {
    return program.run(['export', 'x.a2a', '--k6', ...args], { cwd, env: { A2A_SECRET_KEY: canary } });
  }

  test('the script is JavaScript, holds no secret, and sends and checks what the file says', async () => {
    const agent = await open.agent(script);
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Boats', requests },
      'a2a.env.json': { test: { headers: { 'X-Team': 'load' } } },
      'a2a.private.env.json': { test: { who: canary, headers: { 'X-Private': canary } } },
    });
    const { status, out, err } = await exported(cwd, '--env', 'test', '--agent', `Boats=${agent.url}`);
    assert.deepEqual([status, err], [0, '']);
    assert.deepEqual((await transform(out, { format: 'esm', target: 'es2022' })).warnings, []);
    assert.ok(!out.includes(canary) && !out.includes('abcdefgh12345678') && !out.includes('\u0000'), out);
    assert.match(out, /__ENV\.A2A_SECRET_KEY/);

    for (const [name, text] of Object.entries(modules)) {
      await mkdir(join(cwd, 'node_modules/k6'), { recursive: true });
      await writeFile(join(cwd, 'node_modules/k6', name), text);
    }
    await writeFile(join(cwd, 'script.mjs'), out);
    await writeFile(join(cwd, 'run.mjs'), runner);
    const before = agent.requests.length;
    const env = {
      ...process.env,
      A2A_SECRET_KEY: canary,
      A2A_SECRET_WHO: 'ann',
      A2A_SECRET_X_PRIVATE: 'mine',
      A2A_SECRET_X_PLAIN: 'plain',
    };
    const came = await ended(spawn(process.execPath, ['run.mjs'], { cwd, env }));
    assert.equal(came.status, 0, came.err);
    assert.deepEqual(JSON.parse(came.out), [
      ['talk', true],
      ['slept', 0.02],
      ['ask', true],
      ['go\u0000\u0007 on', true],
      ['stream', true],
      ['rows [1]', false],
      ['rows [2]', false],
      ['row', true],
      ['no', true],
    ]);
    const posts = agent.requests.slice(before);
    const bodies = posts.map(
      ({ body }) => JSON.parse(body) as { params: { id?: string; message?: Record<string, unknown>; metadata?: unknown } },
    );
    const [talk, ask, more] = bodies.map(({ params }) => params.message);
    assert.ok(JSON.stringify(talk?.['parts']).includes(JSON.stringify('\r\n\\ "q"').slice(1, -1)));
    assert.match(
      JSON.stringify(talk?.['parts']),
      /talk [\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12} \{\{x\}\} `\$\{y\}`/,
    );
    assert.match(JSON.stringify(ask?.['parts']), /ask words ann/);
    assert.deepEqual([more?.['taskId'], more?.['contextId']], [task('TASK_STATE_WORKING').id, task('TASK_STATE_WORKING').contextId]);
    assert.deepEqual(bodies[2]?.params.metadata, { number: 3 });
    const id = task('TASK_STATE_WORKING').id;
    assert.deepEqual(
      bodies.slice(4).map(({ params }) => params.id),
      [`${id}-1`, `${id}-2`, id, 'none'],
    );
    const { headers } = posts[1]!;
    assert.deepEqual(
      [headers.authorization, headers['x-team'], headers['x-private'], headers['x-plain'], headers['a2a-version']],
      [`Bearer ${canary}`, 'load', 'mine', 'plain', '1.0'],
    );
  });

  test('a log of a pipeline has no command in it, be it of the file or of the card', async () => {
    const command = '##vso[task.prependpath]owned ##teamcity[x]';
    const agent = await open.agent(script, '1.0', { card: url => minimalCard(`${url}###vso[owned]`, '1.0', 'JSONRPC') });
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, requests: [{ name: command, message: command, headers: { 'X-Y': command }, expect: {} }] },
    });
    const { status, out, err } = await exported(cwd);
    assert.equal(status, 0, err);
    assert.doesNotMatch(out, /##(?:vso|teamcity)?\[/);
    assert.equal(out.split('\\u0023#vso[owned]').length, 2, out);
    // The comment and the texts of its request.
    assert.ok(out.split('\\u0023#vso[task').length > 4, out);
  });

  test('what a script cannot do is said', async () => {
    const agent = await open.agent(script);
    const of = async (request: object): Promise<Ended> => exported(await program.workspace({ 'x.a2a': { agent: agent.url, ...request } }));
    const dated = await of({ message: '{{$date iso}}' });
    assert.equal(dated.status, 2);
    assert.match(dated.err, /x\.a2a:3:\d+: \$date cannot be written into a script\. Use a variable instead/);
    const awaited = await of({ name: 'a', message: 'x', retry: 2, timeoutMs: 5 });
    assert.deepEqual([awaited.status, awaited.err], [0, 'a: "retry", "timeoutMs" is not in the script.\n']);
    assert.match((await of({ method: 'GetExtendedAgentCard' })).err, /GetExtendedAgentCard cannot be written into a script/);
    assert.match((await program.run(['export', 'x.a2a'], {})).err, /export needs --k6/);
  });
});

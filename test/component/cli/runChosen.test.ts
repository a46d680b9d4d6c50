import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const echo: Script = { ...silentCard, SendMessage: ({ params }) => [{ answer: { message: says(JSON.stringify(params?.message.parts)) } }] };

suite('what the options of a run mean is what is sent', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  for (const reporter of ['spec', 'junit', 'json']) {
    test(`what a request of that name needs is told as well: ${reporter}`, async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [
            { name: 'after it', after: 'before', message: 'y', expect: {} },
            { name: 'by result', message: '{{before.message.messageId}}', expect: {} },
            { name: 'before', message: 'x', expect: { text: 'something else' } },
            { name: 'other', message: 'z' },
          ],
        },
      });
      for (const name of ['after it', 'by result']) {
        const { status, out } = await program.run(['run', 'x.a2a', '--name', name, '--reporter', reporter], { cwd });
        assert.equal(status, 1, out);
        assert.match(out, new RegExp(`before[^]*does not contain[^]*${name}`));
        assert.doesNotMatch(out, /other/);
      }
    });
  }

  test('what is needed and came too late has failed, and what needs it was not sent', async () => {
    const agent = await open.agent(echo);
    const silent = await open.agent({ ...silentCard, SendMessage: [{ stall: true }] });
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'late', agent: silent.url, message: 'x', timeoutMs: 1_000 },
          { name: 'wanted', message: '{{late.message.messageId}}' },
        ],
      },
    });
    const { status, out } = await program.run(['run', 'x.a2a', '--name', 'wanted'], { cwd });
    assert.match(
      out,
      /^✗ x\.a2a › late .*\n.*no sign of life[^]*\n- x\.a2a › wanted \(skipped\)\n.*"late", which runs first, failed[^]*\n0 passed, 1 failed, 1 skipped/,
    );
    assert.equal(status, 1);
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
  });

  const rows: readonly (readonly [title: string, args: readonly string[], says: RegExp])[] = [
    ['a name that no request has', ['--name', 'Greting'], /No request is called Greting\. Did you mean Greeting\?/],
    ['one beside a good one', ['--name', 'Greeting', '--name', 'Nope'], /No request is called Nope\.\n/],
    ['a pattern that nothing fits', ['--name', 'x*'], /No request is called x\*\./],
    ['a variable that nothing uses', ['--var', 'colr=1'], /--var colr: the files use no variable of that name\. Did you mean color\?/],
    ['one with JSON', ['--var', 'colr:={"a":1}'], /--var colr: .* Did you mean color\?/],
    ['a variable that is like none', ['--var', 'color=1', '--var', 'zebra=1'], /--var zebra: the files use no variable of that name\.\n/],
    [
      'an agent for requests that name none, where each names one',
      ['--agent', 'http://127.0.0.1:9/an?agent=1'],
      /--agent http:\/\/127\.0\.0\.1:9\/an\?agent=1: the files name the agent of every request: .+\. To send requests elsewhere, write --agent NAME=URL\.\n/,
    ],
    ['an environment that is mistyped', ['--env', 'prd'], /no environment prd\. Did you mean prod\? There are: prod/],
  ];
  for (const [title, args, words] of rows) {
    test(`refused before anything is sent: ${title}`, async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({
        'x.a2a': {
          agent: 'Unused',
          requests: [
            { name: 'Greeting', agent: agent.url, message: '{{color}}' },
            { name: 'Parting', agent: 'Home', message: 'x' },
          ],
          variables: { color: 'red' },
        },
        'a2a.env.json': { prod: { other: '{{deep}}' } },
        '.vscode/settings.json': { 'a2a.agents': { Home: { url: agent.url } } },
      });
      const { status, out, err } = await program.run(['run', 'x.a2a', ...args], { cwd });
      assert.match(err, words);
      assert.deepEqual([status, out, agent.requests.length], [2, '', 0]);
    });
  }

  test('an agent that no request names is a warning, with what was meant: the rest is sent', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Unused', requests: [{ agent: 'Home', message: 'x' }] },
      '.vscode/settings.json': { 'a2a.agents': { Home: { url: agent.url } } },
    });
    for (const [name, says] of [
      ['Hom', /^warning: --agent Hom: the files name no such agent\. Did you mean Home\? They name: Home\.\n/],
      ['Unused', /^warning: --agent Unused: the files name no such agent\. They name: Home\.\n/],
    ] as const) {
      const { status, out, err } = await program.run(['run', 'x.a2a', '--agent', `${name}=http://127.0.0.1:9`], { cwd });
      assert.match(err, says);
      assert.deepEqual([status, out.includes('1 sent')], [0, true], out);
    }
  });

  test('what an option gives may be used anywhere: in another file, an environment, by a template alone', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({
      'x.a2a': { agent: '{{where}}', message: 'x' },
      'y.a2a': { agent: 'There', message: '{{who}} {{other}}' },
      'a2a.env.json': { dev: { other: 'so {{deep}}', where: 'Here' } },
    });
    const named = ['--agent', `Here=${agent.url}`, '--agent', `There=${agent.url}`];
    const { status, out, err } = await program.run(['run', '.', '--env', 'dev', '--var', 'who=me', '--var', 'deep=down', ...named], {
      cwd,
    });
    assert.deepEqual([status, err], [0, ''], out);
  });

  test('a variable is stronger than a request of its name, wherever it comes from', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'who', message: 'I am {{who}}', expect: { text: 'I am ci' } },
          { name: 'next', message: 'so: {{who}}', expect: { text: 'so: ci' } },
        ],
      },
      'a2a.env.json': { dev: { who: 'ci' } },
    });
    for (const args of [
      ['--var', 'who=ci'],
      ['--env', 'dev'],
    ]) {
      const { status, out, err } = await program.run(['run', 'x.a2a', ...args], { cwd });
      assert.equal(status, 0, out + err);
      assert.match(err, /warning: A variable is also called "who", so templates with this name mean the variable/);
    }
    const { out } = await program.run(['run', 'x.a2a', '--name', 'next', '--var', 'who=ci'], { cwd });
    assert.match(out, /\n1 passed in/, 'nothing else is needed');
  });

  test("what a file makes too large or too deep is the file's fault", async () => {
    const agent = await open.agent(echo);
    const doubled = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`v${index}`, index === 0 ? 'ha' : `{{v${index - 1}}}{{v${index - 1}}}`]),
    );
    let nested: unknown = '{{d1}}';
    for (let level = 0; level < 150; level += 1) nested = [nested];
    const deeper = JSON.parse(JSON.stringify(nested).replace('{{d1}}', 'deep')) as unknown;
    const cwd = await program.workspace({
      'large.a2a': { agent: agent.url, variables: doubled, message: '{{v29}}' },
      'deep.a2a': { agent: agent.url, variables: { d0: nested, d1: deeper }, message: [{ data: '{{d0}}' }] },
    });
    for (const [name, words] of [
      ['large', /variables expand the request too much/],
      ['deep', /the limit of 256 nesting levels/],
    ] as const) {
      const { status, out } = await program.run(['run', `${name}.a2a`], { cwd });
      assert.match(out, words);
      assert.equal(status, 2, out);
    }
  });
});

import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const echo: Script = {
  ...silentCard,
  SendMessage: ({ params, headers }) => [{ answer: { message: says(JSON.stringify([params?.message.parts, headers['x-team'] ?? '–'])) } }],
};

/** Verdict, name and place of each result. */
const results = (out: string): readonly string[] =>
  out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { verdict?: string; name: string; file: string; line: number })
    .filter(({ verdict }) => verdict !== undefined)
    .map(({ verdict, name, file, line }) => `${verdict} ${name} ${file}:${line}`);

suite('a2a run of Markdown, and defaults of folders', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const guide = (agent: string): string =>
    [
      '# Guide',
      '```a2a',
      `{ "agent": "${agent}", "variables": { "color": "red" } }`,
      '```',
      'Text with {{nothing}} and "quotes".',
      '~~~a2a',
      '{ "name": "ask", "message": "a {{color}} boat", "expect": { "text": "a red boat" } }',
      '~~~',
      '- in a list:',
      '',
      '  ```a2a',
      '  { "name": "then", "message": "after {{ask.message.messageId}}",',
      '    "expect": { "text": "blue" } }',
      '  ```',
      '````md',
      '```a2a',
      '{ "agent": 5 }',
      '```',
      '````',
      '',
    ].join('\n');

  test('a README runs, and each fence fails at its line', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({ 'README.md': guide(agent.url), 'docs/plain.md': '# Nothing\n```json\n{\n```\n' });
    for (const what of ['README.md', '.', '*.md']) {
      const { status, out, err } = await program.run(['run', what, '--reporter', 'json'], { cwd });
      assert.deepEqual([status, err], [1, ''], what);
      assert.deepEqual(results(out), ['passed ask README.md:7', 'failed then README.md:12'], what);
      assert.match(out, /"line":13/);
    }
    const named = await program.run(['run', 'README.md', '--name', 'ask'], { cwd });
    assert.equal(named.status, 0, named.out + named.err);
  });

  test('what is wrong in a fence is told at its place, and nothing is sent', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({ 'README.md': guide(agent.url).replace('"message": "a {{color}}', '"mesage": "a {{colr}}') });
    const { status, err } = await program.run(['run', 'README.md'], { cwd });
    assert.equal(status, 2);
    assert.match(err, /README\.md:7:18: error: Unknown key "mesage"\. Did you mean "message"\?/);
    assert.match(err, /Nothing was sent/);
    assert.equal(agent.requests.length, 0);
  });

  test('a document without such a fence says how one is written', async () => {
    const cwd = await program.workspace({ 'a.md': '# Nothing\n```json\n{}\n```\n', 'sub/b.md': '# x' });
    const { status, err } = await program.run(['run', 'a.md'], { cwd });
    assert.equal(status, 2);
    assert.match(err, /a\.md:1:1: error: This document has no requests: they stand in fences that begin with ```a2a\./);
    const folder = await program.run(['run', 'sub'], { cwd });
    assert.match(folder.err, /The folder sub has no request files \(\.a2a\), and no Markdown with a fence ```a2a\./);
  });

  test('defaults hold below their folder, nearest first, and the command line counts more', async () => {
    const [far, near] = [await open.agent(echo), await open.agent(echo)];
    const cwd = await program.workspace({
      'a2a.defaults.json': { agent: far.url, headers: { 'X-Team': 'far' } },
      'top.a2a': { name: 'top', message: 'x', expect: { text: 'far' } },
      'sub/a2a.defaults.json': { agent: near.url, headers: { 'x-team': 'near {{team}}' } },
      'sub/a2a.env.json': { $shared: { team: 'A' } },
      'sub/deep/note.md': '```a2a\n{ "name": "deep", "message": "x", "expect": { "text": "near A" } }\n```\n',
      'sub/own.a2a': { name: 'own', agent: far.url, headers: { 'x-TEAM': 'own' }, message: 'x', expect: { text: 'own' } },
    });
    const { status, out, err } = await program.run(['run', '.', '--reporter', 'json'], { cwd });
    assert.deepEqual([status, err], [0, ''], out);
    assert.deepEqual(results(out), ['passed deep sub/deep/note.md:2', 'passed own sub/own.a2a:2', 'passed top top.a2a:2']);
    const sent = (): readonly number[] => [far, near].map(({ requests }) => requests.filter(({ method }) => method === 'POST').length);
    assert.deepEqual(sent(), [2, 1]);
    // With --agent, the agent of the folder is not asked.
    const given = await program.run(['run', 'sub/deep', '--agent', far.url], { cwd });
    assert.deepEqual([given.status, sent()], [0, [3, 1]], given.out + given.err);
    // Started below, what is above is not read.
    const inside = await program.run(['run', 'top.a2a'], { cwd: `${cwd}/sub/deep` });
    assert.equal(inside.status, 2);
  });

  test('an error in a defaults file is told once, with its place', async () => {
    const cwd = await program.workspace({
      'a2a.defaults.json': '{\n  "agnt": "x"\n}',
      'a.a2a': { agent: 'http://localhost:1', message: 'x' },
      'b.a2a': { agent: 'http://localhost:1', message: 'x' },
    });
    const { status, err } = await program.run(['run', '.'], { cwd });
    assert.equal(status, 2);
    assert.equal(err.split('\n').filter(line => /^a2a\.defaults\.json:2:3: error: Unknown key "agnt"/.test(line)).length, 1, err);
  });
});

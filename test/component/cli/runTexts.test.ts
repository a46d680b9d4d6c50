import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const hi: Script = { SendMessage: [{ answer: { message: says('hi') } }], SendStreamingMessage: [{ event: { message: says('hi') } }] };

suite('texts that a2a reads', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const encodings = { latin1: /in Latin-1 \(Windows-1252\)/, utf16le: /in UTF-16/ } as const;
  for (const [encoding, said] of Object.entries(encodings) as [keyof typeof encodings, RegExp][]) {
    test(`files in ${encoding} are not read as something else`, async () => {
      const agent = await open.agent(hi);
      const request = { agent: agent.url, message: 'Grüße {{town}}' };
      const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
        'x.a2a': { 'x.a2a': request },
        'a2a.env.json': { 'x.a2a': request, 'a2a.env.json': { dev: { town: 'Köln' } } },
        '.vscode/settings.json': { 'x.a2a': request, '.vscode/settings.json': { 'a2a.agents': { Büro: { url: agent.url } } } },
        'data.csv': { 'x.a2a': { ...request, each: '{{$file data.csv}}' }, 'data.csv': 'town\nKöln\n' },
      };
      for (const [wrong, files] of Object.entries(cases)) {
        const cwd = await program.workspace(files);
        const content = files[wrong];
        await mkdir(join(cwd, '.vscode'), { recursive: true });
        await writeFile(join(cwd, wrong), Buffer.from(typeof content === 'string' ? content : JSON.stringify(content), encoding));
        const came = await program.run(['run', '.', '--var', 'town=Turku'], { cwd });
        assert.equal(came.status, 2, wrong);
        const all = came.out + came.err;
        assert.match(all, new RegExp(`${wrong.replaceAll('.', '\\.')} is not in UTF-8`));
        assert.match(all, said);
        assert.match(all, /Save it as UTF-8/);
        assert.ok(all.trimEnd().split('\n').length <= 6, all);
        assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
      }
    });

    test(`standard input in ${encoding} is not sent as something else`, async () => {
      const agent = await open.agent(hi);
      const { status, err } = await program.run(['send', agent.url], { stdin: Buffer.from('Grüße aus Köln', encoding) });
      assert.equal(status, 2);
      assert.match(err, said);
      assert.match(err, /standard input is not in UTF-8/);
      assert.equal(agent.requests.length, 0);
    });
  }

  test('settings that are broken are told with their place, and what can be read counts', async () => {
    const agent = await open.agent(hi);
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Home', message: 'x' },
      '.vscode/settings.json': `{\n  "a2a.agents": { "Home": { "url": "${agent.url}" } }\n  "editor.tabSize": 2\n}`,
    });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 0, err);
    assert.match(
      err,
      /^\.vscode\/settings\.json:3:3: warning: The text is not valid JSON: comma expected\. Agents are read from what can be understood\.\n$/,
    );
  });

  test('what is wrong with a setting is told in plain words', async () => {
    const url = 'http://127.0.0.1:9/';
    for (const [home, why] of [
      [{ url: 7 }, 'url is invalid: it must be text, not a number.'],
      [{}, 'url is invalid: it is missing.'],
      [{ url: '' }, 'url is invalid: it must not be empty.'],
      ['here', 'Home is invalid: it must be an object, not text.'],
      [{ url, headers: ['x'] }, 'headers is invalid: it must be an object, not a list.'],
      [{ url, headers: { X: 1 } }, 'headers.X is invalid: it must be text, not a number.'],
      [{ url, headers: { X: '{{name}}' } }, 'X is invalid: a header takes {{$secret NAME}} and {{$env NAME}}, and no other template.'],
      [{ url, http2: 'yes' }, 'http2 is invalid: it must be true or false, not text.'],
      [{ url, origins: 'http://x' }, 'origins is invalid: it must be a list, not text.'],
      [{ url, connectTimeoutMs: 1.5 }, 'connectTimeoutMs is invalid: it must be a whole number.'],
      [{ url, connectTimeoutMs: 0 }, 'connectTimeoutMs is invalid: it must be at least 1.'],
      [{ url, answerTimeoutMs: 1e9 }, 'answerTimeoutMs is invalid: it must be at most 86400000.'],
      [{ url, auth: 'a'.repeat(61) }, 'auth is invalid: it has more than 60 characters.'],
    ] as const) {
      const cwd = await program.workspace({ '.vscode/settings.json': { 'a2a.agents': { Home: home } } });
      const { status, err } = await program.run(['card', 'Home'], { cwd });
      assert.equal(status, 2, err);
      assert.ok(err.startsWith('.vscode/settings.json:') && err.includes(why), `${err} is to say: ${why}`);
    }
  });

  test('a setting that is invalid is told with its place', async () => {
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Home', message: 'x' },
      '.vscode/settings.json': '{\n  "a2a.agents": {\n    "Home": { "url": 5 } }\n}',
    });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    assert.match(err, /^\.vscode\/settings\.json:3:22: the setting a2a\.agents\.Home\.url is invalid/);
  });

  test('an empty settings file is none', async () => {
    const agent = await open.agent(hi);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' }, '.vscode/settings.json': '' });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd });
    assert.deepEqual([status, err], [0, '']);
  });

  test('an empty file and a folder without request files are told as that', async () => {
    const cwd = await program.workspace({ 'empty.a2a': ' \n', 'none/readme.md': 'x' });
    const empty = await program.run(['run', 'empty.a2a'], { cwd });
    assert.deepEqual(
      [empty.status, empty.err],
      [2, 'empty.a2a:1:1: error: The file is empty.\nNothing was sent: 1 error in 1 file. See: a2a run --help\n'],
    );
    const none = await program.run(['run', 'none'], { cwd });
    assert.equal(none.status, 2);
    assert.match(none.err, /^The folder none has no request files \(\.a2a\), and no Markdown with a fence ```a2a\.\n/);
  });

  test('a request file in capitals is found in its folder', async () => {
    const agent = await open.agent(hi);
    const cwd = await program.workspace({ 'up/X.A2A': { agent: agent.url, message: 'x' } });
    const { status, out } = await program.run(['run', 'up'], { cwd });
    assert.equal(status, 0);
    assert.match(out, /up\/X\.A2A › /);
  });

  test('what is wrong with data is told with file and line', async () => {
    const agent = await open.agent(hi);
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, message: '{{a}}', each: '{{$file data/q.csv}}' },
      'data/q.csv': 'a,b,a\n1,2,3\n',
      'path.a2a': { agent: agent.url, message: '{{a}}', each: 'data/q.csv' },
    });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    assert.match(out, /data\/q\.csv:1: Two columns of the data are called "a"\./);
    const path = await program.run(['run', 'path.a2a'], { cwd });
    assert.match(
      path.err,
      /^path\.a2a:4:11: error: "data\/q\.csv" is not a table: a file is read with "\{\{\$file data\/q\.csv\}\}"\.\nNothing was sent: 1 error/,
    );
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
  });
});

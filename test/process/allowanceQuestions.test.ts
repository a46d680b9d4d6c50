import * as assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedRequest, Script } from '../../src/mock/script.ts';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { hasPseudoTerminal, inTerminal, typed } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const echo: Script = {
  SendMessage: () => [{ answer: { message: says('hi') } }],
  SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }],
};

suite('a terminal asks what may go where', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  let home: string;
  suiteSetup(async function () {
    if (!hasPseudoTerminal) this.skip();
    program = await TerminalProgram.build();
  });
  suiteTeardown(() => program?.remove());
  setup(async () => (home = await program.workspace({})));
  teardown(() => open.close());

  const values = { A2A_SECRET_BOAT: 'c4nary-secret', MY_PLAIN: 'c4nary-plain', MY_TOKEN: 'c4nary-token' };
  const answered = (args: readonly string[], cwd: string, answers: Readonly<Record<string, string>> = {}): ReturnType<typeof typed> =>
    typed(inTerminal([process.execPath, program.path, ...args], cwd, { XDG_CONFIG_HOME: home, ...values }), answers);
  const kept = join('a2a-workbench', 'allowed.json');
  const allowed = async (): Promise<Record<string, string[]>> =>
    (JSON.parse(await readFile(join(home, kept), 'utf8')) as { allowed: Record<string, string[]> }).allowed;
  const got = (agent: { readonly requests: readonly ReceivedRequest[] }): boolean =>
    agent.requests.some(({ headers, body }) => JSON.stringify([headers, body]).includes('c4nary'));
  const origin = ({ url }: { readonly url: string }): string => new URL(url).origin;
  const settings = (url: string, headers: object, name = 'Boat', more: object = {}): Readonly<Record<string, unknown>> => ({
    '.vscode/settings.json': { 'a2a.agents': { [name]: { url, headers, ...more } } },
  });

  test('a yes sends what the settings of a folder want, and is kept for that address and those values alone', async () => {
    const agent = await open.agent(echo);
    const first = await program.workspace(settings(agent.url, { 'X-Key': '{{$secret boat}}' }));
    const question = `The settings of this folder send A2A_SECRET_BOAT to ${origin(agent)} for "Boat". Allow it, here and from now on? [y/N]`;
    const { status, text } = await answered(['send', 'Boat', 'x'], first, { [question]: 'y' });
    assert.equal(status, 0, text);
    assert.equal(text.split('[y/N]').length, 2, text);
    assert.doesNotMatch(text, /c4nary/);
    assert.equal(agent.requests.at(-1)?.headers['x-key'], values.A2A_SECRET_BOAT);
    assert.deepEqual(await allowed(), { [origin(agent)]: ['A2A_SECRET_BOAT'] });
    assert.equal((await stat(join(home, kept))).mode & 0o777, 0o600);
    const again = await answered(['send', 'Boat', 'x'], first);
    assert.deepEqual([again.status, again.text.includes('[y/N]')], [0, false]);
    // Another value is another question, and so is another address.
    const more = await program.workspace(settings(agent.url, { 'X-Key': '{{$secret boat}}', 'X-Plain': '{{$env MY_PLAIN}}' }));
    const asked = await answered(['send', 'Boat', 'x'], more, { [`send MY_PLAIN to ${origin(agent)} for "Boat"`]: 'yes' });
    assert.equal(asked.status, 0, asked.text);
    assert.deepEqual(await allowed(), { [origin(agent)]: ['A2A_SECRET_BOAT', 'MY_PLAIN'] });
    const other = await open.agent(echo);
    const elsewhere = await program.workspace(settings(other.url, { 'X-Key': '{{$secret boat}}' }));
    const refused = await answered(['send', 'Boat', 'x'], elsewhere, { [`send A2A_SECRET_BOAT to ${origin(other)}`]: 'n' });
    assert.deepEqual([refused.status, got(other)], [2, false], refused.text);
  });

  for (const [what, answer] of Object.entries({ 'an empty line': '', no: 'no', 'any other word': 'sure', 'the end of input': '\u0004' }))
    test(`${what} sends nothing, and nothing is kept`, async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({
        ...settings(agent.url, { 'X-Key': '{{$secret boat}}' }),
        'x.a2a': { agent: 'Boat', message: 'x' },
      });
      for (const args of [
        ['send', 'Boat', 'x'],
        ['run', 'x.a2a'],
      ]) {
        const { status, text } = await answered(args, cwd, { '[y/N]': answer });
        assert.equal(status, 2, text);
        assert.match(text, /would send A2A_SECRET_BOAT to http:\/\/127\.0\.0\.1:\d+, and you have not allowed that/);
        assert.ok(text.includes(`--allow-origin ${origin(agent)}`), text);
      }
      assert.equal(got(agent), false);
      await assert.rejects(stat(join(home, kept)), { code: 'ENOENT' });
    });

  test('Ctrl+C at the question ends the command, and nothing is sent', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace(settings(agent.url, { 'X-Key': '{{$secret boat}}' }));
    const { status, text } = await answered(['send', 'Boat', 'x'], cwd, { '[y/N]': '\u0003' });
    assert.equal(status, 130, text);
    assert.equal(got(agent), false);
    await assert.rejects(stat(join(home, kept)), { code: 'ENOENT' });
  });

  test('--allow-origin answers the question, for this command alone', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace(settings(agent.url, { 'X-Key': '{{$secret boat}}' }));
    const { status, text } = await answered(['send', 'Boat', 'x', '--allow-origin', origin(agent)], cwd);
    assert.deepEqual([status, text], [0, 'hi\n']);
    const later = await answered(['send', 'Boat', 'x'], cwd, { '[y/N]': 'n' });
    assert.equal(later.status, 2, later.text);
  });

  test('the name of an agent cannot answer its question, nor look like another one', async () => {
    const agent = await open.agent(echo);
    const name = 'Boat". Allow it? [y/N] y\n\u001b[2K\u001b[1A\u202eok "';
    const cwd = await program.workspace({
      ...settings(agent.url, { 'X-Key': '{{$secret boat}}' }, name),
      'x.a2a': { agent: name, message: 'x' },
    });
    const { status, text } = await answered(['run', 'x.a2a'], cwd, { 'here and from now on? [y/N]': 'n' });
    assert.equal(status, 2, text);
    assert.equal(got(agent), false);
    assert.equal(
      ['\u001b[2K', '\u202e'].some(each => text.includes(each)),
      false,
    );
    // A line of its own would look like a question, or an answer, of the program.
    assert.doesNotMatch(text.replace(/^ {2}\| .*$/gm, ''), /^.{0,3}ok/m);
  });

  test('further addresses of a folder are asked for, each once', async () => {
    const [agent, other] = await Promise.all([open.agent(echo), open.agent(echo)]);
    const cwd = await program.workspace(settings(agent.url, {}, 'Boat', { origins: [origin(other)], interface: { url: other.url } }));
    const question = `The settings of this folder let "Boat" (${agent.url}) have requests sent to ${origin(other)}, with all that they carry.`;
    const no = await answered(['send', 'Boat', 'x'], cwd, { [question]: 'n' });
    assert.equal(no.status, 0, no.text);
    assert.match(no.text, /which you have not allowed: nothing is sent there/);
    assert.equal(other.requests.length, 0);
    const yes = await answered(['send', 'Boat', 'x'], cwd, { [question]: 'y' });
    assert.equal(yes.status, 0, yes.text);
    assert.ok(other.requests.length > 0);
    assert.equal((await answered(['send', 'Boat', 'x'], cwd)).text, 'hi\n');
  });

  test('what is typed to sign in at an agent of a folder is asked for before it is typed', async () => {
    const url = await open.web((request, response) => {
      request.resume();
      response.setHeader('Content-Type', 'application/json');
      const card = minimalCard(`http://${request.headers.host}/`, '1.0');
      const securitySchemes = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } };
      response.end(JSON.stringify({ ...card, securitySchemes, securityRequirements: [{ schemes: { key: { list: [] } } }] }));
    });
    const cwd = await program.workspace(settings(url, {}));
    const question = `The settings of this folder say that "Boat" is at ${new URL(url).origin}. It gets your credentials. Allow it, here and from now on? [y/N]`;
    const no = await answered(['auth', 'login', 'Boat'], cwd, { [question]: 'n' });
    assert.equal(no.status, 2, no.text);
    assert.doesNotMatch(no.text, /API Key \(/);
    // A machine that stands still once the question is shown: what is typed meanwhile must not be shown either.
    const withPause = await program.workspace({
      'pause.cjs': `const write = process.stderr.write;
        process.stderr.write = function (...args) {
          const written = write.apply(this, args);
          if (String(args[0]).startsWith('API Key (')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
          return written;
        };`,
    });
    const yes = await typed(
      inTerminal([process.execPath, '--require', join(withPause, 'pause.cjs'), program.path, 'auth', 'login', 'Boat'], cwd, {
        XDG_CONFIG_HOME: home,
      }),
      { [question]: 'y', 'API Key (': 'c4nary-typed' },
    );
    assert.equal(yes.status, 0, yes.text);
    assert.match(yes.text, /^Signed in to http/m);
    assert.doesNotMatch(yes.text, /c4nary/);
  });

  suite('in a run', () => {
    const twice = (first: string, second: string, message: string): Readonly<Record<string, unknown>> => ({
      'x.a2a': {
        requests: [first, second, second].map(agent => ({ agent, message })),
      },
    });
    for (const [what, message] of Object.entries({
      'a secret': '{{$secret boat}}',
      'a variable': '{{$env MY_PLAIN}}',
      'a credential in a variable': '{{$env MY_TOKEN}}',
    }))
      test(`${what} goes to another address after a yes, which is asked for once`, async () => {
        const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
        const cwd = await program.workspace(twice(first.url, second.url, message));
        const name = /\$(?:secret )?(.*)\}\}/.exec(message)![1]!;
        const question = `Send ${what === 'a secret' ? name : `$${name}`} to ${origin(second)}? Until now it was sent to other addresses only. [y/N]`;
        const no = await answered(['run', 'x.a2a'], cwd, { [question]: 'n' });
        assert.equal(no.status, 2, no.text);
        assert.equal(got(second), false);
        const yes = await answered(['run', 'x.a2a'], cwd, { [question]: 'y' });
        assert.equal(yes.status, 0, yes.text);
        assert.equal(yes.text.split('[y/N]').length, 2, yes.text);
        assert.equal(got(second), true);
        const named = await answered(['run', 'x.a2a', '--allow-origin', origin(second)], cwd);
        assert.deepEqual([named.status, named.text.includes('[y/N]')], [0, false]);
      });

    test('an address that an answer chose is named as one', async () => {
      const other = await open.agent(echo);
      const first = await open.agent({ SendStreamingMessage: [{ event: { message: says(other.url) } }] });
      const requests = [
        { name: 'one', agent: first.url, message: 'where?' },
        { name: 'two', agent: '{{one.message.parts[0].text}}', message: '{{$secret boat}}' },
      ];
      const cwd = await program.workspace({ 'x.a2a': { requests } });
      const question = `Send boat to ${origin(other)}? The answer of an agent chose that address. [y/N]`;
      assert.equal((await answered(['run', 'x.a2a'], cwd, { [question]: '' })).status, 2);
      assert.equal(got(other), false);
      assert.equal((await answered(['run', 'x.a2a'], cwd, { [question]: 'y' })).status, 0);
      assert.equal(got(other), true);
    });
  });
});

import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const agentScript: Script = {
  SendMessage: () => [{ answer: { message: says('hi') } }],
  SendStreamingMessage: () => [{ event: { message: says('hi') } }],
  GetTask: () => [{ answer: task('TASK_STATE_COMPLETED') }],
};

suite('names of agents in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const secret = 'k3y-of-the-named-agent';

  test('every command takes a name of the settings of this folder or one above it, with the headers of the settings', async () => {
    const agent = await open.agent(agentScript);
    const workspace = await program.workspace({
      '.vscode/settings.json': { 'a2a.agents': { Boat: { url: agent.url, headers: { 'X-Key': '{{$secret boat}}', 'X-Plain': 'p' } } } },
    });
    const cwd = join(workspace, 'sub');
    mkdirSync(cwd);
    const options = { cwd, env: { A2A_SECRET_BOAT: secret } };
    const allowed = ['--allow-origin', new URL(agent.url).origin];
    const commands: readonly (readonly [string[], number])[] = [
      [['card', 'Boat'], 0],
      [['send', 'Boat', 'x'], 0],
      [['task', 'get', 'Boat', 't-1'], 0],
      // The agent answers about another task than it is asked for, to whoever asks.
      [['auth', 'Boat'], 0],
      [['auth', 'status', 'Boat'], 1],
      [['chat', 'Boat', '--header', 'x-plain: own'], 0],
    ];
    for (const [args, wanted] of commands) {
      const { status, out, err } = await program.run([...args, ...allowed], options);
      assert.equal(status, wanted, `${args.join(' ')}: ${err}`);
      assert.doesNotMatch(out + err, new RegExp(secret));
    }
    const calls = agent.requests.filter(({ method }) => method === 'POST');
    assert.ok(calls.length >= 2);
    // `auth` also asks without credentials.
    const [bare, ...others] = [
      ...calls.filter(({ headers }) => headers['x-key'] === undefined),
      ...calls.filter(({ headers }) => headers['x-key'] !== undefined),
    ];
    assert.equal(bare?.headers['x-plain'], 'p');
    for (const { headers } of others) assert.deepEqual([headers['x-key'], headers['x-plain']], [secret, 'p']);
  });

  test('settings of a folder get a variable, a secret and a further address only where the person allowed it', async () => {
    const agent = await open.agent(agentScript);
    const { origin } = new URL(agent.url);
    const home = await program.workspace({});
    const settings = { 'a2a.agents': { Boat: { url: agent.url, headers: { X: '{{$env MY_PLAIN}}', Y: '{{$secret boat}}' } } } };
    const cwd = await program.workspace({ '.vscode/settings.json': settings, 'x.a2a': { agent: 'Boat', message: 'x' } });
    const env = { A2A_SECRET_BOAT: secret, MY_PLAIN: 'pl4in-of-mine', XDG_CONFIG_HOME: home, APPDATA: home };
    for (const args of [
      ['card', 'Boat'],
      ['send', 'Boat', 'x'],
      ['run', 'x.a2a'],
    ]) {
      const { status, out, err } = await program.run(args, { cwd, env });
      assert.equal(status, 2, args.join(' '));
      assert.match(out + err, /would send MY_PLAIN, A2A_SECRET_BOAT to http:\/\/127\.0\.0\.1:\d+, and you have not allowed that/);
      assert.match(out + err, /--allow-origin/);
    }
    assert.deepEqual(
      agent.requests.filter(({ headers }) => headers['x'] !== undefined || headers['y'] !== undefined),
      [],
    );
    for (const args of [
      ['send', 'Boat', 'x'],
      ['run', 'x.a2a'],
    ]) {
      const { status, err } = await program.run([...args, '--allow-origin', origin], { cwd, env });
      assert.equal(status, 0, err);
    }
    assert.equal(agent.requests.at(-1)?.headers['x'], 'pl4in-of-mine');
    // What was allowed at a terminal is kept.
    const folder = join(home, 'a2a-workbench');
    mkdirSync(folder, { mode: 0o700 });
    const kept = { version: 1, allowed: { [origin]: ['MY_PLAIN', 'A2A_SECRET_BOAT'] } };
    writeFileSync(join(folder, 'allowed.json'), JSON.stringify(kept), { mode: 0o600 });
    assert.equal((await program.run(['send', 'Boat', 'x'], { cwd, env })).out, 'hi\n');
  });

  test('a value that is not set is told with its variable and what it is for, and ends with 2', async () => {
    const agent = await open.agent(agentScript);
    const at = (header: string): object => ({ 'a2a.agents': { Boat: { url: agent.url, headers: { 'X-Key': header } } } });
    for (const [header, cause] of [
      ['{{$secret boat}}', 'The agent "Boat" needs the secret boat, which is not set.\nSet the environment variable A2A_SECRET_BOAT.\n'],
      [
        'Bearer {{$env MY_PLAIN}}',
        'The agent "Boat" needs the environment variable MY_PLAIN, which is not set.\nSet it and run the command again.\n',
      ],
    ] as const) {
      const cwd = await program.workspace({ '.vscode/settings.json': at(header), 'x.a2a': { agent: 'Boat', message: 'x' } });
      for (const args of [
        ['card', 'Boat'],
        ['send', 'Boat', 'x'],
        ['task', 'get', 'Boat', 't'],
        ['check', 'Boat'],
        ['auth', 'Boat'],
        ['chat', 'Boat'],
      ]) {
        const { status, out, err } = await program.run([...args, '--allow-origin', new URL(agent.url).origin], { cwd });
        assert.deepEqual([status, out, err], [2, '', cause], args.join(' '));
      }
      const ran = await program.run(['run', 'x.a2a', '--allow-origin', new URL(agent.url).origin], { cwd });
      assert.equal(ran.status, 2);
      for (const line of cause.trim().split('\n')) assert.ok(ran.out.includes(line), ran.out);
    }
    assert.equal(agent.requests.length, 0);
  });

  test('a kept sign-in does not go along where the settings of a folder decide which certificates are trusted', async () => {
    const agent = await open.agent(agentScript);
    const home = await program.workspace({});
    const folder = join(home, 'a2a-workbench');
    mkdirSync(folder, { mode: 0o700 });
    const credential = { kind: 'authorization', scheme: 'main', type: 'Bearer', value: 'k3pt-bearer' };
    const { origin, pathname } = new URL(agent.url);
    const kept = { origins: [origin], servers: [], current: 'default', identities: { default: { credentials: [credential], at: 1 } } };
    const key = `${origin}${pathname.replace(/\/+$/, '')}`;
    writeFileSync(join(folder, 'sign-ins.json'), JSON.stringify({ version: 1, agents: { [key]: kept } }), { mode: 0o600 });
    const boat = { url: agent.url, tls: { rejectUnauthorized: false } };
    const cwd = await program.workspace({
      '.vscode/settings.json': { 'a2a.agents': { Boat: boat } },
      'x.a2a': { agent: 'Boat', message: 'x' },
    });
    const options = { cwd, env: { XDG_CONFIG_HOME: home, APPDATA: home } };
    const bearers = () => agent.requests.filter(({ headers }) => headers['authorization'] === 'Bearer k3pt-bearer').length;
    for (const args of [
      ['send', 'Boat', 'x'],
      ['run', 'x.a2a'],
    ]) {
      const { status, out, err } = await program.run(args, options);
      assert.notEqual(status, 0);
      assert.match(out + err, /decide which certificates are trusted/);
      assert.equal(bearers(), 0);
    }
    // The person says it.
    for (const args of [
      ['send', 'Boat', 'x', '--insecure'],
      ['run', 'x.a2a', '--insecure'],
      ['send', agent.url, 'x'],
    ])
      assert.equal((await program.run(args, options)).status, 0, args.join(' '));
    assert.ok(bearers() >= 3);
  });

  test('a name that nobody has is told with those that there are, and an address is never a name', async () => {
    const agent = await open.agent(agentScript);
    const cwd = await program.workspace({
      '.vscode/settings.json': { 'a2a.agents': { Boat: { url: 'http://127.0.0.1:1' }, [agent.url]: { url: 'http://127.0.0.1:1' } } },
    });
    const { status, err } = await program.run(['send', 'Bot', 'x'], { cwd });
    assert.equal(status, 2);
    assert.match(err, /^"Bot" is neither an address nor an agent of "a2a\.agents" in \.vscode\/settings\.json\. Did you mean Boat\?\n/);
    const { err: unknown } = await program.run(['send', 'Submarine', 'x'], { cwd });
    assert.match(
      unknown,
      / There are: Boat, .+\. Agents of VS Code's user settings are known in its own terminals only: give the address, or add the agent to \.vscode/,
    );
    assert.equal((await program.run(['auth', 'logn'], { cwd })).status, 2);
    assert.equal((await program.run(['send', agent.url, 'x'], { cwd })).out, 'hi\n');
  });

  test("in a terminal of VS Code the window's agents are known, after those of the folder", async () => {
    const agent = await open.agent(agentScript);
    const cwd = await program.workspace({
      'window.json': {
        Mine: { url: agent.url },
        Boat: { url: 'http://127.0.0.1:1' },
        Theirs: { url: agent.url, ofWorkspace: true, base: '.', headers: { 'X-Home': '{{$env HOME}}' } },
        Own: { url: agent.url, headers: { 'X-Home': '{{$env HOME}}' } },
      },
      '.vscode/settings.json': { 'a2a.agents': { Boat: { url: agent.url } } },
      'x.a2a': { agent: 'Own', message: 'x' },
      'theirs.a2a': { agent: 'Theirs', message: 'x' },
      'two.a2a': { agent: 'Nobody', requests: [{ message: 'x' }, { message: 'y' }] },
    });
    const env = { A2A_WINDOW_AGENTS: join(cwd, 'window.json') };
    for (const name of ['Mine', 'Boat', 'Own']) assert.equal((await program.run(['send', name, 'x'], { cwd, env })).out, 'hi\n', name);
    assert.equal((await program.run(['run', 'x.a2a'], { cwd, env })).status, 0);
    // Values of the person go to what a workspace defines only where they allow it.
    for (const args of [
      ['send', 'Theirs', 'x'],
      ['run', 'theirs.a2a'],
    ]) {
      const { status, out, err } = await program.run(args, { cwd, env });
      assert.notEqual(status, 0);
      assert.match(out + err, /would send HOME to /);
    }
    assert.equal((await program.run(['send', 'Mine', 'x'], { cwd })).status, 2);
    assert.equal((await program.run(['send', 'Mine', 'x'], { cwd, env: { A2A_WINDOW_AGENTS: join(cwd, 'gone.json') } })).status, 2);
    const { err: unknown } = await program.run(['send', 'Submarine', 'x'], { cwd, env });
    assert.match(
      unknown,
      / nor an agent of VS Code's window or of .+ There are: Boat, Mine, .+\. Give its address, or add it with "A2A: Add Agent…"\./,
    );
    const { out } = await program.run(['run', 'two.a2a'], { cwd, env });
    assert.match(out, /\n\nAll 2 failed alike:\n {4}No agent named "Nobody"\.\n {4}Known are agents of [^\n]+\n0 passed, 2 failed in /);
    const { err } = await program.run(['run', 'two.a2a', '--agent', agent.url], { cwd, env });
    assert.ok(err.includes(`write --agent "Nobody=${agent.url}".`), err);
  });

  test('--select prints values at JSON pointers, one a line', async () => {
    const agent = await open.agent(agentScript);
    const get = ['task', 'get', agent.url, 't-1', '--json'];
    assert.equal(
      (await program.run([...get, '--select', '/status/state', '--select', '/id', '--select', '/none'])).out,
      '"TASK_STATE_COMPLETED"\n"t-1"\n',
    );
    const none = await program.run([...get, '--select', '/none']);
    assert.match(none.err, /Nothing of what was printed is at the pointers of --select\. There are: .*\/status/);
    assert.equal(none.status, 2);
    assert.equal((await program.run([...get, '--select', 'id'])).status, 2);
    assert.match((await program.run(['task', 'get', agent.url, 't-1', '--select', '/id'])).err, /give --json, too/);
    assert.equal((await program.run(['card', agent.url, '--json', '--select', '/supportedInterfaces/0/protocolVersion'])).out, '"1.0"\n');
  });

  test('a binding of the settings is no address, whatever stands in it', async () => {
    const other = await open.agent(agentScript);
    const agent = await open.agent(agentScript, '1.0', {
      card: url => ({
        ...(minimalCard(url, '1.0') as object),
        supportedInterfaces: [url, other.url].map(each => ({ url: each, protocolBinding: 'JSONRPC', protocolVersion: '1.0' })),
      }),
    });
    for (const protocolBinding of [`JSONRPC ${other.url}`, other.url, `1.0 ${other.url}`]) {
      for (const wanted of [{ protocolBinding }, { protocolVersion: protocolBinding }]) {
        const settings = { 'a2a.agents': { Boat: { url: agent.url, headers: { 'X-Key': 'k' }, interface: wanted } } };
        const cwd = await program.workspace({ '.vscode/settings.json': settings });
        await program.run(['send', 'Boat', 'x'], { cwd });
      }
    }
    assert.deepEqual(other.requests, []);
  });
});

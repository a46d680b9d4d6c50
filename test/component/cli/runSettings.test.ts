import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { CertificateAuthority, pfx } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const script = {
  SendMessage: ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => [
    { answer: { message: says(`you are ${String(headers['authorization'])}`) } },
  ],
} as const;
const canary = 'c4nary-of-the-environment';

suite('agents of the settings in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(async () => {
    await open.close();
  });

  const settings = (agents: object): object => ({ 'a2a.agents': agents });
  const file = { agent: 'Safe', message: 'hello', method: 'SendMessage', expect: {} };
  const authorizations = ({ requests }: ScriptedAgent): readonly unknown[] => [
    ...new Set(requests.map(({ headers }) => headers.authorization)),
  ];

  test('headers of the chosen environment are sent, those of the file are stronger, and private ones are printed nowhere', async () => {
    const agent = await open.agent({
      SendMessage: ({ headers }) => [{ answer: { message: says(`${String(headers['x-team'])} ${String(headers['x-key'])}`) } }],
    });
    const cwd = await program.workspace({
      'a2a.env.json': {
        $shared: { headers: { 'X-Team': 'all' } },
        test: {
          headers: { 'X-Team': 'testers', 'X-Stage': '{{stage}}', 'X-Own': 'environment', Authorization: 'Bearer {{$secret api-key}}' },
          stage: 's1',
        },
      },
      'a2a.private.env.json': { test: { headers: { 'X-Key': canary } } },
      'x.a2a': { agent: agent.url, message: 'hello', method: 'SendMessage', headers: { 'X-Own': 'file' } },
      'bad.a2a': { agent: agent.url, message: 'hello' },
    });
    const env = { A2A_SECRET_API_KEY: `${canary}-too` };
    const { out, err } = await program.run(['run', 'x.a2a', '--env', 'test', '--verbose'], { cwd, env });
    const sent = (): Readonly<Record<string, unknown>> => agent.requests.findLast(({ method }) => method === 'POST')!.headers;
    assert.deepEqual(
      ['x-team', 'x-stage', 'x-own', 'authorization', 'x-key'].map(name => sent()[name]),
      ['testers', 's1', 'file', `Bearer ${canary}-too`, canary],
      out + err,
    );
    assert.match(out, /testers/);
    assert.ok(!(out + err).includes(canary), out + err);
    await program.run(['run', 'x.a2a'], { cwd, env });
    assert.deepEqual([sent()['x-team'], sent()['x-key'], sent()['authorization']], ['all', undefined, undefined]);
    await writeFile(join(cwd, 'a2a.env.json'), '{ "test": { "headers": { "X": 1, "a b": "x" } } }');
    const wrong = await program.run(['run', 'x.a2a', '--env', 'test'], { cwd, env });
    assert.equal(wrong.status, 2);
    assert.match(wrong.err, /a2a\.env\.json:1:\d+: error: The header "X" is not a string\.\n.*"a b" cannot be the name of a header\./);
  });

  test('a secret comes from the environment, is sent, and is printed nowhere', async () => {
    const agent = await open.agent(script);
    const cwd = await program.workspace({
      '.vscode/settings.json': settings({
        Safe: { url: agent.url, headers: { Authorization: 'Bearer {{$secret api-key}}', 'X-Team': '{{$env TEAM}}' } },
      }),
      'x.a2a': { ...file, headers: { 'X-Own': '{{$secret api-key}}' } },
    });
    const env = { A2A_SECRET_API_KEY: canary, TEAM: 'harbour' };
    const { out, err } = await program.run(['run', 'x.a2a', '--reporter', 'json', '--allow-origin', new URL(agent.url).origin], {
      cwd,
      env,
    });
    assert.deepEqual(authorizations(agent), [`Bearer ${canary}`], out);
    const post = agent.requests.find(({ method }) => method === 'POST');
    assert.equal(post?.headers['x-team'], 'harbour');
    assert.equal(post.headers['x-own'], canary);
    // The card is fetched without the headers of a request.
    assert.ok(agent.requests.filter(({ method }) => method === 'GET').every(({ headers }) => headers['x-own'] === undefined));
    assert.ok(!(out + err).includes(canary), out + err);
    const without = await program.run(['run', 'x.a2a'], { cwd, env: { TEAM: 'harbour' } });
    assert.match(
      without.out + without.err,
      /needs the secret api-key, which is not set[\s\S]*Set the environment variable A2A_SECRET_API_KEY/,
    );
    const missing = await program.run(['run', 'x.a2a'], { cwd, env: { A2A_SECRET_API_KEY: canary } });
    assert.match(missing.out + missing.err, /needs the environment variable TEAM/);
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 1);
  });

  test('a header of the command line is taken as it is, and other templates of settings are refused', async () => {
    const agent = await open.agent(script);
    const cwd = await program.workspace({ '.vscode/settings.json': settings({ Safe: { url: agent.url } }), 'x.a2a': file });
    await program.run(['run', 'x.a2a', '--header', 'Authorization: {{$env HOME}}'], { cwd });
    assert.deepEqual(authorizations(agent), ['{{$env HOME}}']);
    const bad = await program.workspace({
      '.vscode/settings.json': settings({ Safe: { url: agent.url, headers: { A: '{{$file x}}' } } }),
      'x.a2a': file,
    });
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd: bad });
    assert.equal(status, 2);
    assert.match(err, /settings\.json:\d+:\d+: .*and no other template/);
  });

  test('a client certificate by options and by settings', async () => {
    const ours = new CertificateAuthority('ours');
    const [server, alice] = [ours.issue('server'), ours.issue('alice')];
    const agent = await open.agent(script);
    const front = await open.tls(agent.url, {
      key: server.key,
      cert: server.cert,
      ca: ours.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const tls = { certificate: 'alice.pem', key: 'alice.key', ca: 'ca.pem' };
    const cwd = await program.workspace({
      '.vscode/settings.json': settings({
        Safe: { url: front.url, interface: { url: front.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, tls },
      }),
      'x.a2a': file,
    });
    await writeFile(join(cwd, 'alice.pem'), alice.cert);
    await writeFile(join(cwd, 'alice.key'), alice.key);
    await writeFile(join(cwd, 'ca.pem'), ours.cert);
    await writeFile(join(cwd, 'alice.p12'), pfx(alice, canary));
    const ran = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(ran.status, 0, ran.out + ran.err);
    assert.deepEqual(new Set(front.clients), new Set(['alice']));
    const direct = ['send', front.url, 'hello', '--interface', `${front.url} JSONRPC 1.0`];
    const byOptions = await program.run([...direct, '--cert', 'alice.pem', '--key', 'alice.key', '--ca', 'ca.pem'], { cwd });
    assert.equal(byOptions.status, 0, byOptions.err);
    const pfxOptions = [...direct, '--pfx', 'alice.p12', '--insecure'];
    const byPfx = await program.run(pfxOptions, { cwd, env: { A2A_TLS_PASSPHRASE: canary } });
    assert.equal(byPfx.status, 0, byPfx.err);
    assert.match(byPfx.err, /certificates are not checked/);
    const wrong = await program.run(pfxOptions, { cwd, env: { A2A_TLS_PASSPHRASE: 'wr0ng' } });
    assert.equal(wrong.status, 3);
    assert.match(wrong.err, /Wrong passphrase for the PFX file/);
    for (const text of [byPfx, wrong]) assert.ok(!(text.out + text.err).includes(canary) && !(text.out + text.err).includes('wr0ng'));
    const half = await program.run([...direct, '--cert', 'alice.pem'], { cwd });
    assert.equal(half.status, 2);
    assert.match(half.err, /--cert and --key belong together/);
  });
});

import * as assert from 'node:assert/strict';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { CertificateAuthority } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import type { TlsInFront } from '../../support/client/tlsInFront.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const canary = 'c4nary-of-the-command-line';
const header = ['--header', `X-Key: ${canary}`];
const script = { ...silentCard, SendMessage: () => [{ answer: { message: says('hello') } }] } as const;
const origin = ({ url }: { readonly url: string }): string => new URL(url).origin;
const allow = (...agents: readonly { readonly url: string }[]): string[] => agents.flatMap(agent => ['--allow-origin', origin(agent)]);

/** What came to an agent with its messages, and whether any request came at all. */
const got = ({ requests }: ScriptedAgent): unknown =>
  requests.length === 0
    ? 'nothing'
    : [...new Set(requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['x-key']))];
const all = [canary];
const none = [undefined];

/** One run: the files, the options beside the header, the exit status, and what each agent got. */
interface Run {
  readonly files: Readonly<Record<string, unknown>>;
  readonly options?: readonly string[];
  readonly status: number;
  readonly got: readonly [unknown, unknown];
}

const to = (...agents: readonly string[]): Readonly<Record<string, unknown>> => ({
  'x.a2a': { requests: agents.map((agent, index) => ({ name: `r${index}`, agent, message: 'x', method: 'SendMessage' })) },
});

const runs: Readonly<Record<string, (one: ScriptedAgent, two: ScriptedAgent) => Run>> = {
  'the only origin that the file names': one => ({ files: to(one.url), status: 0, got: [all, 'nothing'] }),
  'the only one, written in several ways': one => ({
    files: to(one.url, new URL(one.url).host, `${one.url}?x`),
    status: 0,
    got: [all, 'nothing'],
  }),
  'two that the file names': (one, two) => ({ files: to(one.url, two.url), status: 2, got: ['nothing', 'nothing'] }),
  'two of which one is allowed': (one, two) => ({
    files: to(one.url, two.url),
    options: allow(one),
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'two that are allowed': (one, two) => ({ files: to(one.url, two.url), options: allow(one, two), status: 0, got: [all, all] }),
  'one of the command line beside one of the file': (one, two) => ({
    files: to('One', two.url),
    options: ['--agent', `One=${one.url}`],
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'one of the settings beside one of the file': (one, two) => ({
    files: { ...to('One', two.url), '.vscode/settings.json': { 'a2a.agents': { One: { url: one.url } } } },
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'one of the command line and one of the settings': (one, two) => ({
    files: { ...to('One', 'Two'), '.vscode/settings.json': { 'a2a.agents': { Two: { url: two.url } } } },
    options: ['--agent', `One=${one.url}`],
    status: 0,
    got: [all, all],
  }),
  'one of a template, of which the value is known': one => ({
    files: to('{{base}}'),
    options: ['--var', `base=${one.url}`],
    status: 0,
    got: [all, 'nothing'],
  }),
  'one of a template beside one that the file names': (one, two) => ({
    files: { ...to('{{base}}', two.url), 'a2a.env.json': { test: { base: one.url } } },
    options: ['--env', 'test'],
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'those of rows': (one, two) => ({
    files: { 'x.a2a': { agent: '{{at}}', message: 'x', method: 'SendMessage', each: [{ at: one.url }, { at: two.url }] } },
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'those of a matrix': (one, two) => ({
    files: { 'x.a2a': { message: 'x', method: 'SendMessage', matrix: { agent: [one.url, two.url] } } },
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'one that is imported beside one that the file names': (one, two) => ({
    files: {
      'x.a2a': { import: 'other.a2a', requests: [{ name: 'a', agent: one.url, message: '{{b.message.role}}', method: 'SendMessage' }] },
      'other.a2a': { requests: [{ name: 'b', agent: two.url, message: 'x', method: 'SendMessage' }] },
    },
    status: 2,
    got: ['nothing', 'nothing'],
  }),
  'two of which one is not sent to': (one, two) => ({
    files: to(one.url, two.url),
    options: ['--name', 'r0'],
    status: 0,
    got: [all, 'nothing'],
  }),
};

suite('headers without a name in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(async () => {
    await open.close();
  });
  const twoAgents = async (): Promise<[ScriptedAgent, ScriptedAgent]> => [await open.agent(script), await open.agent(script)];

  for (const [name, expected] of Object.entries(runs))
    test(name, async () => {
      const [one, two] = await twoAgents();
      const { files, options = [], status, got: wanted } = expected(one, two);
      const cwd = await program.workspace(files);
      const ended = await program.run(['run', 'x.a2a', ...header, ...options], { cwd });
      const said = ended.out + ended.err;
      assert.deepEqual([ended.status, got(one), got(two)], [status, ...wanted], said);
      assert.ok(!said.includes(canary), said);
      if (status !== 2) return;
      assert.match(ended.err, /^--header would also go to http:.*, which only a file names\. Nothing was sent\. Add --allow-origin ORIGIN/);
      // Without what has to be protected, nothing is asked.
      const without = await program.run(['run', 'x.a2a', ...options], { cwd });
      assert.notEqual(without.status, 2, without.out + without.err);
      assert.deepEqual([got(one), got(two)], [none, none]);
    });

  test('a header for one agent goes to that one, whatever others the file names', async () => {
    const [one, two] = await twoAgents();
    const cwd = await program.workspace(to(one.url, two.url));
    const { status, err } = await program.run(['run', 'x.a2a', '--header', `${one.url}: X-Key: ${canary}`], { cwd });
    assert.deepEqual([status, got(one), got(two)], [0, all, none], err);
  });

  test('an address that comes from an answer takes none, and counts for no second one', async () => {
    const two = await open.agent(script);
    const one = await open.agent({ ...silentCard, SendMessage: () => [{ answer: { message: says(two.url) } }] });
    const requests = [
      { name: 'a', agent: one.url, message: 'x', method: 'SendMessage' },
      { name: 'b', agent: '{{a.message.parts[0].text}}', message: 'x', method: 'SendMessage' },
    ];
    const cwd = await program.workspace({ 'x.a2a': { requests } });
    const { status, out, err } = await program.run(['run', 'x.a2a', ...header], { cwd });
    assert.deepEqual([status, got(one), got(two)], [0, all, none], out + err);
  });

  test('an address that is another one each time takes none, and nothing is sent', async () => {
    const cwd = await program.workspace(to('http://{{$uuid}}.localhost:9/'));
    const { status, out, err } = await program.run(['run', 'x.a2a', ...header], { cwd });
    assert.equal(status, 2, err);
    assert.match(
      out,
      /--header would also go to http:\/\/[\da-f-]+\.localhost:9, which only a file names\.[\s\S]*Add --allow-origin http:/,
    );
  });

  test('the script for k6 asks for cards with the header of no more agents', async () => {
    const [one, two] = await twoAgents();
    const cwd = await program.workspace(to(one.url, two.url));
    const { status, out, err } = await program.run(['export', 'x.a2a', '--k6', ...header], { cwd });
    assert.deepEqual([status, out, got(one), got(two)], [2, '', 'nothing', 'nothing'], err);
  });

  test('a client certificate and an unchecked connection are given as headers are', async () => {
    const ours = new CertificateAuthority('ours');
    const [server, alice] = [ours.issue('server'), ours.issue('alice')];
    const front = async (): Promise<TlsInFront> => {
      const agent = await open.agent(script);
      return open.tls(agent.url, {
        key: server.key,
        cert: server.cert,
        ca: ours.cert,
        requestCert: true,
        rejectUnauthorized: false,
      });
    };
    const [one, two] = [await front(), await front()];
    const ask = ({ url }: TlsInFront): object => ({
      agent: url,
      interface: { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      message: 'x',
      method: 'SendMessage',
    });
    const cwd = await program.workspace({
      'one.a2a': ask(one),
      'two.a2a': { requests: [ask(one), ask(two)] },
      'alice.pem': alice.cert,
      'alice.key': alice.key,
      'ca.pem': ours.cert,
    });
    const certificate = ['--cert', 'alice.pem', '--key', 'alice.key', '--ca', 'ca.pem'];
    const refused = await program.run(['run', 'two.a2a', ...certificate], { cwd });
    assert.deepEqual([refused.status, one.clients, two.clients], [2, [], []], refused.err);
    assert.match(refused.err, /^--cert would also go to https:/);
    const unchecked = await program.run(['run', 'two.a2a', '--insecure'], { cwd });
    assert.deepEqual([unchecked.status, one.clients, two.clients], [2, [], []], unchecked.err);
    const alone = await program.run(['run', 'one.a2a', ...certificate], { cwd });
    assert.deepEqual([alone.status, new Set(one.clients), two.clients], [0, new Set(['alice']), []], alone.out + alone.err);
    const allowed = await program.run(['run', 'two.a2a', ...certificate, ...allow(one, two)], { cwd });
    assert.deepEqual([allowed.status, new Set(two.clients)], [0, new Set(['alice'])], allowed.out + allowed.err);
    // Who is trusted besides tells nobody anything.
    const trusting = await program.run(['run', 'two.a2a', '--ca', 'ca.pem'], { cwd });
    assert.deepEqual([trusting.status, two.clients.at(-1)], [0, undefined], trusting.out + trusting.err);
  });
});

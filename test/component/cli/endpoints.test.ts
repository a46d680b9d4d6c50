import * as assert from 'node:assert/strict';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { ScriptedAgent, ScriptedAgentOptions } from '../../../src/mock/scriptedAgent.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

// Endpoints that serve no card, as in a2aproject/a2a-js#574, a2aproject/a2a-java#574 and googleapis/python-aiplatform#6176.
suite('an endpoint without a card in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const script = (instead: readonly Step[]): Script => ({
    AgentCard: instead,
    SendMessage: () => [{ answer: { message: says('ahoy') } }],
    SendStreamingMessage: () => [{ event: { message: says('ahoy, piece by piece') } }],
    GetTask: [{ error: { code: -32001, message: 'no such task' } }],
  });
  const endpoint = (instead: readonly Step[], version = '1.0', more: Partial<ScriptedAgentOptions> = {}): Promise<ScriptedAgent> =>
    open.agent(script(instead), version, more);
  const posted = ({ requests }: ScriptedAgent): readonly (string | undefined)[] =>
    requests.filter(({ method }) => method === 'POST').map(({ operation }) => operation);

  test('one whose pages answer every path: the three words in any order, and the way is told where they are missing', async () => {
    const agent = await endpoint([{ html: '<!doctype html><title>Harbour</title>' }], '1.0', { binding: 'HTTP+JSON' });
    const plain = await program.run(['send', agent.url, 'x']);
    assert.equal(plain.status, 3);
    assert.ok(plain.err.includes(`--interface 'JSONRPC 1.0 ${agent.url}'`), plain.err);
    for (const words of [`HTTP+JSON 1.0 ${agent.url}`, `${agent.url} HTTP+JSON 1.0`, `1.0 ${agent.url} HTTP+JSON`]) {
      const { status, out, err } = await program.run(['send', agent.url, 'x', '--interface', words]);
      assert.deepEqual([status, out], [0, 'ahoy\n'], words);
      assert.match(err, /^.* returned a web page instead of an agent card\. Uses HTTP\+JSON 1\.0 at .*, as set by the options\.\n/);
    }
    const streamed = await program.run(['send', agent.url, 'x', '--stream', '--interface', `HTTP+JSON 1.0 ${agent.url}`]);
    assert.deepEqual([streamed.status, streamed.out], [0, 'ahoy, piece by piece\n']);
    assert.deepEqual(posted(agent), ['SendMessage', 'SendMessage', 'SendMessage', 'SendStreamingMessage']);
    // Without the address it could mean an agent whose card is missing for a moment.
    assert.equal((await program.run(['send', agent.url, 'x', '--interface', 'HTTP+JSON 1.0'])).status, 3);
    const unknown = await program.run(['send', agent.url, 'x', '--interface', `JSONRPC 9.0 ${agent.url}`]);
    assert.match(unknown.err, /instead of an agent card\. A2A 9\.0 is not supported here\.\n/);
  });

  test('one of 0.3 behind a gateway that answers unknown paths with 403, by its name in the settings; no card is shown', async () => {
    const agent = await endpoint([{ status: 403 }, { json: { message: 'Missing Authentication Token' } }], '0.3');
    const cwd = await program.workspace({
      '.vscode/settings.json': {
        'a2a.agents': {
          Bare: { url: agent.url, interface: { url: agent.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' } },
        },
      },
    });
    const allowed = ['--allow-origin', new URL(agent.url).origin];
    const { status, out, err } = await program.run(['send', 'Bare', 'x', ...allowed], { cwd });
    assert.deepEqual([status, out], [0, 'ahoy\n'], err);
    assert.match(err, /Uses JSONRPC 0\.3 at .*, as \.vscode\/settings\.json says\.\n/);
    assert.deepEqual(posted(agent), ['SendMessage']);
    const card = await program.run(['card', 'Bare', ...allowed], { cwd });
    assert.deepEqual([card.status, card.out], [3, '']);
  });

  test('a request file says it itself, at the address of its agent alone', async () => {
    const [agent, other] = [await endpoint([{ status: 501 }]), await endpoint([{ status: 501 }])];
    const request = (url: string): object => ({
      agent: agent.url,
      interface: { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      message: 'x',
      repeat: 3,
      expect: { text: 'ahoy' },
    });
    const cwd = await program.workspace({ 'own.a2a': request(agent.url), 'other.a2a': request(other.url) });
    const own = await program.run(['run', 'own.a2a'], { cwd });
    assert.equal(own.status, 0, own.out);
    assert.deepEqual(posted(agent), ['SendMessage', 'SendMessage', 'SendMessage']);
    // The card is asked for once, and not for each row.
    const asked = agent.requests.filter(({ method }) => method === 'GET').map(({ url }) => url);
    assert.equal(new Set(asked).size, asked.length, asked.join(' '));
    const elsewhere = await program.run(['run', 'other.a2a'], { cwd });
    assert.notEqual(elsewhere.status, 0);
    assert.deepEqual(other.requests, []);
  });

  test('a check of it judges what it answers, and nothing of a card that does not exist', async () => {
    const agent = await endpoint([{ status: 200 }, { json: { detail: 'welcome', skills: [] } }]);
    const words = ['--interface', `JSONRPC 1.0 ${agent.url}`];
    const { status, out, err } = await program.run(['check', agent.url, '--reporter', 'json', ...words]);
    assert.ok(status === 0 || status === 1, err);
    const verdicts = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { rule?: string; verdict: string; why: string })
      .filter(({ rule }) => rule !== undefined);
    assert.ok(verdicts.some(({ rule, verdict }) => rule === 'RPC-01' && verdict === 'pass'));
    const ofCard = verdicts.filter(({ rule }) => /^(?:CARD|SIGN|STRM-01|PUSH-01|EXTCARD-02)/.test(rule!));
    assert.ok(ofCard.length > 20, String(ofCard.length));
    for (const { rule, verdict, why } of ofCard) {
      assert.equal(verdict, 'not-applicable', `${rule}: ${why}`);
      assert.equal(why, 'There is no agent card.', rule);
    }
    const spec = await program.run(['check', agent.url, '--rules', 'RPC', ...words]);
    assert.match(spec.out, /No card: the interface was set by you\. Card declarations are not judged\./);
  });
});

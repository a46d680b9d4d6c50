import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { extendedCardAgent, type ExtendedCardAgent } from '../../support/client/extendedCardAgents.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a2a card --extended', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let agent: ExtendedCardAgent;
  let without: ExtendedCardAgent;
  suiteSetup(async () => {
    program = await TerminalFolder.make();
    agent = await extendedCardAgent('1.0');
    without = await extendedCardAgent('0.3', { exists: false });
  });
  teardown(() => open.close());
  suiteTeardown(async () => {
    await agent.stop();
    await without.stop();
    await program.remove();
  });
  const card = (args: readonly string[], of = agent): Promise<Ended> => program.run(['card', of.url('JSONRPC'), '--extended', ...args]);

  test('prints the card of whoever is signed in, and what differs', async () => {
    const { status, out, err } = await card(['--header', 'Authorization: Bearer alice']);
    assert.equal(status, 0, err);
    assert.match(out, /^Extended card: 1 skill added$/m);
    assert.doesNotMatch(out + err, /Bearer alice/);
  });
  test('is one object with --json', async () => {
    const { status, out } = await card(['--json', '--header', 'Authorization: Bearer alice']);
    assert.equal(status, 0);
    assert.match(JSON.stringify((JSON.parse(out) as { skills: object[] }).skills), /open-•/);
  });
  test('is what was on the wire with --raw', async () => {
    const { status, out } = await card(['--raw', '--header', 'Authorization: Bearer alice']);
    assert.equal(status, 0);
    assert.match(out, /"open-•+"/);
    assert.doesNotMatch(out, /well-known/);
  });
  test('says in a sentence why there is none, and what can be done', async () => {
    const { status, err } = await card([], without);
    assert.equal(status, 3);
    assert.equal(
      err,
      'The agent has no extended card (error -32007).\n' +
        "The public card says that there is one: the agent's operator must correct one of the two.\n",
    );
  });

  /** An agent that answers requests for its extended card so. */
  const answering = (declared: boolean, answer: { readonly status?: number; readonly code?: number }): Promise<string> =>
    open.web((request, response) => {
      request.resume();
      response.setHeader('Content-Type', 'application/json');
      const { status = 200, code } = answer;
      if (request.method === 'GET') {
        const plain = minimalCard(`http://${request.headers.host}/`, '1.0');
        response.end(JSON.stringify({ ...plain, capabilities: { extendedAgentCard: declared } }));
      } else response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'Not for you' } }));
    });
  const header = ['--header', 'Authorization: Bearer c4nary'];
  const missing = ['--header', 'X-Trace: 1'];
  const signIn = "Sign in with: a2a auth login URL. Or give credentials with --header 'Name: value'.";
  const seePublic = 'The public card does not declare one, either. See the public card with: a2a card URL';

  for (const [what, declared, answer, args, told] of [
    [
      'nobody is signed in',
      true,
      { status: 401 },
      [],
      ['The agent returns its extended card only to signed-in callers (HTTP 401).', signIn],
    ],
    [
      'it is forbidden to nobody',
      true,
      { status: 403 },
      [],
      ['The agent returns its extended card only to signed-in callers (HTTP 403).', signIn],
    ],
    [
      'the credential is refused',
      true,
      { status: 401 },
      header,
      [
        'The agent refused the credential that was sent for its extended card (HTTP 401): the header Authorization.',
        'Correct its value: in --header, ',
      ],
    ],
    [
      'the credential may not see it',
      true,
      { status: 403 },
      header,
      [
        'The agent does not return its extended card for these credentials (HTTP 403).',
        'Sign in as somebody who may see it, with: a2a auth login URL --identity NAME',
      ],
    ],
    [
      'a header is no credential',
      true,
      { status: 401 },
      missing,
      ['The agent requires other credentials for its extended card (HTTP 401).', 'Sign in with: a2a auth login URL. '],
    ],
    ['there is none', false, { code: -32007 }, [], ['The agent has no extended card (error -32007).', seePublic]],
    ['it knows none', false, { code: -32601 }, header, ['The agent does not support extended cards (error -32601).', seePublic]],
    ['the address knows none', false, { status: 404 }, [], ['The agent has no extended card at this address: ', seePublic]],
  ] as const)
    test(`${what}: ${told[0]}`, async () => {
      const { status, out, err } = await program.run(['card', await answering(declared, answer), '--extended', ...args]);
      assert.deepEqual([status, out], [3, '']);
      const lines = err.split('\n');
      assert.ok(lines[0]?.startsWith(told[0]) && lines[1]?.startsWith(told[1]), err);
      assert.doesNotMatch(err, /c4nary/);
    });

  test('whoever is not signed in as the one that is named is told that, and nothing is asked', async () => {
    const { status, err } = await program.run(['card', await answering(true, { status: 401 }), '--extended', '--identity', 'carol']);
    assert.equal(status, 2);
    assert.match(err, /^You are not signed in as "carol" at this agent\.\nSign in with: a2a auth login URL --identity carol\n$/);
  });
});

import * as assert from 'node:assert/strict';
import { extendedCardAgent, type ExtendedCardAgent } from '../support/client/extendedCardAgents.ts';
import { type Ended, ended, TerminalProgram } from './support/terminalProgram.ts';

suite('a2a card --extended', function () {
  this.timeout(15_000);
  let program: TerminalProgram;
  let agent: ExtendedCardAgent;
  let without: ExtendedCardAgent;
  suiteSetup(async () => {
    program = await TerminalProgram.build();
    agent = await extendedCardAgent('1.0');
    without = await extendedCardAgent('0.3', { exists: false });
  });
  suiteTeardown(async () => {
    await agent.stop();
    await without.stop();
    await program.remove();
  });
  const card = (args: readonly string[], of = agent): Promise<Ended> => {
    const child = program.start(['card', of.url('JSONRPC'), '--extended', ...args]);
    child.stdin.end();
    return ended(child);
  };

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
  test('says in a sentence why there is none', async () => {
    const { status, err } = await card([], without);
    assert.equal(status, 3);
    assert.match(err, /The agent has no extended card/);
  });
});

import * as assert from 'node:assert/strict';
import { steering, turning } from '../support/controlSequences.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { hasPseudoTerminal, inTerminal, typed } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

suite('characters that agents send to a person at a terminal', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  /** The body holds the characters themselves: JSON does not allow those below U+0020 in a text, so they stand between members. */
  const body = `{"jsonrpc":"2.0",\u001b[2J"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"d\u202ee\u009b31m"}]}}}`;

  (hasPseudoTerminal ? test : test.skip)('--raw in a terminal has them escaped, of bodies, cards and events', async () => {
    const agent = await open.agent({ SendMessage: [{ raw: body }], SendStreamingMessage: [{ raw: `data: ${body}\n\n` }] });
    for (const args of [
      ['send', agent.url, 'x', '--raw'],
      ['send', agent.url, 'x', '--stream', '--raw'],
      ['card', agent.url, '--raw'],
    ]) {
      const { text } = await typed(inTerminal([process.execPath, program.path, ...args], program.folder), {});
      assert.doesNotMatch(text, steering, JSON.stringify(text));
      assert.doesNotMatch(text, turning);
      if (args[0] === 'send') assert.match(text, /\\u001b\[2J.*d\\u202ee\\u009b31m/s);
      else assert.match(text, /"supportedInterfaces"/);
    }
  });
});

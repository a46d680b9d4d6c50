import * as assert from 'node:assert/strict';
import type { Script } from '../../src/mock/script.ts';
import { controlSequences, steering, turning } from '../support/controlSequences.ts';
import { figure } from '../support/figure.ts';
import { OpenThings } from '../unit/client/support/openThings.ts';
import { chunk, says, statusUpdate, task } from '../unit/client/support/says.ts';
import { hasPseudoTerminal, inTerminal, typed } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

/** Every sequence; the first clears the screen, sets the title of the window, goes back in the line, and turns the rest of it around. */
const hostile = 'a\u001b[2J\u001b]0;owned\u0007b\rc\u009b31md\u202ee\u2066f\u200fg\u007fh' + controlSequences.join('i');

suite('characters that agents send to a terminal', function () {
  this.timeout(60_000);
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => program = await TerminalProgram.build());
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  /** The body holds the characters themselves: JSON does not allow those below U+0020 in a text, so they stand between members. */
  const body = `{"jsonrpc":"2.0",\u001b[2J"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"d\u202ee\u009b31m"}]}}}`;
  const answers: Script = {
    SendMessage: [{ answer: { task: task('TASK_STATE_FAILED', { status: { state: 'TASK_STATE_FAILED', message: says(hostile) }, artifacts: [{ artifactId: 'x', parts: [{ text: hostile }, { data: { [hostile]: hostile } }, { raw: 'AAAA', filename: hostile, mediaType: hostile }] }] }) } }],
    SendStreamingMessage: [{ event: { task: task('TASK_STATE_SUBMITTED') } }, { event: chunk(hostile, false, true) }, { event: statusUpdate('TASK_STATE_COMPLETED', says(hostile)) }],
  };

  const commands: Readonly<Record<string, (url: string) => readonly string[]>> = {
    'an answer': url => ['send', url, 'x'],
    'a stream': url => ['send', url, 'x', '--stream'],
    'an answer as JSON': url => ['send', url, 'x', '--json'],
    'a stream as JSON': url => ['send', url, 'x', '--stream', '--json'],
    'a run': () => ['run', 'x.a2a'],
    'a run as JUnit': () => ['run', 'x.a2a', '--reporter', 'junit'],
    'a run as JSON': () => ['run', 'x.a2a', '--reporter', 'json'],
    'an error of a file': () => ['run', 'wrong.a2a'],
  };
  for (const [title, args] of Object.entries(commands)) {
    test(`${title}: nothing steers the terminal or turns the text, what turned it can be seen`, async () => {
      const agent = await open.agent(answers);
      const cwd = await program.workspace({
        'x.a2a': { name: `n${hostile}`, agent: agent.url, message: 'x', expect: { text: 'nope', state: 'completed' } },
        'wrong.a2a': { name: 'n', agent: agent.url, message: 'x', [hostile]: 1 },
      });
      const { out, err } = await program.run(args(agent.url), { cwd });
      const raw = [out, err].filter(said => steering.test(said) || turning.test(said)).length;
      figure('F21', { 'sequences shown': controlSequences.length, 'raw characters': raw }, `${controlSequences.length} sequences in ${title}, ${raw} outputs with raw characters`);
      for (const [name, said] of [['out', out], ['err', err]] as const) {
        assert.doesNotMatch(said, steering, `${name}: ${JSON.stringify(said)}`);
        assert.doesNotMatch(said, turning, `${name}: ${JSON.stringify(said)}`);
      }
      assert.match(out + err, /d(⟨U\+202E⟩|\\u202e|\\\\u202e)e/);
      // As JSON every character is there.
      if (args(agent.url).includes('--json')) assert.ok(out.split('\n').some(line => line !== '' && JSON.stringify(JSON.parse(line)).includes(JSON.stringify(hostile).slice(1, -1))), out);
    });
  }

  test('--raw to a program is every byte', async () => {
    const agent = await open.agent({ SendMessage: [{ raw: body }] });
    const { out } = await program.run(['send', agent.url, 'x', '--raw']);
    assert.equal(out, `${body}\n`);
  });

  (hasPseudoTerminal ? test : test.skip)('--raw in a terminal has them escaped, of bodies, cards and events', async () => {
    const agent = await open.agent({ SendMessage: [{ raw: body }], SendStreamingMessage: [{ raw: `data: ${body}\n\n` }] });
    for (const args of [['send', agent.url, 'x', '--raw'], ['send', agent.url, 'x', '--stream', '--raw'], ['card', agent.url, '--raw']]) {
      const { text } = await typed(inTerminal([process.execPath, program.path, ...args], program.folder), {});
      assert.doesNotMatch(text, steering, JSON.stringify(text));
      assert.doesNotMatch(text, turning);
      if (args[0] === 'send') assert.match(text, /\\u001b\[2J.*d\\u202ee\\u009b31m/s);
      else assert.match(text, /"supportedInterfaces"/);
    }
  });
});

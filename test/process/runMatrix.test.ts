import * as assert from 'node:assert/strict';
import type { Script } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { silentCard } from './support/agentScripts.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const speaks = (words: string): Script => ({ ...silentCard, SendMessage: () => [{ answer: { message: says(words) } }] });

suite('a matrix in a terminal', function () {
  this.timeout(60_000);
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('is a result for each agent and interface, which reporters tell apart', async () => {
    const [one, two] = [await open.agent(speaks('one')), await open.agent(speaks('two'))];
    const cwd = await program.workspace({
      'x.a2a': {
        requests: [
          {
            name: 'ask',
            message: 'x {{n}}',
            matrix: { agent: ['One', 'Two'], interface: ['JSONRPC', '1.0'] },
            each: [{ n: 1 }],
            expect: { text: 'two' },
          },
          { name: 'then', agent: 'Two', message: '{{ask[3].message.parts[0].text}}', expect: { text: 'two' } },
        ],
      },
    });
    const agents = ['--agent', `One=${one.url}`, '--agent', `Two=${two.url}`];
    const json = await program.run(['run', 'x.a2a', '--json', ...agents], { cwd });
    assert.deepEqual([json.status, json.err], [1, '']);
    const results = json.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { name?: string; verdict?: string })
      .flatMap(({ name, verdict }) => (name === undefined ? [] : [[name, verdict]]));
    assert.deepEqual(results, [
      ['ask [One · JSONRPC · 1]', 'failed'],
      ['ask [One · 1.0 · 1]', 'failed'],
      ['ask [Two · JSONRPC · 1]', 'passed'],
      ['ask [Two · 1.0 · 1]', 'passed'],
      ['then', 'passed'],
    ]);
    const junit = await program.run(['run', 'x.a2a', '--reporter', 'junit', ...agents], { cwd });
    assert.equal(junit.out.match(/<testcase [^>]*name="ask \[(?:One|Two) · (?:JSONRPC|1\.0) · 1\]"/g)?.length, 4);
    // A name that no request has is refused, and one of the matrix is known.
    const unused = await program.run(['run', 'x.a2a', '--agent', `Three=${one.url}`], { cwd });
    assert.match(unused.err, /--agent Three: the files name no such agent\. They name: One, Two\./);
  });
});

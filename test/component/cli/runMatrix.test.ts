import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const speaks = (words: string): Script => ({ ...silentCard, SendMessage: () => [{ answer: { message: says(words) } }] });

suite('a matrix in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
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
    // A name that no request has is told, and one of the matrix is known.
    const unused = await program.run(['run', 'x.a2a', '--agent', `Three=${one.url}`], { cwd });
    assert.match(unused.err, /--agent Three: the files name no such agent\. They name: One, Two\./);
  });

  test('an interface that an agent does not have is told where the matrix or the request names it', async () => {
    const agent = await open.agent(speaks('one'));
    const lines = [
      '{',
      `  "agent": "${agent.url}",`,
      '  "requests": [',
      '    { "name": "both", "message": "x", "matrix": { "interface": ["JSONRPC",',
      '      "GRPC"] } },',
      '    { "name": "own", "message": "x",',
      '      "interface": "HTTP+JSON", "expect": { "text": "one" } },',
      '    { "name": "set", "message": "x" }',
      '  ]',
      '}',
    ];
    const cwd = await program.workspace({ 'x.a2a': lines.join('\n') });
    const { status, out } = await program.run(['run', 'x.a2a', '--json'], { cwd });
    assert.equal(status, 3, out);
    const failures = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { name?: string; failures?: { line: number; column: number; message: string }[] })
      .flatMap(({ name, failures: all = [] }) => all.map(({ line, column, message }) => [name, line, column, message]));
    assert.deepEqual(
      failures.map(([name, line, column]) => [name, line, column]),
      [
        ['both [GRPC]', 5, 7],
        ['own', 7, 20],
      ],
    );
    assert.match(String(failures[0]?.[3]), /GRPC/);
    // One that a defaults file sets has no place in the request.
    const other = await program.workspace({
      'below/y.a2a': { agent: agent.url, name: 'set', message: 'x' },
      'a2a.defaults.json': `${' '.repeat(200)}{ "interface": "GRPC" }`,
    });
    const elsewhere = await program.run(['run', 'below/y.a2a'], { cwd: other });
    assert.match(elsewhere.out, /y\.a2a:3:11: No interface matches GRPC/);
  });
});

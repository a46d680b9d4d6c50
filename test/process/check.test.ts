import * as assert from 'node:assert/strict';
import { OpenThings } from '../support/client/openThings.ts';
import { eventually } from '../support/eventually.ts';
import { silentCard } from './support/agentScripts.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

suite('a2a check that is interrupted', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('Ctrl+C gives a report of what was done: 130', async () => {
    const agent = await open.agent({ ...silentCard, GetTask: [{ stall: true }] });
    const child = program.start(['check', agent.url, '--rules', 'RPC-04,CORE-11', '--json']);
    child.stdin.end();
    const result = ended(child);
    await eventually(() => assert.ok(agent.requests.some(({ operation }) => operation === 'GetTask')));
    child.kill('SIGINT');
    const { status, out } = await result;
    assert.equal(status, 130);
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly rule: string; readonly verdict: string });
    assert.deepEqual(
      lines.map(({ rule, verdict }) => [rule, verdict]),
      [['RPC-04', 'pass']],
    );
  });
});

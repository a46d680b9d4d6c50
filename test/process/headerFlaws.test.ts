import * as assert from 'node:assert/strict';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { silentCard } from './support/agentScripts.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const script = { ...silentCard, SendMessage: () => [{ answer: { message: says('hello') } }] } as const;

suite('headers of the command line, with a planted flaw', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  // test/component/cli/runHeaders.test.ts has the program without the flaw, which sends them to neither.
  test('a program that gives them to every address of a file is noticed', async () => {
    const careless = await TerminalProgram.build({
      file: 'src/cli/run/headerReach.ts',
      from: 'if (options.length === 0)',
      to: 'if (options.length >= 0)',
    });
    const agents = [await open.agent(script), await open.agent(script)];
    try {
      const requests = agents.map(({ url }, index) => ({ name: `r${index}`, agent: url, message: 'x', method: 'SendMessage' }));
      const cwd = await careless.workspace({ 'x.a2a': { requests } });
      const { status } = await careless.run(['run', 'x.a2a', '--header', 'X-Key: c4nary-of-the-command-line'], { cwd });
      assert.equal(status, 0);
      for (const { requests: got } of agents)
        assert.deepEqual(
          got.filter(({ method }) => method === 'POST').map(({ headers }) => headers['x-key']),
          ['c4nary-of-the-command-line'],
        );
    } finally {
      await careless.remove();
    }
  });
});

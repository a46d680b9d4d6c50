import * as assert from 'node:assert/strict';
import { OpenThings } from '../../support/client/openThings.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { commands, ways, type Command, type Way } from '../../support/cli/taskWays.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a task that is followed by a command', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  async function followed(command: Command, { script, out, options = [], state }: Way): Promise<Ended> {
    const { url } = await open.agent(script());
    if (command !== 'run' && command !== 'chat') {
      const [first = '', ...rest] = command.split(' ');
      const args = command === 'task subscribe' ? ['task', 'subscribe', url, 't-1'] : [first, url, 'x', ...rest];
      return program.run([...args, ...options]);
    }
    const cwd = await program.workspace({
      'x.a2a': {
        agent: url,
        message: 'x',
        expect: { ...(out !== '' && { text: out.trimEnd().replaceAll('\n\n', '\n') }), ...(state !== undefined && { state }) },
      },
    });
    return command === 'run'
      ? program.run(['run', 'x.a2a', ...options], { cwd })
      : program.run(['chat', url, ...options], { cwd, stdin: 'x\n' });
  }

  for (const [title, way] of Object.entries(ways)) {
    test(`one that ${title}`, async () => {
      await Promise.all(
        commands.map(async command => {
          const own = way.but?.[command];
          if (own === null) return;
          const expected = { ...way, ...own };
          const came = await followed(command, way);
          const what = `${command}\n${came.out}${came.err}`;
          assert.equal(came.status, expected.status, what);
          if (command === 'run') return;
          assert.equal(came.out, expected.out, what);
          if (expected.err !== undefined) assert.match(came.err, expected.err, what);
        }),
      );
    });
  }
});

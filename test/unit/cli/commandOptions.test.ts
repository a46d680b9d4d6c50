import * as assert from 'node:assert/strict';
import { commands, parseCommand } from '../../../src/cli/commands.ts';
import { helpOutput } from '../../../src/cli/help.ts';
import { optionNames } from '../../../src/cli/terminal/options.ts';
import { UsageError } from '../../../src/cli/terminal/usage.ts';

suite('options of the commands', () => {
  const listed = async (name: string): Promise<readonly string[]> => [
    ...new Set(
      [...(await helpOutput(['help', ...name.split(' ')]))!.matchAll(/^ {2}(?:--[\w-]+, )*--([\w-]+)/gm)].map(([, option]) => option!),
    ),
  ];
  /** Whether the command takes the option; of one with a value, it has one. */
  function takes(name: string, option: string): boolean {
    const words = [...name.split(' '), ...Array.from({ length: commands[name]!.positionals[0] }, () => 'x')];
    for (const written of [[`--${option}`], [`--${option}=x`]])
      try {
        parseCommand([...words, ...written]);
        return true;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    return false;
  }

  for (const name of Object.keys(commands))
    test(`a2a ${name}: its help lists none that it refuses`, async () => {
      const options = await listed(name);
      assert.ok(options.length > 3);
      assert.deepEqual(
        // The help of `a2a auth` is that of `a2a auth login`, too.
        options.filter(option => !Object.keys(commands).some(each => `${each} `.startsWith(`${name} `) && takes(each, option))),
        [],
      );
    });

  test('a2a listen asks no agent, and takes nothing that is for asking one', async () => {
    const taken = optionNames.filter(option => takes('listen', option)).toSorted();
    assert.deepEqual(taken, ['help', 'json', 'path', 'port', 'protocol-version', 'raw', 'respond', 'select', 'token', 'version']);
    assert.deepEqual(
      (await listed('listen')).toSorted(),
      taken.filter(option => option !== 'help' && option !== 'version'),
    );
    assert.doesNotMatch((await helpOutput(['listen', '--help']))!, /^(Network|Sign-ins):/m);
    assert.throws(() => parseCommand(['listen', '--header', 'X: y']), { message: '--header is not for listen.' });
  });
});

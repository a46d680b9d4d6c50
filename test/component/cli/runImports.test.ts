import * as assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('imported files in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let heard: string[];
  const repeats: Script = {
    ...silentCard,
    SendMessage: ({ params }) => {
      const text = (params?.message.parts ?? []).map(part => ('text' in part ? part.text : '')).join('');
      heard.push(text);
      return [{ answer: { message: says(text) } }];
    },
  };
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  setup(() => (heard = []));
  teardown(() => open.close());

  /** Results by name. */
  const verdicts = (out: string): Readonly<Record<string, string | undefined>> =>
    Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { name?: string; verdict?: string })
        .flatMap(({ name, verdict }) => (name === undefined ? [] : [[name, verdict]])),
    );

  test('are read from the folder of the file, and what is needed of them is sent first', async () => {
    const agent = await open.agent(repeats);
    const cwd = await program.workspace({
      'a2a.defaults.json': { agent: agent.url },
      'shared/login.a2a': {
        variables: { words: '{{$file words.md}}', who: '{{whom}}' },
        requests: [
          { name: 'login', message: 'login {{words}}', capture: { token: 'message.parts[0].text' } },
          { name: 'logout', message: 'logout' },
        ],
      },
      'shared/words.md': 'as ann',
      'tests/a.a2a': {
        import: '../shared/login.a2a',
        requests: [
          { name: 'uses', message: '[{{token}}] {{who}}', expect: { text: '[login as ann] ann' } },
          { name: 'own', message: 'own' },
        ],
      },
      'a2a.env.json': { local: { whom: 'ann' } },
    });
    const came = await program.run(['run', 'tests', '--env', 'local', '--json'], { cwd });
    assert.deepEqual([came.err, verdicts(came.out)], ['', { uses: 'passed', own: 'sent' }]);
    assert.deepEqual(heard, ['login as ann', '[login as ann] ann', 'own']);
    heard = [];
    const byName = await program.run(['run', 'tests', '--var', 'whom=bob', '--name', 'uses', '--json'], { cwd });
    assert.deepEqual([byName.err, verdicts(byName.out)], ['', { uses: 'failed' }]);
    assert.equal(heard.at(-1), '[login as ann] bob');
  });

  test('an error in one is told at the import, and nothing is sent', async () => {
    const agent = await open.agent(repeats);
    const cwd = await program.workspace({
      'bad.a2a': { import: 'sub/broken.a2a', agent: agent.url, message: 'x' },
      'sub/broken.a2a': '{\n  "message": 5\n}',
      'circle.a2a': { import: 'back.md', agent: agent.url, message: 'x' },
      'back.md': '```a2a\n{ "import": "circle.a2a", "agent": "x", "message": "x" }\n```\n',
      'missing.a2a': { import: 'nothing.a2a', agent: agent.url, message: 'x' },
    });
    const said = async (file: string): Promise<string> => {
      const { status, err } = await program.run(['run', file], { cwd });
      assert.equal(status, 2, err);
      return err;
    };
    assert.match(await said('bad.a2a'), /^bad\.a2a:2:13: error: sub\/broken\.a2a, line 2: "message" must be text or a list/);
    assert.match(await said('circle.a2a'), /import each other in a circle: circle\.a2a → back\.md → circle\.a2a\./);
    assert.match(await said('missing.a2a'), /^missing\.a2a:2:13: error: File not found: nothing\.a2a/);
    assert.deepEqual(heard, []);
  });

  test('are read inside of the folder alone that the run was started in', async () => {
    const agent = await open.agent(repeats);
    const cwd = await program.workspace({
      'in/a.a2a': { import: '../outside.a2a', agent: agent.url, message: '{{secret}}' },
      'in/b.a2a': { import: 'link.a2a', agent: agent.url, message: '{{secret}}' },
      'outside.a2a': { agent: agent.url, message: 'x', variables: { secret: 'not for them' } },
    });
    symlinkSync(join(cwd, 'outside.a2a'), join(cwd, 'in/link.a2a'));
    for (const file of ['a.a2a', 'b.a2a']) {
      const { status, err } = await program.run(['run', file], { cwd: join(cwd, 'in') });
      assert.equal(status, 2);
      assert.match(err, /is outside .*, so it was not read/);
    }
    assert.deepEqual(heard, []);
    assert.equal((await program.run(['run', 'in/a.a2a'], { cwd })).status, 0);
    assert.deepEqual(heard, ['not for them']);
  });
});

import * as assert from 'node:assert/strict';
import type { Script } from '../../src/mock/script.ts';
import { TerminalFolder } from '../support/cli/terminalFolder.ts';
import { caught, figure, sampleOf } from '../support/figure.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

/** What services take for commands: GitHub Actions at the start of a line, Azure Pipelines and TeamCity anywhere in one. */
const orders = [
  '::add-mask::owned',
  '  ::stop-commands::owned',
  '##vso[task.setvariable variable=PATH]owned',
  '##[error]owned',
  '##teamcity[x]owned',
];
const words = `words\n${orders.join('\n')}\nmore ##vso[task.complete]owned`;
const isOrder = /^[^\S\n]*::|##(?:vso|teamcity)?\[/im;
const services = ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'] as const;
const none = { CI: '', GITHUB_ACTIONS: '', TF_BUILD: '', TEAMCITY_VERSION: '' };

const done = task('TASK_STATE_COMPLETED', {
  status: { state: 'TASK_STATE_COMPLETED', message: says(words) },
  artifacts: [{ artifactId: words, name: words, parts: [{ text: words }, { raw: 'AAAA', filename: words, mediaType: words }] }],
});
const script: Script = {
  SendMessage: [{ answer: { task: done } }],
  // A command comes in two pieces, as models stream them.
  SendStreamingMessage: [
    { event: { task: task('TASK_STATE_SUBMITTED') } },
    { event: chunk('words\n:', false) },
    { event: chunk(':add-mask::owned\n#', true) },
    { event: chunk('#vs', true) },
    { event: chunk(`o[task.complete]owned\n${words}`, true, true) },
    { event: statusUpdate('TASK_STATE_COMPLETED', says(words)) },
  ],
  GetTask: [{ answer: done }],
  ListTasks: [{ answer: { tasks: [{ ...done, id: words }], nextPageToken: '', pageSize: 50, totalSize: 1 } }],
  CancelTask: [{ error: { code: -32603, message: words } }],
};
const card = (url: string): unknown => ({
  name: words,
  description: words,
  version: words,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: words, name: words, description: words, tags: [words] }],
});

const commands: Readonly<Record<string, (url: string) => readonly string[]>> = {
  send: url => ['send', url, 'x'],
  'send --stream': url => ['send', url, 'x', '--stream'],
  chat: url => ['chat', url],
  card: url => ['card', url],
  'task get': url => ['task', 'get', url, 't-1'],
  'task list': url => ['task', 'list', url],
  'task cancel': url => ['task', 'cancel', url, 't-1'],
  run: () => ['run', 'x.a2a'],
  'run as annotations': () => ['run', 'x.a2a', '--reporter', 'github'],
  check: url => ['check', url, '--rules', 'CARD,CORE'],
};

suite('texts of agents in CI', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  async function said(made: TerminalFolder, args: (url: string) => readonly string[], env: Readonly<Record<string, string>>) {
    const agent = await open.agent(script, '1.0', { card });
    const cwd = await made.workspace({ 'x.a2a': { name: 'n', agent: agent.url, message: 'x', expect: { text: 'nope' } } });
    return made.run(args(agent.url), { cwd, env: { ...none, ...env }, stdin: 'hello\n' });
  }
  /** The annotations that the program itself writes stay commands. */
  const ofAgents = (text: string): string => text.replaceAll(/^::(?:error|warning|notice|group|endgroup) ?[^\n]*/gm, '');

  let outputs = 0;
  let left = 0;
  for (const [name, args] of Object.entries(commands)) {
    test(`${name}: no command is left in either stream, whichever service it is`, async () => {
      for (const service of sampleOf(services)) {
        const { out, err } = await said(program, args, { [service]: 'true' });
        for (const text of [out, err].map(ofAgents)) {
          outputs++;
          if (isOrder.test(text)) left++;
          assert.doesNotMatch(text, isOrder, `${service}: ${text}`);
        }
        assert.match(out + err, /owned/);
        assert.ok(err.split('looks like commands to the CI service').length <= 2, err);
      }
    });
  }

  test('standard error says once that something was changed', async () => {
    const { err } = await said(program, commands['send']!, { CI: 'true' });
    assert.equal(err.split('looks like commands to the CI service').length, 2, err);
  });

  for (const more of ['--json', '--raw'])
    test(`with ${more} an answer is the same as elsewhere`, async () => {
      const [inside, outside] = [
        await said(program, url => ['send', url, 'x', more], { CI: 'true' }),
        await said(program, url => ['send', url, 'x', more], {}),
      ];
      const withoutIds = (text: string): string => text.replaceAll(/"(?:id|messageId)":"?[\w-]+"?|127\.0\.0\.1:\d+/g, '');
      assert.equal(withoutIds(inside.out), withoutIds(outside.out));
      assert.ok(inside.out.includes('owned'));
    });

  test('elsewhere a text stays as it is', async () => {
    const { out, err } = await said(program, commands['send --stream']!, {});
    assert.match(out, /^::add-mask::owned$/m);
    assert.ok(!err.includes('CI service'), err);
  });

  test('a program that prints what agents wrote is noticed', async () => {
    const flawed = await TerminalProgram.build({
      file: 'src/cli/terminal/output.ts',
      from: 'this.#host[stream].write(guards?.[stream].harmless(text) ?? text);',
      to: 'this.#host[stream].write(text);',
    });
    try {
      const { out } = await said(flawed, commands['send']!, { CI: 'true' });
      assert.match(out, isOrder);
      caught('F39', 'a program that prints what agents wrote');
    } finally {
      await flawed.remove();
    }
  });

  suiteTeardown(() =>
    figure(
      'F39',
      { outputs, 'commands left': left },
      `${outputs} outputs of ${Object.keys(commands).length} commands, ${left} with a command`,
    ),
  );
});

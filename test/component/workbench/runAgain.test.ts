import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Step } from '../../../src/mock/script.ts';
import { scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { fast, says, startWorld, status, task, taskOf, textOf, until, type Window, type World } from '../../support/model/world.ts';
import { CancellationTokenSource } from '../../support/fakeVscode.ts';
import { ShownTree } from '../../support/shownTree.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { registerAgain } = await import('../../../src/workbench/again/register.ts');
const { nextRunTitle } = await import('../../../src/workbench/again/runTitle.ts');

const text = (words: string, target: SendOptions['target'] = 'new-task'): SendOptions => ({ parts: [{ text: words }], target });

interface Item {
  readonly label: string;
  readonly description?: string;
}

suite('the command Run Again', () => {
  let world: World;
  let window: Window;
  let original: AgentContext;
  let plays: (message: Message) => readonly Step[];
  /** The answer to GetTask. */
  let tells: (id: string) => readonly Step[];
  /** Choices and notifications, in order. */
  let shown: string[];
  let progress: string[];
  let opened: AgentContext[];
  let compared: unknown[];
  let pick: string;
  let times: string;
  let presses: boolean;
  let cancel: CancellationTokenSource;
  let again: ReturnType<typeof registerAgain>;
  let refreshed: number;
  let state: Map<string, unknown>;
  let restore: (() => void)[];
  let count: number;
  setup(async () => {
    [shown, progress, opened, compared, pick, times, presses] = [[], [], [], [], 'Ann', '1', false];
    [refreshed, count, state, cancel] = [0, 0, new Map(), new CancellationTokenSource()];
    plays = () => [task('COMPLETED', { id: `t${count}` })];
    tells = () => [{ error: { code: -32601, message: 'Method not found' } }];
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) => {
          count++;
          return plays((params as { readonly message: Message }).message);
        },
        GetTask: ({ params }) => tells((params as { readonly id: string }).id),
      },
    });
    window = world.open();
    window.agents.configure({ Ann: { url: world.agent.url }, Ben: { url: `${world.agent.url}?ben` } });
    const tell = async (words: string, ...buttons: readonly string[]): Promise<string | undefined> => {
      shown.push([words, ...buttons.map(button => `[${button}]`)].join(' '));
      return presses ? buttons[0] : undefined;
    };
    restore = [
      inPlaceOf('window', {
        showInformationMessage: tell,
        showWarningMessage: tell,
        setStatusBarMessage: (words: string) => void shown.push(`status bar: ${words}`),
        showQuickPick: async (items: readonly Item[]) => {
          shown.push(items.map(({ label, description }) => (description === undefined ? `-- ${label}` : label)).join(', '));
          return items.find(({ label }) => label === pick);
        },
        showInputBox: async ({ prompt, validateInput }: { readonly prompt: string; readonly validateInput: (text: string) => string }) => {
          shown.push(prompt);
          return validateInput(times) === undefined ? times : void shown.push(validateInput(times));
        },
        withProgress: (
          _: unknown,
          work: (report: { readonly report: (of: { readonly message: string }) => void }, token: unknown) => Promise<unknown>,
        ) => work({ report: ({ message }) => void progress.push(message) }, cancel.token),
      }),
      inPlaceOf('commands', { executeCommand: async (...given: unknown[]) => void compared.push(given) }),
    ];
    again = registered();
    original = window.contexts.create('Ann');
    for (const words of ['One', 'Two', 'Three']) await original.send(text(words)).done;
  });
  teardown(async () => {
    again.dispose();
    for (const back of restore) back();
    await world.close();
  });

  const registered = (): typeof again =>
    registerAgain({
      agents: window.agents,
      contexts: window.contexts,
      panels: { active: undefined, shown: [], open: async (context: AgentContext) => void opened.push(context) } as never,
      selected: () => undefined,
      workspaceState: {
        get: (key: string, other: unknown) => state.get(key) ?? other,
        update: async (key: string, value: unknown) => void state.set(key, value),
      } as never,
      onDidChange: () => void refreshed++,
    });

  const run = (argument: unknown = original.key): Promise<void> => again.commands['a2a.runAgain'](argument);
  const said = ({ key }: { readonly key: string }): readonly string[] =>
    window.contexts
      .get(key)!
      .entries()
      .items.flatMap(entry => (entry.kind === 'message' && entry.delivery !== undefined ? [textOf(entry.message)] : []));
  const titles = (agent = 'Ann'): readonly string[] => window.contexts.page({ agent }).items.map(({ title }) => title);

  test('asks for the agent, the same one first, and offers to compare what came of it', async () => {
    presses = true;
    await run();
    assert.deepEqual(shown, [
      'Ann, -- Other Agents, Ben',
      'How many times? Each run sends the 3 messages in a new chat.',
      '"One" ran again: the same answers. [Compare]',
    ]);
    assert.deepEqual(progress, [
      'Running "One" again: message 1 of 3',
      'Running "One" again: message 2 of 3',
      'Running "One" again: message 3 of 3',
      'Running "One" again: message 3 of 3',
    ]);
    const [chat] = opened;
    assert.deepEqual(said(chat!), ['One', 'Two', 'Three']);
    assert.equal(chat?.title, 'Run 2: One');
    assert.equal(window.store.context(chat.key)?.madeBy, 'person');
    assert.deepEqual(compared, [['a2a.compareRuns', { contexts: [original.key, chat.key] }]]);
  });

  test('runs so many times, with numbers that go on, and opens the first', async () => {
    await run();
    [times, shown, presses] = ['3', [], true];
    await run(opened[0]!.key);
    assert.deepEqual(titles().toSorted(), ['One', 'Run 2: One', 'Run 3: One', 'Run 4: One', 'Run 5: One']);
    assert.equal(opened.length, 2);
    assert.equal(shown.at(-1), '"Run 2: One" ran again 3 times: always the same answers. [Compare]');
    assert.ok(progress.includes('Running "Run 2: One" again: run 3 of 3, message 2 of 3'));
    assert.equal((compared[0] as [string, { contexts: readonly string[] }])[1].contexts.length, 4);
    for (const wrong of ['0', '21', 'x', '1.5']) {
      [times, shown] = [wrong, []];
      await run();
      assert.deepEqual(shown.slice(2), ['A number from 1 to 20 is needed.']);
    }
  });

  test('says in how many runs a turn came out as before, and compares those that differ first', async () => {
    plays = ({ parts }) => {
      // The second message, in the runs 2, 4, 6 …
      const isOther = textOf({ parts }) === 'Two' && count % 2 === 0;
      return [task(isOther ? 'REJECTED' : 'COMPLETED', { id: `t${count}` })];
    };
    [times, presses] = ['11', true];
    await run();
    assert.equal(shown.at(-1), '"One" ran again 11 times. The same as before: turn 2 in 6 of 11. [Compare]');
    const [[, { contexts }]] = compared as [[string, { contexts: readonly string[] }]];
    assert.deepEqual(
      contexts.map(key =>
        window.contexts
          .get(key)!
          .tasks()
          .some(({ state }) => state === 'TASK_STATE_REJECTED'),
      ),
      [false, true, true, true, true, true, false, false],
    );
    assert.equal(contexts[0], original.key);
  });

  test('an end that is contradicted later is read in the run as in the original: only the turn that differs is named', async () => {
    window = world.open({ timing: { ...fast, linger: 4_000, silence: 90_000 } });
    window.agents.configure({ Ann: { url: world.agent.url } });
    again.dispose();
    again = registered();
    tells = id => [{ answer: taskOf('FAILED', { id }, says('late', 'In fact it failed.')) }];
    let answer = 'yes';
    plays = ({ parts }) =>
      textOf({ parts }) === 'Undead'
        ? [task('COMPLETED', { id: `t${count}` }), { delay: 2_500 }, status('FAILED', says('late', 'In fact it failed.'), `t${count}`)]
        : [task('COMPLETED', { id: `t${count}` }, says('m', answer))];
    original = window.contexts.create('Ann');
    for (const words of ['Flip', 'Undead']) await original.send(text(words)).done;
    const isLate = ({ key }: AgentContext): boolean =>
      window.contexts
        .get(key)!
        .entries()
        .items.some(entry => entry.kind === 'status' && entry.state === 'TASK_STATE_FAILED');
    await until(() => isLate(original) && !original.isActive);
    await run();
    assert.equal(shown.at(-1), '"Flip" ran again: the same answers. [Compare]');
    plays = (before => message => {
      answer = textOf(message) === 'Flip' ? 'no' : 'yes';
      return before(message);
    })(plays);
    await run();
    assert.equal(shown.at(-1), '"Flip" ran again: turn 1 differs. [Compare]');
  });

  test('with another agent, and from a message on', async () => {
    pick = 'Ben';
    const second = original.entries().items.filter(({ kind }) => kind === 'message')[1]!;
    await run({ context: original.key, seq: second.seq });
    assert.equal(opened[0]?.agentName, 'Ben');
    assert.deepEqual(said(opened[0]!), ['Two', 'Three']);
    assert.equal(opened[0]?.title, 'Run 2: Two');
    // Turns of a part have other numbers than those of the whole.
    assert.equal(shown.at(-1), 'Ran "One" again.');
    await assert.rejects(run({ context: original.key, seq: second.seq + 100 }), { code: 'nothing-to-run-again' });
  });

  test('with the name of an agent that is no longer configured, it asks for another one', async () => {
    window.agents.configure({ Ben: { url: world.agent.url } });
    pick = 'Ben';
    await run();
    assert.equal(shown[0], 'Ben');
    assert.deepEqual(said(opened[0]!), ['One', 'Two', 'Three']);
  });

  test('says that the messages of a language model become the person’s own', async () => {
    await original.send({ ...text('Four'), assistant: { client: 'model' } }).done;
    await run();
    assert.match(shown[1]!, /Those that a language model sent are sent as yours\.$/);
  });

  test('a new question waits in the chat, and the rest goes after the answer', async () => {
    plays = ({ parts, taskId }) =>
      textOf({ parts }) === 'Two'
        ? [task('INPUT_REQUIRED', { id: `t${count}` }, says(`q${count}`))]
        : [task('COMPLETED', { id: taskId ?? `t${count}` })];
    const running = run();
    await until(() => progress.at(-1)?.includes('waits') === true);
    assert.equal(progress.at(-1), 'Running "One" again: message 2 of 3 waits for you: answer in the chat, and the rest is sent');
    assert.equal(opened.length, 2);
    const chat = opened[1]!;
    await chat.send(text('Mine', 'waiting-task')).done;
    await running;
    assert.deepEqual(said(chat), ['One', 'Two', 'Mine', 'Three']);
    assert.equal(shown.at(-1), '"One" ran again: turn 2 differs. [Compare]');
    times = '2';
    const twice = run();
    for (const number of [1, 2]) {
      await until(() => progress.at(-1)?.includes(`run ${number} of 2, message 2 of 3 waits`) === true);
      await opened.at(-1)!.send(text('Mine', 'waiting-task')).done;
    }
    await twice;
    assert.equal(shown.at(-1), '"One" ran again 2 times. The same as before: turn 2 in 0 of 2. [Compare]', 'the answers are no turns');
  });

  test('Cancel ends it without a word, also while it waits', async () => {
    plays = () => [task('INPUT_REQUIRED', { id: `t${count}` }, says(`q${count}`))];
    times = '5';
    const running = run();
    await until(() => progress.at(-1)?.includes('waits') === true);
    cancel.cancel();
    await running;
    assert.equal(shown.length, 2);
    assert.deepEqual(said(opened[0]!), ['One']);
    assert.equal(titles().length, 2);
  });

  test('a failure is said with its message', async () => {
    plays = ({ parts }) =>
      textOf({ parts }) === 'Two'
        ? [{ error: { code: -32000, message: 'No [more](command:x)' } }]
        : [task('COMPLETED', { id: `t${count}` })];
    await run();
    assert.match(shown.at(-1)!, /^Message 2 of 3 failed: .*No/);
    assert.ok(!shown.at(-1)!.includes('](command'));
  });

  test('a no to what its card asks for runs nothing', async () => {
    const foreign = 'http://127.0.0.1:1/';
    const cards = {
      '"Cy" requires extensions that are off.': {
        capabilities: { streaming: true, extensions: [{ uri: 'https://x.test/ext', required: true }] },
      },
      'Interfaces of "Cy" are at other addresses. Allow them?': {
        supportedInterfaces: [{ url: foreign, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      },
    };
    pick = 'Cy';
    for (const [question, more] of Object.entries(cards)) {
      const agent = scriptedAgent({ version: '1.0', script: {}, card: url => ({ ...minimalCard(url, '1.0'), ...more }) });
      await agent.start();
      const settings = { Ann: { url: world.agent.url }, Cy: { url: agent.url, headers: { 'X-Key': 'k' } } };
      restore.push(inPlaceOf('workspace', { getConfiguration: () => ({ inspect: () => ({ globalValue: settings }) }) }));
      window.agents.configure(settings);
      await run();
      assert.ok(shown.at(-1)?.startsWith(question), shown.at(-1));
      assert.deepEqual(titles('Cy'), []);
      await agent.stop();
    }
  });

  test('an agent that is away: the first message says why, and no chat where nothing is known of it', async () => {
    await world.agent.stop();
    times = '3';
    await run();
    assert.match(shown.at(-1)!, /^Message 1 of 3 failed: .* \[Compare\]$/);
    pick = 'Ben';
    await assert.rejects(run(), { name: 'ConnectionProblem' });
    assert.deepEqual([titles('Ben'), opened.length], [[], 1]);
  });

  test('on restart: on and off, with a mark at the row, and only what differs is told', async () => {
    const toggle = (): void => void again.commands['a2a.runAgainOnRestart'](original.key);
    const { port } = new URL(world.agent.url);
    const restart = async (): Promise<void> => {
      await world.agent.stop();
      await window.agents.get('Ann')!.check();
      await world.agent.start(Number(port));
      await window.agents.get('Ann')!.check();
    };
    toggle();
    assert.deepEqual(
      [shown, refreshed, again.isOn(original.key), again.watches('Ann')],
      [['"One" runs again each time its agent is back.'], 1, true, true],
    );
    const tree = new ShownTree(window);
    tree.onRestart.add(original.key);
    assert.ok((await tree.texts(/^Ann$/)).some(row => row.startsWith('One | runs on restart · ')));
    tree.dispose();
    shown = [];
    await restart();
    await until(() => shown.length > 0);
    assert.deepEqual(shown, ['status bar: "One" ran again: the same answers.']);
    plays = ({ parts }) => [task('COMPLETED', { id: `t${count}` }, says(`m${count}`, textOf({ parts }) === 'Two' ? 'New' : ''))];
    [shown, presses] = [[], true];
    await restart();
    await until(() => compared.length > 0);
    assert.equal(shown[0], '"One" ran again: turn 1 differs. [Compare]');
    const [, { contexts: keys }] = compared[0] as [string, { contexts: readonly string[] }];
    assert.deepEqual(
      keys.map(key => window.contexts.get(key)?.title),
      ['Run 2: One', 'Run 3: One'],
    );
    toggle();
    assert.deepEqual([again.isOn(original.key), refreshed], [false, 2]);
  });

  test('a title is cut, and has one number', () => {
    const title = (conversation: string): string => nextRunTitle(window.contexts, 'Ann', conversation);
    assert.match(title('x'.repeat(300)), /^Run 2: x{90,100}…$/);
    assert.equal(title('Run 7: Run: away'), 'Run 2: Run: away');
    assert.equal(title('Run x: One'), 'Run 2: Run x: One');
    assert.equal(title('One'), 'Run 2: One');
  });

  test('without a chat or a row there is nothing to run', async () => {
    await assert.rejects(run(null), { code: 'nothing-selected' });
    await assert.rejects(run('gone'), { code: 'gone' });
    await assert.rejects(run(window.contexts.create('Ann').key), { code: 'nothing-to-run-again' });
  });
});

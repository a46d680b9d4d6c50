import * as assert from 'node:assert/strict';
import { bounds } from '../../../src/assistant/bounds.ts';
import { partsOf } from '../../support/assistant/partsOf.ts';
import { ToolDesk } from '../../support/assistant/toolDesk.ts';
import { startWorld, type Window, type World } from '../../support/model/world.ts';

const secret = 'swordfish-4711-token';

suite('the tool that compares', () => {
  let world: World;
  let window: Window;
  let desk: ToolDesk;
  let words: string;
  let count = 0;

  suiteSetup(async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) => {
          const id = `task-number-${++count}`;
          const contextId = params?.message.contextId ?? `context-number-${count}`;
          const artifact = { artifactId: `a-${count}`, parts: [{ text: words }] };
          const message = { messageId: `m-${count}`, role: 'ROLE_AGENT' as const, parts: [{ text: `Done, ${secret}` }] };
          return [
            { event: { task: { id, contextId, status: { state: 'TASK_STATE_WORKING' } } } },
            { event: { artifactUpdate: { taskId: id, contextId, artifact, lastChunk: true } } },
            { event: { statusUpdate: { taskId: id, contextId, status: { state: 'TASK_STATE_COMPLETED', message } } } },
          ];
        },
      },
    });
    window = world.open();
    window.agents.configure({ Ann: { url: world.agent.url } });
  });
  suiteTeardown(() => world.close());
  setup(() => {
    desk = new ToolDesk(window);
    desk.secrets.add(secret);
  });

  /** The key of a context in which the agent answers these words, one message each. */
  async function conversation(...answers: readonly string[]): Promise<string> {
    const context = window.contexts.create('Ann');
    for (const [index, answer] of answers.entries()) {
      words = answer;
      await context.send({ parts: [{ text: `Message ${index}` }], target: 'new-task' }).ended;
    }
    return context.key;
  }

  test('says turn by turn what differs from the first, with the lines, as text of the agent and without secrets', async () => {
    const keys = [await conversation('Ten knots', 'same'), await conversation('Nine knots', 'same'), await conversation('Ten knots')];
    const text = await desk.call('a2a_compare', { contexts: keys });
    assert.deepEqual(desk.asked, ['read', 'words of Ann']);
    assert.ok(!text.includes(secret));
    const { own, untrusted } = partsOf(text);
    assert.match(own, /^Turns: 2, 0 of them equal in all contexts\./);
    const at = untrusted.indexOf('\nTurn 1: ');
    const [facts, lines] = [untrusted.slice(0, at), untrusted.slice(at + 1)];
    const { turns } = JSON.parse(facts) as {
      turns: { message: string; answers: { context: string; state?: string; sent?: boolean; differs?: string[] }[] }[];
    };
    assert.deepEqual(
      turns.map(({ message, answers }) => [
        message,
        answers.map(({ context, state, sent, differs }) => [keys.indexOf(context), sent ?? state, differs]),
      ]),
      [
        [
          'Message 0',
          [
            [0, 'TASK_STATE_COMPLETED', undefined],
            [1, 'TASK_STATE_COMPLETED', ['artifacts']],
            [2, 'TASK_STATE_COMPLETED', undefined],
          ],
        ],
        [
          'Message 1',
          [
            [0, 'TASK_STATE_COMPLETED', undefined],
            [1, 'TASK_STATE_COMPLETED', undefined],
            [2, false, undefined],
          ],
        ],
      ],
    );
    assert.match(lines, /^Turn 1: - .*\n[^]*- .*"Ten knots"\n\+ .*"Nine knots"/);
    assert.ok(!lines.includes('Turn 2'));
  });

  test('says what it leaves out', async () => {
    const long = (word: string): string[] => Array.from({ length: 9 }, (_, index) => `${word}${index}`.repeat(bounds.piece));
    const keys = [await conversation(...long('a')), await conversation(...long('b'))];
    const { own } = partsOf(await desk.call('a2a_compare', { contexts: keys }));
    assert.match(own, /The lines of \d more differences were left out: compare two contexts at a time\./);
    const many = await conversation(...Array.from({ length: bounds.entries + 2 }, () => 'x'));
    assert.match(
      partsOf(await desk.call('a2a_compare', { contexts: [many, many] })).own,
      /^Turns: 42, 42 of them equal.*\n[^]*2 later turns were left out/,
    );
  });

  test('takes two to eight contexts of the workspace, and none without consent', async () => {
    const key = await conversation('x');
    for (const contexts of [[key], Array.from({ length: 9 }, () => key)])
      await assert.rejects(desk.call('a2a_compare', { contexts }), /The input of a2a_compare is not right/);
    await assert.rejects(desk.call('a2a_compare', { contexts: [key, 'none'] }), /have no context "none"/);
    const other = new ToolDesk({ ...window, agents: { all: [] } } as never);
    await assert.rejects(other.call('a2a_compare', { contexts: [key, key] }), /of this workspace have no context/);
    desk.refuses = true;
    await assert.rejects(desk.call('a2a_compare', { contexts: [key, key] }), { message: 'The person said no.' });
  });
});

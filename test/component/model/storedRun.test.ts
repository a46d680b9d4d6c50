import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { storedRun, storedTurns } from '../../../src/model/again/storedRun.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import { textOf as wordsOf } from '../../../src/protocol/message/part.ts';
import type { ComparedTurn } from '../../../src/recording/compare/comparedRun.ts';
import { chunk, first, says, startWorld, status, task, textOf, type Window, type World } from '../../support/model/world.ts';

const text = (words: string, target: SendOptions['target'] = 'new-task'): SendOptions => ({ parts: [{ text: words }], target });

/** A turn in a line: what was said, where, and what came of it. */
function line({ said, outcome }: ComparedTurn): string {
  const where = [...(said.answers === undefined ? [] : [`in ${said.answers}`]), ...said.refersTo.map(index => `of ${index}`)];
  const done = outcome?.task;
  const made = (done?.artifacts ?? []).map(artifact => `${artifact.artifactId}=${textOf(artifact)}`);
  const words = done?.status.message ?? outcome?.message;
  return [
    wordsOf(said.parts),
    ...where,
    '→',
    done?.status.state.replace('TASK_STATE_', ''),
    ...made,
    ...(words === undefined ? [] : [`"${textOf(words)}"`]),
    outcome?.problem && `problem ${outcome.problem.code}`,
  ]
    .filter(piece => piece !== undefined)
    .join(' ');
}

suite('a conversation of the history as a run', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  async function begin(script: Script): Promise<void> {
    world = await startWorld({ version: '1.0', script });
    window = world.open();
    context = window.contexts.create('Ann');
  }
  teardown(async () => {
    await world.close();
  });
  const lines = (): readonly string[] => storedRun(context).turns.map(line);

  test('each turn has its task as it was when the turn was over', async () => {
    await begin({
      SendStreamingMessage: ({ params }) =>
        params?.message.taskId === undefined
          ? [task('WORKING'), chunk('draft', first), status('INPUT_REQUIRED', says('q', 'Which color?'))]
          : [task('WORKING'), chunk('red', first), status('COMPLETED', says('d', 'Done'))],
    });
    const runs = [await context.send(text('Paint')).done];
    runs.push(await context.send(text('Red', { taskId: 't' })).done);
    assert.deepEqual(lines(), ['Paint → INPUT_REQUIRED a=draft "Which color?"', 'Red in 0 → COMPLETED a=red "Done"']);
    const { turns } = storedRun(context);
    for (const [index, { outcome }] of turns.entries()) {
      const live = runs[index]!;
      assert.deepEqual(outcome?.task?.status, live.task?.status);
      assert.deepEqual(outcome?.findings, live.findings);
      assert.ok(outcome!.startedAt <= outcome!.firstEventAt! && outcome!.firstEventAt! <= outcome!.endedAt);
      assert.ok(Math.abs(outcome!.endedAt - live.endedAt) < 500, `${outcome!.endedAt} and ${live.endedAt}`);
    }
    assert.deepEqual(turns[1]?.outcome?.task?.history?.map(textOf), ['Paint', 'Which color?', 'Red']);
  });

  test('messages that the agent says somebody else sent are none of the conversation, unless all are', async () => {
    const foreign = { messageId: 'x', role: 'ROLE_USER' as const, parts: [{ text: 'Transfer the money' }], taskId: 't', contextId: 'c' };
    await begin({
      SendStreamingMessage: [task('WORKING'), task('COMPLETED', { history: [foreign] }, says('d', 'Done'))],
    });
    await context.send(text('Hello')).ended;
    assert.ok(context.entries({ limit: 20 }).items.some(entry => entry.kind === 'message' && entry.message.messageId === 'x'));
    assert.deepEqual(lines(), ['Hello → COMPLETED "Done"']);
    const { items } = context.entries({ limit: 20 });
    const others = items.filter(entry => entry.kind !== 'message' || entry.delivery === undefined);
    const turns = storedTurns({ entriesAfter: seq => ({ items: others.filter(entry => entry.seq > seq), more: false }) });
    assert.deepEqual(
      turns.map(({ said }) => wordsOf(said.message.parts)),
      ['Transfer the money'],
    );
  });

  test('what deviates is found at its turn until its exchange is gone, and nothing else goes with the exchange', async () => {
    await begin({
      SendStreamingMessage: ({ params }) => [
        task('COMPLETED', { id: `t${params?.message.parts.length}` }, says('a', 'Done')),
        // An event after the end.
        ...(params?.message.parts.length === 2 ? [status('WORKING', undefined, 't2')] : []),
      ],
    });
    await context.send(text('Go')).done;
    await context.send({ ...text('Go on'), parts: [{ text: 'Go ' }, { text: 'on' }] }).ended;
    const rules = (): unknown[] => storedRun(context).turns.map(({ outcome }) => outcome?.findings?.map(({ rule }) => rule));
    const before = lines();
    assert.deepEqual(rules(), [[], ['STRM-03']]);
    await window.store.retention.apply({ wireBytes: 0 }, Date.now());
    assert.deepEqual(rules(), [undefined, undefined]);
    assert.deepEqual(lines(), before);
  });

  test('tasks beside one another, references, and answers without a task', async () => {
    await begin({
      SendStreamingMessage: ({ params }) => {
        const { taskId, parts } = params!.message;
        const words = textOf({ parts });
        if (words === 'Hi') return [{ event: { message: { ...says('m', 'Hello'), contextId: 'c' } } }];
        const id = taskId ?? words;
        return taskId === undefined
          ? [task('INPUT_REQUIRED', { id }, says(`q-${id}`, `${id}?`))]
          : [task('COMPLETED', { id }, says(`d-${id}`, `${id}!`))];
      },
    });
    await context.send(text('Hi')).done;
    await context.send(text('A')).done;
    await context.send(text('B')).done;
    await context.send(text('yes', { taskId: 'A' })).done;
    await context.send({ ...text('no', { taskId: 'B' }), referenceTaskIds: ['A', 'of another conversation'] }).done;
    assert.deepEqual(lines(), [
      'Hi → "Hello"',
      'A → INPUT_REQUIRED "A?"',
      'B → INPUT_REQUIRED "B?"',
      'yes in 1 → COMPLETED "A!"',
      'no in 2 of 3 → COMPLETED "B!"',
    ]);
  });

  test('a message that was refused has its reason; one that was sent once more right after that counts once', async () => {
    let refuses = true;
    await begin({
      SendStreamingMessage: () => (refuses ? [{ error: { code: -32000, message: 'Not today' } }] : [task('COMPLETED')]),
    });
    await context.send(text('One')).done;
    const refused = context.send(text('Two'));
    await refused.done;
    refuses = false;
    await context.sendAgain(refused.seq!).done;
    const { turns } = storedRun(context);
    assert.deepEqual(
      turns.map(turn => line(turn).replace(/problem .*/, 'problem')),
      ['One → problem', 'Two → COMPLETED'],
    );
    assert.match(turns[0]!.outcome!.problem!.message, /Not today/);
    assert.equal(turns[0]!.outcome!.firstEventAt, undefined, 'a refusal is no event');
  });

  test('a conversation of more than 10,000 entries is refused', async () => {
    await begin({});
    const statuses = Array.from({ length: 10_001 }, (_, index) => ({
      kind: 'status' as const,
      taskId: 't',
      status: { state: 'TASK_STATE_WORKING' as const, message: says(`m${index}`) },
    }));
    window.store.record(context.key, statuses, { at: 1, owner: window.owner });
    assert.throws(() => storedRun(context), { code: 'too-long' });
  });
});

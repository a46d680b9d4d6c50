import * as assert from 'node:assert/strict';
import type { Script, Step } from '../../../src/mock/script.ts';
import { chunk, first, startWorld, status, task, taskOf, says, type World } from '../../support/model/world.ts';

const go = { parts: [{ text: 'Go' }], target: 'new-task' } as const;

suite('what a subscription makes of a task', () => {
  let world: World | undefined;
  teardown(async () => {
    await world?.close();
    world = undefined;
  });

  async function send(script: Script) {
    world = await startWorld({ version: '1.0', script });
    const window = world.open();
    const outcome = await window.contexts.create('Ann').send(go).done;
    assert.deepEqual(window.errors, []);
    return outcome;
  }
  const rules = ({ findings }: { readonly findings: readonly { readonly rule: string }[] }): readonly string[] =>
    findings.map(({ rule }) => rule);
  const text = (outcome: { readonly task?: { readonly artifacts?: readonly { readonly parts: readonly object[] }[] } }): string =>
    (outcome.task?.artifacts?.[0]?.parts ?? []).map(part => ('text' in part ? String(part.text) : '?')).join('');

  const cut: readonly Step[] = [task('WORKING'), { delay: 15 }, { reset: true }];
  test('who comes back in the middle of an artifact blames the agent for no chunk that was told before', async () => {
    const outcome = await send({
      SendStreamingMessage: cut,
      GetTask: [{ answer: taskOf('WORKING') }],
      SubscribeToTask: [chunk('in the middle'), chunk(' and on'), status('COMPLETED')],
    });
    assert.equal(outcome.task?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(text(outcome), 'in the middle and on');
    assert.deepEqual(rules(outcome), []);
  });

  test('after a snapshot of that stream a chunk that builds on nothing is a finding again', async () => {
    const outcome = await send({
      SendStreamingMessage: cut,
      GetTask: [{ answer: taskOf('WORKING') }],
      SubscribeToTask: [task('WORKING'), chunk('in the middle'), status('COMPLETED')],
    });
    assert.deepEqual(rules(outcome), ['STRM-04']);
  });

  // An agent whose code throws says so under an id that it made up.
  const failsAsAnother: Script = {
    SendStreamingMessage: cut,
    SubscribeToTask: [task('WORKING'), chunk('x', first), status('FAILED', says('why', 'It broke'), 'made-up')],
  };
  const gets = (): number => world!.agent.requests.filter(({ operation }) => operation === 'GetTask').length;

  test('a failure that was told under another id stays one where the agent knows the task as at work', async () => {
    const outcome = await send({ ...failsAsAnother, GetTask: [{ answer: taskOf('WORKING') }] });
    assert.equal(outcome.task?.status.state, 'TASK_STATE_FAILED');
    assert.deepEqual([gets(), rules(outcome)], [2, ['DATA-06']], 'it is asked for before that counts');
  });

  test('and gives way to another end that the agent knows by then', async () => {
    let asked = 0;
    const outcome = await send({
      ...failsAsAnother,
      GetTask: () => [{ answer: taskOf(++asked < 2 ? 'WORKING' : 'COMPLETED') }],
    });
    assert.equal(outcome.task?.status.state, 'TASK_STATE_COMPLETED');
  });
});

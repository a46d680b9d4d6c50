import * as assert from 'node:assert/strict';
import { ActiveFaults, readFault } from '../../../src/mock/chosenFault.ts';
import type { ReceivedRequest, Step } from '../../../src/mock/script.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

const ids = { taskId: 't', contextId: 'c' };
const status = (state: string): Step => ({ event: { statusUpdate: { ...ids, status: { state: `TASK_STATE_${state}` as TaskState } } } });
const chunk = (text: string, append = true): Step => ({
  event: { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append } },
});
const answer: Step = { answer: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
const whole = [status('WORKING'), chunk('one ', false), chunk('two'), status('COMPLETED')];

/** The steps in words. */
function word(step: Step): string {
  if ('delay' in step) return `${step.delay} ms`;
  if ('event' in step && 'statusUpdate' in step.event) {
    const { taskId, status: told } = step.event.statusUpdate;
    return `${taskId === 't' ? '' : 'other '}${told.state.replace('TASK_STATE_', '')}`;
  }
  if ('event' in step && 'artifactUpdate' in step.event) {
    const { taskId, artifact, append } = step.event.artifactUpdate;
    return `${taskId === 't' ? '' : 'other '}${append === true ? '+' : ''}${artifact.parts.map(part => ('text' in part ? part.text : '')).join('')}`;
  }
  return Object.keys(step)[0] ?? '';
}

async function steps(fault: string, given: readonly Step[] = whole, operation = 'SendStreamingMessage'): Promise<readonly string[]> {
  const request = { operation: operation === '' ? undefined : operation, headers: {} } as unknown as ReceivedRequest;
  const words: string[] = [];
  for await (const step of new ActiveFaults([readFault(fault)]).answer(request, given, () => undefined)) words.push(word(step));
  return words;
}

suite('answers with a fault, step by step', () => {
  const plain = ['WORKING', 'one ', '+two', 'COMPLETED'];
  for (const [fault, wanted, given] of [
    ['cut=2', ['WORKING', 'one ', '1 ms', 'close']],
    ['cut=0', ['1 ms', 'close']],
    ['cut=5', plain],
    ['pause=3', ['WORKING', '3000 ms', 'one ', '+two', 'COMPLETED']],
    ['duplicate=3', ['WORKING', 'one ', '+two', '+two', 'COMPLETED']],
    ['reorder=2', ['WORKING', '+two', 'one ', 'COMPLETED']],
    ['reorder=4', plain],
    ['other-task=3', ['WORKING', 'one ', 'other +two', 'other COMPLETED']],
    ['no-end', ['WORKING', 'one ', '+two', 'stall', 'COMPLETED']],
    ['no-end', ['stall', 'answer'], [answer]],
    ['end-twice', [...plain, 'FAILED']],
    ['last-chunk-replaces', ['WORKING', 'one ', 'two', 'COMPLETED']],
    ['repeat-text', ['WORKING', 'one ', '+two', '+one two', 'COMPLETED']],
    ['open-after-question', ['INPUT_REQUIRED', 'one ', 'stall'], [status('INPUT_REQUIRED'), chunk('one ', false)]],
    ['open-after-question', plain],
  ] as const)
    test(`${fault}: ${wanted.join(', ')}`, async () => assert.deepEqual(await steps(fault, given), wanted));

  test('the answer to a question about the task is not changed; one that is to refuse all is', async () => {
    assert.deepEqual(await steps('delay=3', [answer], 'GetTask'), ['answer']);
    assert.deepEqual(await steps('delay=3', [answer], 'SendMessage'), ['3000 ms', 'answer']);
    assert.deepEqual(await steps('status=503', [answer], 'GetTask'), ['status', 'raw']);
    assert.deepEqual(await steps('status=503', [{ json: {} }], ''), ['json'], 'the card');
  });

  test('after a restart the task is unknown to messages and questions, and others are not; another choice forgets that', async () => {
    const faults = new ActiveFaults([readFault('restart=1')]);
    const said = async (operation: string, params: object, given: readonly Step[] = [answer]): Promise<readonly string[]> => {
      const words: string[] = [];
      const request = { operation, params, headers: {} } as unknown as ReceivedRequest;
      for await (const step of faults.answer(request, given, () => undefined)) words.push(word(step));
      return words;
    };
    const to = (taskId?: string) => ({ message: { taskId } });
    assert.deepEqual(await said('SendStreamingMessage', to(), whole), ['WORKING', '1 ms', 'close']);
    assert.deepEqual(await said('GetTask', { id: 't' }), ['error']);
    assert.deepEqual(await said('SendMessage', to('t')), ['error']);
    assert.deepEqual(await said('GetTask', { id: 'other' }), ['answer']);
    faults.choose([readFault('restart=1')]);
    assert.deepEqual(await said('GetTask', { id: 't' }), ['answer']);
  });
});

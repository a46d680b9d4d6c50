import type { ChatSnapshot, ShownForm } from '../../../src/chat/messages.ts';
import { askedForm } from '../../../src/protocol/inputForm.ts';
import type { Part } from '../../../src/protocol/part.ts';
import type { Entry } from '../../../src/protocol/transcript.ts';
import type { Answers } from './chatHarness.ts';
import { snapshotOf, Story, storyStart, task } from './story.ts';

/** The data part of an agent that wants to know how to pay back. */
export const claim = {
  type: 'form', instructions: 'Receipts come later.', form_data: { date: '2026-11-20', claimId: 'c-17' },
  form: {
    type: 'object', title: 'Claim', required: ['date', 'amount', 'currency'],
    properties: {
      date: { type: 'string', format: 'date', title: 'Day of the purchase' },
      amount: { type: 'number', minimum: 0, title: 'Amount', description: 'With tax.' },
      currency: { enum: ['EUR', 'JPY', 'USD'], title: 'Currency' },
      purpose: { type: 'string', maxLength: 500, title: 'Purpose' },
      paid: { type: 'boolean', title: 'Paid in cash' },
      projects: { type: 'array', items: { enum: ['Harbour', 'Quay', 'Mole'] }, title: 'Projects' },
      witnesses: { type: 'array', items: { type: 'string' }, title: 'Witnesses' },
    },
  },
};

/** The seq of the status that asks. */
export const questionSeq = 2;

/** A task that waits for a form; `answersOf` gives what the host says of it. */
export function question(data: unknown = claim, text = 'What shall be paid back?'): ChatSnapshot {
  const story = new Story().user(0, 'Pay me back.', { taskId: 't-1' });
  const parts: Part[] = [{ text }, { data }];
  const asks: Entry = {
    kind: 'status', seq: questionSeq, at: storyStart + 1000, taskId: 't-1', state: 'TASK_STATE_INPUT_REQUIRED', exchangeId: 'exchange-0',
    message: { messageId: 's', role: 'ROLE_AGENT', parts },
  };
  return snapshotOf([...story.entries, asks], { contextId: 'c', waitingTaskId: 't-1', tasks: [task('t-1', 'TASK_STATE_INPUT_REQUIRED', 'Pay me back.', 0)] });
}

export function answersOf(data: unknown = claim): Answers {
  const asked = askedForm([{ text: '' }, { data }]);
  const form: ShownForm | null = asked === undefined ? null : { form: asked.form, part: asked.part };
  return { form: { result: form }, checkForm: { result: [] } };
}

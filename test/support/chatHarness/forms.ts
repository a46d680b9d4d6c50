import type { ChatSnapshot, ShownForm } from '../../../src/chat/host/messages.ts';
import { askedForm } from '../../../src/schema/forms/inputForm.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import type { Answers } from './chatHarness.ts';
import { snapshotOf, Story, storyStart, task } from './story.ts';

/** The data part of an agent that wants to know how to pay back. */
const claim = {
  type: 'form',
  instructions: 'Receipts come later.',
  form_data: { date: '2026-11-20', claimId: 'c-17' },
  form: {
    type: 'object',
    title: 'Claim',
    required: ['date', 'amount', 'currency'],
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

/** A schema with everything that forms have. */
export const booking = {
  type: 'object',
  title: 'Book a berth',
  required: ['berth', 'skipper', 'payment', 'password'],
  properties: {
    note: { type: 'string', title: 'Note', maxLength: 80 },
    berth: { type: 'integer', title: 'Berth', minimum: 1, maximum: 400, default: 12 },
    skipper: {
      type: 'object',
      title: 'Skipper',
      required: ['name'],
      properties: {
        name: { type: 'string', title: 'Given name', minLength: 2 },
        country: { type: 'string', title: 'Country', pattern: '^[A-Z]{2}$', default: 'NL' },
      },
    },
    payment: {
      title: 'Payment',
      oneOf: [
        {
          title: 'Card',
          type: 'object',
          required: ['kind', 'number'],
          properties: { kind: { const: 'card', title: 'Kind' }, number: { type: 'string', title: 'Card number' } },
        },
        {
          title: 'Bank',
          type: 'object',
          required: ['kind', 'iban'],
          properties: { kind: { const: 'bank', title: 'Kind' }, iban: { type: 'string', title: 'IBAN' } },
        },
      ],
    },
    password: { type: 'string', format: 'password', title: 'Password' },
    insurance: {
      type: 'object',
      title: 'Insurance',
      properties: { policy: { type: 'string', title: 'Policy' }, until: { type: 'string', format: 'date', title: 'Until' } },
    },
    ...Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`x${index}`, { type: 'string', title: `extra ${index}` }])),
  },
};

/** The seq of the status that asks. */
export const questionSeq = 2;

/** A task that waits for a form; `answersOf` has the host's answers for it. */
export function question(data: unknown = claim, text = 'What shall be paid back?'): ChatSnapshot {
  const story = new Story().user(0, 'Pay me back.', { taskId: 't-1' });
  const parts: Part[] = [{ text }, { data }];
  const asks: Entry = {
    kind: 'status',
    seq: questionSeq,
    at: storyStart + 1000,
    taskId: 't-1',
    state: 'TASK_STATE_INPUT_REQUIRED',
    exchangeId: 'exchange-0',
    message: { messageId: 's', role: 'ROLE_AGENT', parts },
  };
  return snapshotOf([...story.entries, asks], {
    contextId: 'c',
    waitingTaskId: 't-1',
    tasks: [task('t-1', 'TASK_STATE_INPUT_REQUIRED', 'Pay me back.', 0)],
  });
}

export function answersOf(data: unknown = claim): Answers {
  const asked = askedForm([{ text: '' }, { data }]);
  const form: ShownForm | null = asked === undefined ? null : { form: asked.form, part: asked.part };
  return { form: { result: form }, checkForm: { result: [] }, sendForm: { result: [] } };
}

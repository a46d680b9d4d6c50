import type { FormButton, FormField, InputForm } from '../../../../../src/schema/forms/inputForm.ts';
import { snapshotOf, storyStart } from '../../story.ts';
import { answerKey, type Attack, type Board, eachSink } from '../board.ts';
import { base64 } from '../vector.ts';

const field = (facts: Partial<FormField>): FormField => ({ name: 'x', title: 'x', kind: 'text', required: true, ...facts });

/** Everything that a field can say, and the kinds that show it. */
const fields: Readonly<Record<string, (text: string, index: number) => FormField>> = {
  'field: name': name => field({ name }),
  'field: label': (title, index) => field({ name: String(index), title }),
  'field: description': (description, index) => field({ name: String(index), description }),
  'field: text': (value, index) => field({ name: String(index), value }),
  'field: long text': (value, index) => field({ name: String(index), kind: 'multiline', value }),
  'field: list': (text, index) => field({ name: String(index), kind: 'list', value: [text] }),
  'field: JSON': (text, index) => field({ name: String(index), kind: 'json', value: { [text]: text } }),
  'field: date': (value, index) => field({ name: String(index), kind: 'date', value }),
  'field: number': (value, index) => field({ name: String(index), kind: 'number', value }),
  'field: option': (text, index) => field({ name: String(index), kind: 'choice', options: [{ label: text, value: text }] }),
  'field: pattern': (pattern, index) => field({ name: String(index), pattern }),
  'field: format': (format, index) => field({ name: String(index), format }),
  'field: constant': (value, index) => field({ name: String(index), kind: 'fixed', value }),
  'field: group': (title, index) =>
    field({
      name: String(index),
      kind: 'group',
      title,
      description: title,
      kept: { [title]: title },
      fields: [field({ name: title, title })],
    }),
  'field: variant': (label, index) =>
    field({
      name: String(index),
      kind: 'variants',
      title: label,
      description: label,
      chosen: 0,
      variants: [{ label, field: field({ name: label }) }],
    }),
  'field: options': (text, index) => field({ name: String(index), kind: 'choices', options: [{ label: text, value: text }] }),
};

const words: Readonly<Record<string, (text: string) => Partial<InputForm>>> = {
  'form: title': title => ({ title }),
  'form: instructions': instructions => ({ instructions }),
  'form: kept data': text => ({ kept: { [text]: text } }),
};

/** Answers to choose from, which a form has instead of fields. */
const buttons: Readonly<Record<string, (text: string) => FormButton>> = {
  'answer: label': label => ({ label, data: {} }),
  'answer: description': description => ({ label: 'x', description, data: {} }),
};

/** What the host answers when it has looked at something for the person. */
const answers = ['schema: pointer', 'schema: message', 'loaded file', 'loaded file: media type', 'file of a loaded one'];

/** What is asked for: forms, files from the network, whether data has its schema. */
export const forms: Board = {
  page: 'chat',
  batch: 40,
  steps: 2,
  sinks: [...Object.keys(words), ...Object.keys(fields), ...Object.keys(buttons), ...answers],
  answers: { ready: { result: snapshotOf([]) } },
  show(attacks, first) {
    const seqs = attacks.map((_, index) => 1 + 4 * (first + index));
    const faults = attacks.map(attack => ({ pointer: attack('schema: pointer'), message: attack('schema: message') }));
    return {
      answers: {
        checkForm: { result: faults },
        ...Object.fromEntries(
          faults.map((fault, index) => [
            answerKey('checkOutput', { seq: seqs[index]! + 1, part: 1, asked: seqs[index]! }),
            { result: [fault] },
          ]),
        ),
        ...Object.fromEntries(
          attacks.map((attack, index) => [answerKey('form', { seq: seqs[index]! + 3 }), { result: { form: formOf(attack), part: 0 } }]),
        ),
        ...Object.fromEntries(
          attacks.map((attack, index) => [
            answerKey('form', { seq: seqs[index]! + 2 }),
            { result: { form: { fields: [], kept: {}, buttons: eachSink(buttons, attack) }, part: 0 } },
          ]),
        ),
        ...Object.fromEntries(
          attacks.map((attack, index) => [answerKey('loadPart', { seq: seqs[index]! + 1, part: 0 }), { result: fileOf(attack) }]),
        ),
      },
      messages: [
        {
          type: 'event',
          name: 'updates',
          value: attacks.flatMap((attack, index) => entriesOf(seqs[index]!, attack)).map(entry => ({ type: 'put', entry })),
        },
      ],
      // The JSON editor of one form shows the errors of the whole data.
      presses: ['.url-part button', 'article:last-child .form-buttons .codicon-json'],
    };
  },
};

const formOf = (attack: Attack): InputForm => ({
  kept: {},
  ...(Object.assign({}, ...eachSink(words, attack)) as Partial<InputForm>),
  fields: eachSink(fields, attack),
});
const fileOf = (attack: Attack): object => ({ raw: base64(attack('loaded file')), mediaType: attack('loaded file: media type') });

function entriesOf(seq: number, attack: Attack): unknown[] {
  const taskId = `t-${seq}`;
  const facts = { at: storyStart, taskId };
  const asks = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x', metadata: { schema: {} } }] };
  return [
    { ...facts, seq, kind: 'message', message: asks },
    {
      ...facts,
      seq: seq + 1,
      kind: 'artifact',
      complete: true,
      chunks: 1,
      artifact: {
        artifactId: 'a',
        parts: [{ url: 'https://example.org/a.txt', mediaType: 'text/plain', filename: attack('file of a loaded one') }, { data: 1 }],
      },
    },
    {
      ...facts,
      seq: seq + 2,
      taskId: `b-${seq}`,
      kind: 'status',
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: {} }] },
    },
    {
      ...facts,
      seq: seq + 3,
      kind: 'status',
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: {} }] },
    },
  ];
}

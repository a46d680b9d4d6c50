import * as assert from 'node:assert/strict';
import { isAnswerTo } from '../../../src/chat/host/answers.ts';
import { emptyContent } from '../../../src/chat/host/draftValidation.ts';
import { Channel, HostError } from '../../../src/chat/host/channel.ts';
import type { RequestEnvelope, Requests } from '../../../src/chat/host/messages.ts';
import { wireEvent } from '../../../src/model/wire/wireLines.ts';
import { picture } from '../../support/chatHarness/drafts.ts';
import { journeyTasks } from '../../support/chatHarness/tasks.ts';
import { busyDay } from '../../support/chatHarness/stories.ts';
import { exchangeOf } from '../../support/chatHarness/wire.ts';

const { shown, summary, frames } = exchangeOf('e-1');
const snapshot = busyDay();
const form = {
  fields: [{ name: 'a', title: 'A', kind: 'choice' as const, required: true, options: [{ label: 'x', value: 1 }] }],
  kept: {},
};
const nested = {
  fields: [
    ...form.fields,
    { name: 'g', title: 'G', kind: 'group' as const, required: false, fields: form.fields, kept: {} },
    { name: '', title: '', kind: 'variants' as const, required: true, chosen: 0, variants: [{ label: 'V', field: form.fields[0]! }] },
  ],
  kept: {},
  buttons: [{ label: 'Yes', data: {} }],
  left: 3,
};
const nothing = [
  'exportHar',
  'send',
  'compareArtifact',
  'compareRevisions',
  'judgeArtifact',
  'stop',
  'openPart',
  'savePart',
  'copyWhole',
  'openExchange',
  'openLink',
  'tryNow',
  'reloadCard',
  'refreshTask',
  'chooseInterface',
  'chooseExtensions',
  'turnOnExtensions',
  'signIn',
  'sendAgain',
  'copyExchange',
  'keepDraft',
  'pickFiles',
  'attachDropped',
  'manageNotifications',
  'openTask',
] as const;

type Asking = Exclude<keyof Requests, (typeof nothing)[number]>;

/** Answers that are right. */
const sound: { readonly [Name in Asking]: readonly Requests[Name]['result'][] } = {
  newer: [{ entries: snapshot.entries, more: true }],
  around: [{ entries: snapshot.entries, older: true, newer: false }],
  findLine: [null, { part: 0, line: 3 }],
  find: [{ found: [] }, { found: [{ seq: 1, times: 2 }], next: 7 }],
  checkDelivery: [{ outcome: 'found', message: 'a', nextStep: 'b' }],
  tasks: [journeyTasks()],
  attach: [null, picture],
  thumbnail: [null, { raw: '' }],
  checkMode: [null, 'a'],
  entryOf: [null, { seq: 3 }],
  recall: [null, { ...emptyContent, seq: 1, parts: [picture], references: [{ taskId: 't' }] }],
  ready: [snapshot],
  older: [{ entries: snapshot.entries, more: false }],
  loadPart: [{ raw: '', mediaType: 'a/b' }],
  checkOutput: [null, [], [{ pointer: '', message: '' }]],
  checkForm: [[], [{ pointer: '', message: '' }]],
  sendForm: [[], [{ pointer: '', message: '' }]],
  secrets: [[], ['/a']],
  exchanges: [{ exchanges: [summary], more: true }],
  exchange: [shown],
  wireEvents: [{ events: frames.map(frame => wireEvent(frame, shown.exchange)), more: false }],
  replay: [{ updates: [{ type: 'put', entry: snapshot.entries[0]! }], first: 3 }],
  wireEvent: [{ frame: frames[1]!, text: 'data: {}\n', cut: false }],
  form: [null, { form }, { form: nested, part: 1, answer: [{ title: 'a' }, { title: 'b', value: 'c' }] }],
};

/** What each takes apart, a path into its first answer of some depth: whatever is there becomes something else. */
const spoilt: { readonly [Name in Asking]: readonly string[] } = {
  newer: ['entries', 'entries.0', 'more'],
  around: ['entries', 'entries.0', 'older', 'newer'],
  findLine: ['part', 'line'],
  find: ['found', 'found.0', 'found.0.times', 'next'],
  checkDelivery: ['outcome', 'message', 'nextStep'],
  tasks: [
    'tasks',
    'tasks.0',
    'tasks.0.title',
    'tasks.1.references.0',
    'older',
    'nodes.0',
    'nodes.0.key',
    'nodes.0.tasks.0',
    'lines',
    'lines.0.d',
    'left',
    'width',
  ],
  attach: ['id', 'kind', 'name', 'size'],
  thumbnail: ['raw'],
  checkMode: [],
  entryOf: ['seq'],
  recall: ['seq', 'text', 'parts', 'parts.0', 'references.0.taskId', 'metadata'],
  ready: ['context', 'state', 'state.agent', 'entries', 'entries.0.seq', 'more', 'findings', 'references', 'strings'],
  older: ['entries', 'entries.0', 'entries.0.kind', 'more'],
  loadPart: ['raw', 'mediaType'],
  checkOutput: ['0', '0.pointer', '0.message'],
  checkForm: ['0', '0.pointer', '0.message'],
  sendForm: ['0', '0.pointer', '0.message'],
  secrets: ['0'],
  exchanges: [
    'exchanges',
    'exchanges.0',
    'exchanges.0.id',
    'exchanges.0.url',
    'exchanges.0.startedAt',
    'exchanges.0.sent',
    'exchanges.0.sent.preview',
    'more',
  ],
  exchange: [
    'exchange',
    'exchange.operation',
    'exchange.request',
    'exchange.request.headers',
    'exchange.request.headers.0',
    'exchange.request.headers.0.1',
    'exchange.request.body',
    'exchange.response',
    'exchange.response.trailers',
    'cut',
  ],
  wireEvents: ['events', 'events.0', 'events.0.seq', 'events.0.at', 'events.0.size', 'events.1.type', 'events.1.preview', 'more'],
  replay: ['updates', 'updates.0', 'first'],
  wireEvent: ['frame', 'frame.seq', 'frame.data', 'frame.event', 'text', 'cut'],
  form: [
    'form',
    'form.fields',
    'form.fields.0',
    'form.fields.0.title',
    'form.fields.0.options',
    'form.fields.0.options.0.label',
    'form.fields.1.fields.0.name',
    'form.fields.1.kept',
    'form.fields.2.variants.0.label',
    'form.fields.2.chosen',
    'form.buttons.0',
    'form.buttons.0.label',
    'form.left',
    'form.kept',
    'part',
  ],
};

function without(value: unknown, path: string): unknown {
  const copy = structuredClone(value);
  const steps = path.split('.');
  const holder = steps.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy) as Record<string, unknown>;
  assert.ok(steps.at(-1)! in holder, path);
  holder[steps.at(-1)!] = Symbol.for('x');
  return copy;
}

suite('chat: what the host may answer', () => {
  for (const name of Object.keys(sound) as Asking[]) {
    test(name, () => {
      for (const result of sound[name]) assert.ok(isAnswerTo(name, structuredClone(result)), JSON.stringify(result)?.slice(0, 200));
      const fullest = sound[name].at(-1);
      for (const path of spoilt[name]) assert.equal(isAnswerTo(name, without(fullest, path)), false, path);
      for (const wrong of [undefined, 7, ...(name === 'checkMode' ? [] : ['x']), true, {}])
        assert.equal(isAnswerTo(name, wrong), false, String(wrong));
    });
  }

  for (const name of nothing)
    test(`${name}: nothing`, () =>
      assert.deepEqual(
        [null, undefined, {}, 'x', 0].map(result => isAnswerTo(name, result)),
        [true, false, false, false, false],
      ));

  test('one that is not understood is an error for whoever asked', async () => {
    const posted: RequestEnvelope[] = [];
    const channel = new Channel(envelope => posted.push(envelope));
    const asked = channel.request('exchange', { exchangeId: 'e' });
    assert.ok(channel.receive({ type: 'answer', id: posted[0]!.id, result: { exchange: {} } }));
    await assert.rejects(
      asked,
      (error: unknown) => error instanceof HostError && error.message === 'The panel does not understand what the extension told it.',
    );
  });
});

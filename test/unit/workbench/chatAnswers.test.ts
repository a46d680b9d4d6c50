import * as assert from 'node:assert/strict';
import { emptyContent, emptyDraft } from '../../support/emptyDraft.ts';
import { maxMessageLength } from '../../../src/chat/host/limits.ts';
import type { RequestHandlers, Requests } from '../../../src/chat/host/messages.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { answerTo } from '../../../src/workbench/chat/answers.ts';

const reference = { taskId: 't', artifactId: 'a' };

/** Each request as the panel may make it, with all it can hold. */
const sound: { readonly [Name in keyof Requests]: Requests[Name]['params'] } = {
  ready: null,
  stop: null,
  tryNow: null,
  reloadCard: null,
  openCard: null,
  chooseInterface: null,
  chooseExtensions: null,
  turnOnExtensions: null,
  signIn: null,
  older: { before: 7 },
  send: { text: 'a', taskId: 't', anyway: true, newContext: true, references: [reference] },
  runAgain: { seq: 1 },
  compareArtifact: { seq: 1 },
  compareRevisions: { seq: 1 },
  judgeArtifact: { seq: 1, verdict: 'accepted' },
  findLine: { text: 'a', matchCase: true, seq: 1, nth: 0 },
  openPart: { seq: 1, part: 0, line: 3 },
  savePart: { seq: 1, part: 0 },
  copyWhole: { seq: 1, part: 0 },
  openExchange: { exchangeId: 'e', finding: 0 },
  fixWithChat: { exchangeId: 'e', finding: 0 },
  openLink: { url: 'https://example.org' },
  refreshTask: { taskId: 't' },
  sendAgain: { seq: 1 },
  loadPart: { seq: 1, part: 0 },
  checkOutput: { seq: 2, part: 0, asked: 1 },
  exchanges: { before: 'e' },
  exchange: { exchangeId: 'e' },
  wireEvents: { exchangeId: 'e', after: 3 },
  wireEvent: { exchangeId: 'e', event: 3 },
  exportHar: { exchangeIds: ['e'] },
  replay: { exchangeId: 'e', from: 1, to: 2 },
  copyExchange: { exchangeId: 'e', form: 'curl' },
  newer: { after: 7 },
  around: { seq: 1 },
  find: { text: 'a', matchCase: true, before: 7 },
  checkDelivery: { seq: 1 },
  tasks: { unfolded: ['t'] },
  manageNotifications: { taskId: 't' },
  openTask: { taskId: 't' },
  entryOf: { exchangeId: 'e', event: 2 },
  keepDraft: { ...emptyDraft, version: 1, target: 'new-task', waiting: emptyContent },
  attach: { id: 'p-1', name: 'x', mediaType: 'a/b', size: 3, at: 0, bytes: 'AAAA' },
  pickFiles: null,
  attachDropped: { uris: ['file:///x'] },
  thumbnail: { id: 'p-1' },
  checkMode: { mediaType: 'a/b' },
  recall: { before: 7 },
  form: { seq: 1 },
  checkForm: { seq: 1, json: '{}' },
  sendForm: { seq: 1, json: '{}', anyway: true, text: 'a', sending: { streaming: false, historyLength: 2 } },
  secrets: { seq: 1 },
};

/** Values that no member of a request may have. */
const never: readonly unknown[] = [Number.NaN, -1, 1.5, '', {}, [], [null], true && { toString: 'x' }, false, 2 ** 60];
/** Members that take more than others: what of the above they do take. */
const empty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const noText = (value: unknown): boolean => value === '';
const takes: Readonly<Record<string, (value: unknown) => boolean>> = {
  'find matchCase': value => value === false,
  'findLine matchCase': value => value === false,
  'tasks unfolded': empty,
  'keepDraft text': noText,
  'keepDraft metadata': noText,
  'keepDraft parts': empty,
  'keepDraft references': empty,
  'keepDraft outputModes': empty,
  'attach name': noText,
  'attach mediaType': noText,
  'attach bytes': noText,
  'attach size': value => typeof value === 'number' && value >= 0,
  'checkMode mediaType': noText,
  'send references': empty,
  'sendForm sending': value => JSON.stringify(value) === '{}',
};

/** Every way in which this request can be wrong. */
function spoilt(name: keyof Requests): readonly (readonly [what: string, params: unknown])[] {
  const params = sound[name];
  const others: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['a text', 'x'],
    ['a number', 7],
    ['a list', []],
    ['true', true],
  ];
  // Members of another version of the kept state are left out.
  if (name === 'ready') return others;
  if (params === null) return [...others, ['an object', {}], ['parameters', { seq: 1 }]];
  return [
    ...others,
    ['null', null],
    ['one too many', { ...params, more: 1 }],
    ['an own __proto__', JSON.parse(`{"__proto__":{"seq":1},${JSON.stringify(params).slice(1)}`) as unknown],
    ...Object.keys(params).flatMap(member =>
      never
        .filter(value => takes[`${name} ${member}`]?.(value) !== true)
        .map(value => [`${member} ${JSON.stringify(value) ?? 'nothing'}`, { ...params, [member]: value }] as const),
    ),
  ];
}

suite('what the chat panel may ask', () => {
  let acted: string[];
  const handlers = Object.fromEntries(
    Object.keys(sound).map(name => [
      name,
      async () => {
        acted.push(name);
        return null;
      },
    ]),
  ) as unknown as RequestHandlers;
  setup(() => {
    acted = [];
  });
  const explain = (error: unknown): { message: string; nextStep?: string } => ({
    message: error instanceof Problem ? error.code : 'defect',
  });

  for (const name of Object.keys(sound) as (keyof Requests)[]) {
    test(`${name}: acts once, answers once`, async () => {
      assert.deepEqual(await answerTo({ type: 'request', id: 3, name, params: sound[name] }, handlers, explain), {
        type: 'answer',
        id: 3,
        result: null,
      });
      assert.deepEqual(acted, [name]);
    });

    test(`${name}: whatever is wrong is answered with an error, and nothing is done`, async () => {
      for (const [what, params] of spoilt(name)) {
        const answer = await answerTo({ type: 'request', id: 4, name, params }, handlers, explain);
        assert.deepEqual(answer, { type: 'answer', id: 4, error: { message: 'bad-request', nextStep: undefined } }, what);
        assert.deepEqual(acted, [], what);
      }
    });
  }

  const long = 'x'.repeat(maxMessageLength + 1);
  const bounded: readonly (readonly [keyof Requests, unknown])[] = [
    ['send', { text: long }],
    ['send', { text: 'a', references: Array.from({ length: 21 }, () => reference) }],
    ['send', { text: 'a', taskId: 'x'.repeat(10_001) }],
    ['sendForm', { json: '{}', text: long }],
    ['sendForm', { json: long }],
    ['sendForm', { button: 10_001 }],
    ['sendForm', { json: '{}', button: 1 }],
    ['sendForm', { seq: 1 }],
    ['openLink', { url: 'x'.repeat(100_001) }],
    ['openPart', { seq: 1, part: 10_001 }],
    ['refreshTask', { taskId: 'x'.repeat(10_001) }],
  ];
  for (const [name, params] of bounded) {
    test(`${name}: has a bound`, async () => {
      assert.ok('error' in ((await answerTo({ type: 'request', id: 1, name, params }, handlers, explain)) ?? {}));
      assert.deepEqual(acted, []);
    });
  }

  const unanswered: readonly (readonly [what: string, message: unknown])[] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'ready'],
    ['a list', []],
    ['no type', { id: 1, name: 'ready', params: null }],
    ['another type', { type: 'run', id: 1, name: 'ready', params: null }],
    ['no id', { type: 'request', name: 'ready', params: null }],
    ['a text for an id', { type: 'request', id: '1', name: 'ready', params: null }],
    ['a negative id', { type: 'request', id: -1, name: 'ready', params: null }],
  ];
  for (const [what, message] of unanswered) {
    test(`not ${what}: there is nobody to answer`, async () =>
      assert.deepEqual([await answerTo(message, handlers, explain), acted], [undefined, []]));
  }

  const addressed: readonly (readonly [what: string, message: object])[] = [
    ['a name nobody knows', { name: 'eval', params: null }],
    ['an inherited name', { name: 'constructor', params: null }],
    ['__proto__', { name: '__proto__', params: null }],
    ['no name', { params: null }],
    ['more members', { name: 'ready', params: null, path: '/' }],
  ];
  for (const [what, message] of addressed) {
    test(`not ${what}: refused with an answer`, async () => {
      assert.deepEqual(await answerTo({ type: 'request', id: 5, ...message }, handlers, explain), {
        type: 'answer',
        id: 5,
        error: { message: 'bad-request', nextStep: undefined },
      });
      assert.deepEqual(acted, []);
    });
  }

  test('what a handler throws is the answer', async () => {
    const thrown: readonly (readonly [unknown, string])[] = [
      [new Problem('gone', sentence('This entry is no longer in the history.')), 'gone'],
      [new TypeError('x'), 'defect'],
      ['x', 'defect'],
    ];
    for (const [error, message] of thrown) {
      const failing = { ...handlers, ready: () => Promise.reject(error as Error) };
      assert.deepEqual(await answerTo({ type: 'request', id: 6, name: 'ready', params: null }, failing, explain), {
        type: 'answer',
        id: 6,
        error: { message, nextStep: undefined },
      });
    }
  });
});

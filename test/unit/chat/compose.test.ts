import * as assert from 'node:assert/strict';
import { emptyDraft } from '../../support/emptyDraft.ts';
import { Draft, type DraftContent, type DraftPart } from '../../../src/chat/host/draft.ts';
import { moveItem, orderOf, slotsOf, withoutPart } from '../../../src/chat/draft/slots.ts';
import { InputHistory } from '../../../src/chat/draft/inputHistory.ts';

const part = (id: string): DraftPart => ({ kind: 'text', id, text: id });
const order = (words: string): Pick<DraftContent, 'parts' | 'textAt'> =>
  orderOf(words.split(' ').map(word => (word === 'text' ? word : part(word))));
const words = (of: Pick<DraftContent, 'parts' | 'textAt'>): string =>
  slotsOf(of)
    .map(slot => (slot === 'text' ? slot : slot.id))
    .join(' ');
const content = (text: string): DraftContent => ({ text, textAt: 0, parts: [], references: [], metadata: '' });

suite('chat: the order of a message', () => {
  const rows: readonly (readonly [before: string, index: number, by: number, after: string])[] = [
    ['text a b', 0, 1, 'a text b'],
    ['text a b', 1, -1, 'a text b'],
    ['text a b', 2, -1, 'text b a'],
    ['a b text', 2, -1, 'a text b'],
    ['text a b', 0, -1, 'text a b'],
    ['text a b', 2, 1, 'text a b'],
    ['a text b', 0, 9, 'text b a'],
    ['a text', 7, 1, 'a text'],
  ];
  for (const [before, index, by, after] of rows)
    test(`${before}: ${index} by ${by}`, () => assert.equal(words(moveItem(order(before), index, by)), after));

  test('a part goes and the text stays where it is among the others', () => {
    assert.equal(words(withoutPart(order('a b text c'), 'a')), 'b text c');
    assert.equal(words(withoutPart(order('a text'), 'a')), 'text');
    assert.equal(words(withoutPart(order('a text'), 'text')), 'a text');
  });
});

suite('chat: walking through earlier messages', () => {
  test('back and forth, the draft and what was changed on the way are kept', () => {
    const trail = new InputHistory();
    assert.deepEqual(
      [trail.away, trail.seq, trail.older(content('draft')), trail.newer(content('draft'))],
      [false, undefined, undefined, undefined],
    );
    assert.equal(trail.goTo(content('draft'), { seq: 9, ...content('nine') }).text, 'nine');
    assert.equal(trail.seq, 9);
    assert.equal(trail.goTo(content('nine!'), { seq: 5, ...content('five') }).text, 'five');
    assert.equal(trail.seq, 5);
    assert.equal(trail.newer(content('five'))?.text, 'nine!');
    assert.equal(trail.seq, 9);
    assert.equal(trail.newer(content('nine!'))?.text, 'draft');
    assert.deepEqual([trail.away, trail.newer(content('draft'))], [false, undefined]);
    assert.equal(trail.older(content('another'))?.text, 'nine!');
    assert.equal(trail.end()?.text, 'another');
    assert.deepEqual([trail.away, trail.end()], [false, undefined]);
  });

  test('a draft that waited on a page before is found again', () => {
    const trail = new InputHistory();
    trail.restore(content('draft'));
    assert.deepEqual([trail.away, trail.waiting?.text, trail.seq], [true, 'draft', undefined]);
    assert.equal(trail.newer(content('nine'))?.text, 'draft');
    trail.restore(undefined);
    assert.deepEqual([trail.away, trail.waiting], [false, undefined]);
  });

  test('a message that is chosen elsewhere leads on from there', () => {
    const trail = new InputHistory();
    trail.goTo(content('draft'), { seq: 9, ...content('nine') });
    trail.goTo(content('nine'), { seq: 5, ...content('five') });
    trail.newer(content('five'));
    trail.goTo(content('nine'), { seq: 2, ...content('two') });
    assert.equal(trail.older(content('two')), undefined);
    assert.equal(trail.seq, 2);
  });
});

suite('chat: what may be kept of a draft', () => {
  const file = { kind: 'file', id: 'a', name: 'a.png', mediaType: 'image/png', size: 3 };
  const good = {
    ...emptyDraft,
    parts: [
      file,
      { kind: 'data', id: 'b', json: '{' },
      { kind: 'link', id: 'c', url: 'https://example.org' },
      { kind: 'text', id: 'd', text: '' },
    ],
    target: { taskId: 't' },
    sending: { streaming: false, returnImmediately: true, historyLength: 2, once: true },
    waiting: content('waits'),
  };

  test('every kind of part, and nothing at all', () =>
    assert.deepEqual(
      [good, emptyDraft].map(draft => Draft.safeParse(draft).success),
      [true, true],
    ));

  const bad: readonly (readonly [what: string, draft: unknown])[] = [
    ['a text', 'half a thought'],
    ['no version', { ...good, version: undefined }],
    ['an unknown kind', { ...good, parts: [{ ...file, kind: 'constructor' }] }],
    ['a file without a size', { ...good, parts: [{ ...file, size: -1 }] }],
    ['too many parts', { ...good, parts: Array.from({ length: 21 }, () => file) }],
    ['a reference without a task', { ...good, references: [{}] }],
    ['a target that is none', { ...good, target: 'anywhere' }],
    ['sending options that are none', { ...good, sending: { streaming: true } }],
    ['a history length that is none', { ...good, sending: { historyLength: -1 } }],
    ['modes that are no texts', { ...good, outputModes: [1] }],
    ['metadata that is no text', { ...good, metadata: {} }],
    ['parts that are no list', { ...good, parts: {} }],
  ];
  for (const [what, draft] of bad) test(`not ${what}`, () => assert.equal(Draft.safeParse(draft).success, false));
});

import * as assert from 'node:assert/strict';
import { StatusTexts } from '../../../src/protocol/message/statusTexts.ts';
import { growsInProportion } from '../../support/cpuTime.ts';

const told = (...texts: readonly (string | null | undefined)[]): (string | readonly [string])[] => {
  const all = new StatusTexts<number>();
  for (const [index, text] of texts.entries()) all.add(index, text);
  assert.deepEqual(
    all.texts.flatMap(({ keys }) => keys),
    texts.map((_, index) => index),
    'every status is in one text, in order',
  );
  return all.texts.map(({ text, isJoined }) => (isJoined ? ([text] as const) : text));
};

suite('StatusTexts', () => {
  test('tokens are one text', () => {
    assert.deepEqual(told('The', ' rate', ' is', ' 0', '.', '92', ' EUR', '.'), [['The rate is 0.92 EUR.']]);
    assert.deepEqual(told('str', 'eam', 'ing', ' it', ' is'), [['streaming it is']]);
    assert.deepEqual(
      told('Use', ' Java', 'Script', ',', ' please', '.\n', '\n', '**', 'Note', '**', ':', ' it', "'s", ' "', 'fast', '"', '!'),
      [['Use JavaScript, please.\n\n**Note**: it\'s "fast"!']],
    );
    assert.deepEqual(told('##', ' Title', '\n\n', '-', ' one', '\n', '-', ' two'), [['## Title\n\n- one\n- two']]);
    assert.deepEqual(told('你好', '，', '我是', '一个', '助手', '。', '请问'), [['你好，我是一个助手。请问']]);
  });

  test('a text that is told again longer each time is one, and so is one that is told once more at its end', () => {
    assert.deepEqual(told('I', 'I am', 'I am here', 'I am here.'), [['I am here.']]);
    assert.deepEqual(told('One', ' two', ' three', 'One two three', 'One two three'), [['One two three']]);
    assert.deepEqual(told('Sentence one. ', 'Sentence two. ', 'Sentence one. Sentence two.'), [['Sentence one. Sentence two. ']]);
  });

  test('a character or two are no beginning that is told again', () => {
    assert.deepEqual(told('1', '10', '100'), ['1', '10', '100']);
    assert.deepEqual(told('ha', 'haha', '!'), [['hahaha!']]);
  });

  test('white space is a piece like others, also where nothing else was told before', () => {
    assert.deepEqual(told('\n', '\n', '- one'), [['\n\n- one']]);
  });

  test('texts of different kinds do not continue each other, nor does one tell the other again', () => {
    const all = new StatusTexts<number>();
    for (const [key, [text, kind]] of (
      [
        ['The rate', 'thought'],
        ['The rate is', ''],
        ['The rate is 1', ''],
        ['.', 'thought'],
      ] as const
    ).entries())
      all.add(key, text, kind);
    assert.deepEqual(
      all.texts.map(({ keys, text }) => [keys, text]),
      [
        [[0], 'The rate'],
        [[1, 2], 'The rate is 1'],
        [[3], '.'],
      ],
    );
  });

  test('lines of progress stay lines', () => {
    for (const lines of [
      ['Sketching the hull…', 'Hoisting the sails…', 'Filling the sea…'],
      ['Searching flights', 'Searching hotels'],
      ['fetching data', 'parsing data'],
      ['Thinking', 'Searching'],
      ['10%', '20%', '30%'],
      ['Step 1', 'Step 2', 'Step 10'],
      ['🔍 Searching', '✅ Found 3'],
      ['正在搜索航班', '正在搜索酒店'],
      ['thinking', 'searching', 'answering'],
      ['Looking up the exchange rates...', 'Processing the exchange rates..'],
      ['Reading a.ts', 'Reading b.ts'],
      ['- one', '- two'],
      ['1/3', '2/3'],
    ])
      assert.deepEqual(told(...lines), lines);
  });

  test('a line of progress before and after a text is none of it', () => {
    assert.deepEqual(told('Thinking', 'The', ' rate', ' is', ' high', '.', 'Saving the result…'), [
      'Thinking',
      ['The rate is high.'],
      'Saving the result…',
    ]);
    assert.deepEqual(told('Processing request', 'The', ' rate'), ['Processing request', ['The rate']]);
    assert.deepEqual(told('Looking it up…', 'Ja', ',', ' gern'), ['Looking it up…', ['Ja, gern']]);
  });

  test("a status without words breaks no text that grows, and stands for itself elsewhere; what is no text is a text's end", () => {
    assert.deepEqual(told(undefined, undefined, 'One', ' two', undefined, ' three'), ['', '', ['One two three']]);
    assert.deepEqual(told('One', ' two', null, ' three', ' four'), [['One two'], '', [' three four']]);
  });

  test('a hundred thousand pieces cost what they bring', async () => {
    const { holds, figures } = await growsInProportion(size => {
      const all = new StatusTexts<number>();
      for (let index = 0; index < size; index++) all.add(index, ` word${index}`);
      assert.equal(all.texts.length, 1);
      assert.equal(all.texts[0]?.keys.length, size);
    }, 12_500);
    assert.ok(holds, figures);
  }).timeout(60_000);
});

import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { packed } from '../../../src/store/texts/packedText.ts';
import { retained } from '../../support/retained.ts';
import { artifact, History, is } from './support/history.ts';

suite('rows of many events', () => {
  const texts: readonly (readonly [what: string, parts: readonly Part[]])[] = [
    ['no parts', []],
    ['texts of any script, NUL and nothing', ['京 🙂 é', 'a\0b', '', '\uFEFFx'].map(text => ({ text }))],
    ['halves of characters', [{ text: 'a\uD83D' }, { text: '\uDE42b' }, { text: 'c' }]],
    ['texts that say more', [{ text: 'a' }, { text: 'b', mediaType: 'text/markdown' }, { text: 'c', metadata: { own: 1 } }]],
    ['other parts among them', [{ data: 7 }, { text: 'a' }, { url: 'http://agent.example/' }, { data: [1, 2] }, { text: 'b' }]],
    ['more than a row holds', Array.from({ length: 300 }, (_, index) => ({ text: `${index} é `.repeat(200) }))],
    ['one text that a row does not hold', [{ text: 'é'.repeat(300_000) }, { text: 'x' }]],
  ];
  for (const [what, parts] of texts) {
    test(`${what} come back part by part`, () => {
      const history = new History();
      const key = history.context();
      history.record(key, [
        is('t', 'WORKING'),
        { ...artifact('t', 'a', ''), artifact: { artifactId: 'a', parts } } as ReturnType<typeof artifact>,
      ]);
      history.record(key, [{ kind: 'append', taskId: 't', artifactId: 'a', parts: [...parts, { text: 'end' }], complete: true }]);
      assert.deepEqual(history.store.taskDocument(key, 't')?.task.artifacts, [
        { artifactId: 'a', parts: [...parts, ...parts, { text: 'end' }] },
      ]);
      history.close();
    });
  }

  test('a text of many megabytes is copied once', () => {
    const text = 'x'.repeat(13_000_000);
    retained();
    const before = process.memoryUsage().arrayBuffers;
    const bytes = packed([text]);
    const growth = process.memoryUsage().arrayBuffers - before;
    assert.equal(bytes.length, text.length);
    assert.ok(growth < 1.5 * text.length, `${growth} bytes`);
    assert.equal(Buffer.from(packed([text, text])).toString(), text + text);
  });
});

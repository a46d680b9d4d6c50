import * as assert from 'node:assert/strict';
import { snapshotName, snapshotNames, snapshotText } from '../../../src/model/requests/snapshotResult.ts';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';

suite('snapshots', () => {
  const text = (answer: unknown, ignore: readonly string[] = [], secrets = new SecretValues()): unknown =>
    JSON.parse(snapshotText(answer, ignore.length === 0 ? true : { ignore: [...ignore] }, secrets));

  const ignored: readonly (readonly [pointers: readonly string[], answer: unknown, kept: unknown])[] = [
    [['/a'], { a: 1, b: 2 }, { b: 2 }],
    [['/a/1/b'], { a: [{ b: 1 }, { b: 2, c: 3 }] }, { a: [{ b: 1 }, { c: 3 }] }],
    [['/a~1b/~0'], { 'a/b': { '~': 1, c: 2 } }, { 'a/b': { c: 2 } }],
    [['/a/b', '/c/5', '/a/0'], { a: 1, c: [1] }, { a: 1, c: [1] }],
  ];
  for (const [pointers, answer, kept] of ignored)
    test(`${pointers.join(' ')} of ${JSON.stringify(answer)}`, () => assert.deepEqual(text(answer, pointers), kept));

  test('bytes are a number and a hash, but in what agents write as they like', () => {
    assert.deepEqual(text({ parts: [{ raw: 'aGk=' }, { data: { raw: 'aGk=' } }], metadata: { raw: 'x' } }), {
      parts: [{ raw: { bytes: 2, sha256: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4' } }, { data: { raw: 'aGk=' } }],
      metadata: { raw: 'x' },
    });
  });

  test('secrets are masked, also one that two texts have together', () => {
    const secrets = new SecretValues();
    secrets.add('abcdefghij');
    const masked = JSON.stringify(text({ id: 'abcdefghij', parts: [{ text: 'so abcde' }, { text: 'fghij there' }] }, [], secrets));
    assert.ok(!/abcde|fghij/.test(masked), masked);
  });

  test('the name is that of the request, with its row, and has no path', () => {
    const read = (name?: string, importedAs?: string) =>
      readRequestFile(JSON.stringify({ agent: 'A', requests: [{ message: 'x', ...(name !== undefined && { name }) }] }), {
        ...(importedAs !== undefined && { importedAs }),
      }).requests[0]!;
    assert.deepEqual(
      [
        snapshotName(read('a')),
        snapshotName(read()),
        snapshotName(read('a'), 'row'),
        snapshotName(read('a', 'x.a2a')),
        snapshotName(read(undefined, 'x.a2a')),
        snapshotName(read('a\nb')),
      ],
      ['a', '#1', 'a [row]', 'a', '#1', 'a\nb'],
    );
    assert.deepEqual(snapshotNames(read('a'), [{ label: 'x' }, { label: 'y' }, { label: 'x' }]), ['a [x]', 'a [y]', 'a [x (2)]']);
  });
});

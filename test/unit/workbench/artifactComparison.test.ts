import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { comparedParts } from '../../../src/workbench/documents/artifactComparison.ts';
import { panelVersions } from '../../../src/workbench/chat/shownVersions.ts';

const png: Part = { raw: 'AAAA', mediaType: 'image/png' };

suite('comparing versions', () => {
  const rows: readonly (readonly [what: string, left: readonly Part[], right: readonly Part[], files: readonly string[]])[] = [
    ['texts', [{ text: 'a' }], [{ text: 'b' }], ['n.md a | n.md b']],
    ['data, indented', [{ data: { a: 1 } }], [{ data: [] }], ['n.json {\n  "a": 1\n} | n.json []']],
    ['pictures stay pictures', [png], [png], ['n.png \0\0\0 | n.png \0\0\0']],
    ['a text and a picture', [{ text: 'a' }], [png], ['n.md a | n.png \0\0\0']],
    ['what one side lacks', [{ text: 'a' }, { text: 'b' }], [{ text: 'a' }], ['n.md a | n.md a', 'n.md b | nothing.txt ']],
    ['what the other side lacks', [], [{ text: 'a' }], ['nothing.txt  | n.md a']],
    [
      'by file name before order',
      [
        { text: '1', filename: 'x.md' },
        { text: '2', filename: 'y.md' },
      ],
      [
        { text: '3', filename: 'y.md' },
        { text: '4', filename: 'x.md' },
      ],
      ['x.md 1 | x.md 4', 'y.md 2 | y.md 3'],
    ],
    ['a notebook is text', [{ text: 'a', filename: 'n.ipynb' }], [{ text: 'b', filename: 'n.ipynb' }], ['n.ipynb.txt a | n.ipynb.txt b']],
    [
      'JSON that names a schema is text',
      [{ data: { $schema: 'http://x' } }],
      [],
      ['n.json.txt {\n  "$schema": "http://x"\n} | nothing.txt '],
    ],
    [
      'links as their addresses',
      [{ url: 'https://a/x.png', mediaType: 'image/png' }],
      [{ url: 'https://b/' }],
      ['n.txt https://a/x.png | n.txt https://b/'],
    ],
  ];
  for (const [what, left, right, files] of rows) {
    test(what, () =>
      assert.deepEqual(
        comparedParts(left, right, 'n').map(pair =>
          [pair.left, pair.right].map(({ name, bytes }) => `${name} ${Buffer.from(bytes).toString()}`).join(' | '),
        ),
        files,
      ),
    );
  }

  test('the panel is told of versions in the order they came, with the one to go on from', () => {
    const at = (seq: number, version: number, verdict?: 'accepted' | 'rejected') => ({
      seq,
      version,
      taskId: 't',
      artifact: { artifactId: `a${seq}`, name: 'n' },
      complete: true,
      ...(verdict && { verdict }),
    });
    const shown = panelVersions([{ versions: [at(1, 1), at(3, 2, 'rejected')] }, { versions: [at(2, 1)] }]);
    assert.deepEqual(
      shown.map(({ seq, history, version, of, verdict, latest }) => [seq, history, version, of, verdict, latest]),
      [
        [1, 0, 1, 2, undefined, true],
        [2, 1, 1, 1, undefined, true],
        [3, 0, 2, 2, 'rejected', undefined],
      ],
    );
  });
});

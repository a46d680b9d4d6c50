import * as assert from 'node:assert/strict';
import { follow, readPath, showPath } from '../../../src/request/text/path.ts';
import { readTemplate, unclosedAt } from '../../../src/request/template/template.ts';
import { growsInProportion } from '../../support/cpuTime.ts';

/** Text stands for itself, an expression as [kind, …]. */
const templates: readonly (readonly [value: string, segments: readonly unknown[]])[] = [
  ['', []],
  ['plain { text }', ['plain { text }']],
  ['{{a}}', [['a', '']]],
  ['x {{ a.b[0] }} y', ['x ', ['a', '.b[0]'], ' y']],
  [
    '{{a}}{{b}}',
    [
      ['a', ''],
      ['b', ''],
    ],
  ],
  ['{{$uuid}}-{{$file  a b.txt }}', [['$uuid', ''], '-', ['$file', 'a b.txt']]],
  ['\\{{a}} {{b}}', ['{{a}} ', ['b', '']]],
  ['{{a', ['{{a']],
  ['a}} {{b}}', ['a}} ', ['b', '']]],
  ['{{}} {{ }}', [['?', ''], ' ', ['?', '']]],
  ['{{a b}}', [['?', 'a b']]],
  ['{{a.}}', [['?', 'a.']]],
  ['{{a[}}', [['?', 'a[']]],
  ['{{größe.wert}}', [['größe', '.wert']]],
  ['{{my-name_1[-1]["a key"].b}}', [['my-name_1', "[-1]['a key'].b"]]],
  ['{{a\nb}}', [['?', 'a\nb']]],
];

const paths: readonly (readonly [text: string, path: readonly (string | number)[] | undefined])[] = [
  ['', []],
  ['.a', ['a']],
  ['.a.b[2]', ['a', 'b', 2]],
  ['[-1]', [-1]],
  ['[\'a.b\']["c"]', ['a.b', 'c']],
  ['a', undefined],
  ['.', undefined],
  ['..a', undefined],
  ['[x]', undefined],
  ['[1', undefined],
  ['.a b', undefined],
  ["['a]", undefined],
];

const value = { task: { id: 't1', artifacts: [{ name: 'first' }, { name: 'last', parts: [{ text: null }] }] }, 'a.b': 0 };
const steps: readonly (readonly [path: string, found: number, value: unknown])[] = [
  ['', 0, value],
  ['.task.id', 2, 't1'],
  ['.task.artifacts[-1].name', 4, 'last'],
  ['.task.artifacts[1].parts[0].text', 6, null],
  ["['a.b']", 1, 0],
  ['.task.artifacts[2].name', 2, undefined],
  ['.task.artifacts[-3]', 2, undefined],
  ['.task.id.length', 2, undefined],
  ['.task.artifacts.length', 2, undefined],
  ['.constructor', 0, undefined],
  ['.nope.more', 0, undefined],
];

suite('template', () => {
  for (const [text, segments] of templates) {
    test(JSON.stringify(text), () => {
      const found = readTemplate(text).map(segment => {
        if (segment.kind === 'text') return segment.text;
        const { expression } = segment;
        if (expression.kind === 'function') return [`$${expression.name}`, expression.argument];
        if (expression.kind === 'unreadable') return ['?', expression.text];
        return expression.kind === 'reference' ? [expression.name, showPath(expression.path)] : [expression.kind];
      });
      assert.deepEqual(found, segments);
    });
  }

  test('ranges are those of the braces', () => {
    const text = 'ab{{c}}d{{ e }}';
    assert.deepEqual(
      readTemplate(text).flatMap(segment =>
        segment.kind === 'text' ? [] : [text.slice(segment.range.offset, segment.range.offset + segment.range.length)],
      ),
      ['{{c}}', '{{ e }}'],
    );
  });

  for (const [text, at] of [
    ['{{a}}', undefined],
    ['{{a}} {{b', 6],
    ['\\{{', undefined],
    ['{ {', undefined],
    ['{{', 0],
  ] as const) {
    test(`unclosed: ${text}`, () => assert.equal(unclosedAt(text), at));
  }
});

suite('template: size', () => {
  for (const [title, braces] of [
    ['opened', '{{'],
    ['closed', '{{}}'],
    ['escaped', '\\{{'],
  ] as const) {
    test(`many braces, ${title}, take no more than their length`, async () => {
      const { holds, figures } = await growsInProportion(size => {
        const text = braces.repeat(size);
        readTemplate(text);
        unclosedAt(text);
      }, 12_500);
      assert.ok(holds, figures);
    });
  }
});

suite('path', () => {
  for (const [text, path] of paths) {
    test(`read ${JSON.stringify(text)}`, () => assert.deepEqual(readPath(text), path));
  }
  for (const [text, found, reached] of steps) {
    test(`follow ${text}`, () => {
      const result = follow(value, readPath(text)!);
      assert.deepEqual(result, { found, value: reached });
    });
  }
});

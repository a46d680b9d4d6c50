import * as assert from 'node:assert/strict';
import { formatRequests } from '../../../src/request/text/formatRequests.ts';
import { jsoncTree } from '../../../src/request/text/syntaxErrors.ts';

function formatted(text: string): string {
  const { root, errors } = jsoncTree(text);
  assert.deepEqual(errors, []);
  return formatRequests(text, root!, { indent: '  ', eol: '\n' }).reduceRight(
    (changed, { range: { offset, length }, text: inserted }) => changed.slice(0, offset) + inserted + changed.slice(offset + length),
    text,
  );
}

const rows: readonly (readonly [title: string, text: string, expected: string])[] = [
  [
    'requests on one line stay there',
    '{"agent":"A","requests":[{"name":"a","message":"x"},\n{ "method":"GetTask",  "params":{"id":"{{a.task.id}}"} , "tags":["b","c"]}]}',
    '{\n  "agent": "A",\n  "requests": [\n    { "name": "a", "message": "x" },\n    { "method": "GetTask", "params": { "id": "{{a.task.id}}" }, "tags": ["b", "c"] }\n  ]\n}\n',
  ],
  [
    'what has line breaks has each member on a line',
    '{"message":\n["a",{"text":"b"}],"expect":{\n"state":"completed","states":[]}}',
    '{\n  "message": ["a", { "text": "b" }],\n  "expect": {\n    "state": "completed",\n    "states": []\n  }\n}\n',
  ],
  ['the file itself never stays on one line', '{ "message": "x" }', '{\n  "message": "x"\n}\n'],
  [
    'comments stay where they are',
    '// c\n{"agent":"A",   // here\n/* b */ "message":"x {{y}}",\n\n\n\n// end\n}  // after\n\n',
    '// c\n{\n  "agent": "A", // here\n  /* b */ "message": "x {{y}}",\n\n  // end\n} // after\n',
  ],
  ['one blank line between members', '{\n\n\n"a":1,\n\n\n"b":2\n\n}', '{\n  "a": 1,\n\n  "b": 2\n}\n'],
  ['trailing commas stay', '{"requests":[{"message":"x",},],}', '{\n  "requests": [\n    { "message": "x", },\n  ],\n}\n'],
  ['numbers and escapes stay', '{"params":{"n":1.50e2,"t":"\\u00e9\\/"}}', '{\n  "params": { "n": 1.50e2, "t": "\\u00e9\\/" }\n}\n'],
];

suite('format of request files', () => {
  for (const [title, text, expected] of rows)
    test(title, () => {
      assert.equal(formatted(text), expected);
      assert.equal(formatted(expected), expected, 'again');
    });

  test('a file that is laid out already has no edits', () => {
    for (const [, , text] of rows) assert.deepEqual(formatRequests(text, jsoncTree(text).root!, { indent: '  ', eol: '\n' }), []);
  });
});

import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { sendOrder } from '../../../src/request/file/sendOrder.ts';
import { completions } from '../../../src/request/language/completions.ts';
import { fixesFor } from '../../../src/request/language/fixes.ts';
import { hover } from '../../../src/request/language/hover.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import { schemaCompletions, schemaHover } from '../../../src/request/language/schemaOffers.ts';
import { jsonSchemas } from '../../../src/request/schema/schemas.ts';
import { resolveRequest } from '../../../src/request/resolve/resolve.ts';
import { requestFences } from '../../../src/request/text/markdownFences.ts';
import { covered, marked } from '../../support/request/marked.ts';

const read = (text: string) => readRequestFile(text, { markdown: true });
const fence = (json: string): string => `\`\`\`a2a\n${json}\n\`\`\`\n`;

/** Markdown with the contents of its fences of requests between « and ». */
const texts: readonly (readonly [title: string, text: string])[] = [
  ['one fence', '# Title\n\n```a2a\n«{}\n»```\n\ntext'],
  ['several, and other languages', '```a2a\n«{}\n»```\n```json\n{}\n```\n~~~A2A\n«{}\n»~~~\n'],
  ['line ends of Windows', '# T\r\n```a2a\r\n«{}\r\n»```\r\nx'],
  ['words after the language', '```a2a title="first"\n«{}\n»```\n```a2a{1}\n«{}\n»```'],
  ['other words that begin like it', '```a2ax\n{}\n```\n```a2a-card\n{}\n```\n```a2a\n«»```'],
  ['a fence within a longer one is its text', '````md\n```a2a\n{}\n```\n````\n```a2a\n«{}\n»```'],
  ['a longer closing, and one that is shorter', '````a2a\n«{}\n```\n»`````\n'],
  ['tildes in backticks', '```a2a\n«{}\n~~~\n»```'],
  ['indented by three, and as code', '   ```a2a\n«   {}\n»   ```\n\n    ```a2a\n    {}\n    ```\n'],
  [
    'in a list',
    '1. first\n\n   ```a2a\n«   {}\n»   ```\n\n- a\n  - b\n\n    ```a2a\n«    {}\n»    ```\n\ntext\n\n    ```a2a\n    {}\n    ```\n',
  ],
  ['not closed', 'x\n```a2a\n«{}\n»'],
  ['in a quote', '> ```a2a\n> {}\n> ```\n'],
  ['inline code', 'the ```a2a``` fence\n'],
];

suite('request files in Markdown', () => {
  for (const [title, source] of texts) {
    test(title, () => {
      const { text, ranges } = marked(source);
      assert.deepEqual(covered(text, requestFences(text)), covered(text, ranges));
    });
  }

  test('a long document is read in linear time', () => {
    const count = (size: number): number => {
      const text = '- a\n'.repeat(size) + '```a2a\n{}\n```\n'.repeat(size);
      return requestFences(text).length;
    };
    assert.equal(count(20_000), 20_000);
  });

  test('fences are one file: names, variables and settings of those before are known', () => {
    const text = [
      '# Agent\n',
      fence('{ "agent": "http://localhost:1", "headers": { "x-a": "1" }, "variables": { "color": "red" } }'),
      'First draw:\n',
      fence('{ "name": "draw", "message": "Draw a {{color}} boat" }'),
      'and then:\n',
      fence('{ "after": "draw", "message": "bigger, {{draw.task.id}}", "expect": {} }'),
      fence('{ "agent": "B", "requests": [{ "message": "x" }, { "agent": "C", "message": "y" }] }'),
      fence('{ "message": "z" }'),
    ].join('\n');
    const file = read(text);
    assert.deepEqual(file.problems, []);
    assert.deepEqual(file.syntaxErrors, []);
    assert.deepEqual(
      file.requests.map(({ agent, headers }) => [agent?.value, headers.length]),
      [
        ['http://localhost:1', 1],
        ['http://localhost:1', 1],
        ['B', 1],
        ['C', 1],
        ['B', 1],
      ],
    );
    assert.deepEqual(sendOrder([file.requests[1]!], file), file.requests.slice(0, 2));
    assert.equal(text.slice(file.requests[1]!.range.offset).startsWith('{ "after"'), true);
  });

  test('the agent of a request alone in its fence is its own', () => {
    const file = read(fence('{ "agent": "A", "message": "x" }') + fence('{ "message": "y" }'));
    assert.deepEqual(
      file.requests.map(({ agent }) => agent?.value),
      ['A', undefined],
    );
    assert.deepEqual(
      file.problems.map(({ code, range }) => [code, range.offset > 30]),
      [['no-agent', true]],
    );
  });

  test('problems stand where they are in the document', () => {
    const { text, ranges } = marked(
      `text «"x"» {{y}}\n${fence('{ "agent": "A", «"mesage"»: "x" }')}${fence('{ "agent": "A", "name": "a", "message": "«{{nope}}»", }')}${fence('{ "agent": "A", "name": «"a"», "message": "" }')}${fence('{ "agent": "A", "message": "x"«}»}')}`,
    );
    const { problems, syntaxErrors } = read(text);
    assert.deepEqual(
      covered(
        text,
        problems.map(({ range }) => range),
      ),
      covered(text, ranges.slice(1, 4)),
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unknown-key', 'unknown-name', 'duplicate-name'],
    );
    assert.equal(syntaxErrors.length, 1);
    assert.equal(syntaxErrors[0]!.range.offset, ranges[4]!.offset + 1);
  });

  test('a variable that two fences set is named, and the first counts', async () => {
    const text =
      fence('{ "agent": "A", "variables": { "v": "1" } }') + fence('{ "variables": { "v": "2" }, "requests": [{ "message": "{{v}}" }] }');
    const file = read(text);
    assert.deepEqual(
      file.problems.map(({ code, sentence }) => [code, english(sentence)]),
      [['doubled-variable', 'The variable "v" is also set in a fence above. The first one counts, in all fences.']],
    );
    const scope = { file, result: () => undefined, functions: { now: () => new Date(0), uuid: () => 'u' } };
    assert.deepEqual(await resolveRequest(file.requests[0]!, scope, false), {
      operation: 'SendMessage',
      params: { message: { messageId: 'u', role: 'ROLE_USER', parts: [{ text: '1' }] } },
    });
  });

  test('a JSON-RPC body in a fence is sent as it is written', async () => {
    const body = '{ "jsonrpc": "2.0", "id": 1.0, "method": "x", "params": {} }';
    const file = read(`# T\n${fence('{ "agent": "A" }')}text\n${fence(body)}`);
    const scope = { file, result: () => undefined, functions: { now: () => new Date(0), uuid: () => 'u' } };
    assert.deepEqual(await resolveRequest(file.requests[0]!, scope, false), { raw: `${body}\n` });
  });

  test('of a fence that is too large for the editor the rest is not read, and all others are', () => {
    const many = JSON.stringify({ agent: 'A', requests: Array.from({ length: 1_200 }, () => ({ message: 'x' })) });
    const text = `${fence(many)}after\n${fence('{ "agent": "A", "name": "last", "message": "x" }')}`;
    const file = readRequestFile(text, { markdown: true, bounded: true });
    assert.equal(file.requests.length, 1_001);
    assert.equal(file.text.length, text.length);
    assert.equal(file.requests.at(-1)!.name, 'last');
    assert.deepEqual(
      file.problems.map(({ code }) => code),
      ['not-read'],
    );
  });

  test('text outside of fences is not looked at', () => {
    const file = read('"{{x}}" { "agent": 5 }\n');
    assert.deepEqual([file.requests, file.problems, file.syntaxErrors], [[], [], []]);
    assert.deepEqual(completions(read(`{{\n${fence('{}')}`), 2, emptyLanguageContext), []);
  });

  test('completion, hover and fixes as in a request file', () => {
    const { text, caret } = marked(
      fence('{ "agent": "A", "variables": { "color": "red" } }') + fence('{ "name": "a", "message": "{{‸}}" }'),
    );
    const file = read(text);
    assert.ok(completions(file, caret, emptyLanguageContext).some(({ label }) => label === 'color'));
    const named = read(fence('{ "agent": "Ann" }') + fence('{ "message": "{{colr}}" }'));
    const world = { ...emptyLanguageContext, agents: [{ name: 'Ann', url: 'http://localhost:1' }] };
    assert.equal(english(hover(named, named.text.indexOf('Ann'), world)!.facts[0]!), 'Agent Ann at http://localhost:1.');
    const [problem] = named.problems;
    const [fix] = fixesFor(problem!, named, world);
    assert.equal(named.text.slice(fix!.edits[0]!.range.offset).startsWith('"message"'), true, 'into the fence of the request');
  });
});

const schema = jsonSchemas()['a2a.schema.json'];
const offered = async (source: string, kind: 'key' | 'value'): Promise<readonly string[]> => {
  const { text, caret } = marked(source);
  return (await schemaCompletions(read(text), caret, schema)).flatMap(one => (one.kind === kind ? [one.label] : []));
};

suite('what the schema offers in Markdown', () => {
  test('keys of a request, without those that are there', async () => {
    const keys = await offered(fence('{ "agent": "A", "‸" }'), 'key');
    for (const key of ['message', 'method', 'expect', 'after', 'requests', 'variables']) assert.ok(keys.includes(key), key);
    assert.ok(!keys.includes('agent'));
    assert.deepEqual(keys.slice(0, 3), ['message', 'expect', 'after']);
  });

  test('keys of one of several, and of the params of its method', async () => {
    assert.ok(!(await offered(fence('{ "requests": [{ "message": "x", ‸ }] }'), 'key')).includes('requests'));
    assert.deepEqual(
      new Set(await offered(fence('{ "requests": [{ "method": "GetTask", "params": { "‸" } }] }'), 'key')),
      new Set(['tenant', 'id', 'historyLength']),
    );
    assert.ok((await offered(fence('{ "message": "x", "expect": { "‸": 1 } }'), 'key')).includes('state'));
  });

  test('what is inserted is a member as far as it can be known', async () => {
    const insert = async (source: string, key = 'message'): Promise<string> => {
      const { text, caret } = marked(source);
      const one = (await schemaCompletions(read(text), caret, schema)).find(({ label }) => label === key);
      return text.slice(0, one!.range.offset) + one!.insert + text.slice(one!.range.offset + one!.range.length);
    };
    assert.equal(await insert('```a2a\n{ "me‸" }\n```'), '```a2a\n{ "message": $1 }\n```');
    assert.match(
      await insert('```a2a\n{ "expect": { "st‸" } }\n```', 'state'),
      /\{ "state": "\$\{1\|completed,input-required,[a-z,-]+\|\}" \}/,
    );
    assert.equal(await insert('```a2a\n{ ‸ }\n```'), '```a2a\n{ "message": $1 }\n```');
    assert.equal(await insert('```a2a\n{ ‸\n  "after": "x"\n}\n```'), '```a2a\n{ "message": $1,\n  "after": "x"\n}\n```');
    assert.equal(await insert('```a2a\n{ "me‸": "x" }\n```'), '```a2a\n{ "message": "x" }\n```');
  });

  test('values of a key', async () => {
    assert.ok((await offered(fence('{ "method": "‸" }'), 'value')).includes('GetTask'));
    assert.ok((await offered(fence('{ "message": "x", "expect": { "state": "‸" } }'), 'value')).includes('completed'));
    assert.deepEqual(await offered(fence('{ "message": "x", "confirm": ‸ }'), 'value'), ['false', 'true']);
  });

  test('a fence that is nested too deeply, or names another schema', async () => {
    assert.deepEqual(await offered(fence(`{ "params": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "‸" }`), 'key'), []);
    assert.deepEqual(await offered(fence('{ "$schema": "http://127.0.0.1:1/schema.json", "‸" }'), 'key'), []);
  });

  test('what a key is', async () => {
    const { text, caret } = marked(fence('{ "requests": [{ "a‸fter": "x", "message": "" }] }'));
    assert.match((await schemaHover(read(text), caret, schema))!.description, /whose conversation this one continues/);
    assert.equal(await schemaHover(read(text), text.indexOf('"x"') + 1, schema), undefined);
  });
});

import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { figure, sampleOf } from '../../support/figure.ts';
import { covered, marked } from '../../support/request/marked.ts';

/** Text with the places of its problems between « and », and their codes in the order of the text. */
const problems: readonly (readonly [title: string, text: string, codes: readonly string[]])[] = [
  ['nothing wrong', '{"agent":"A","variables":{"x":1},"requests":[{"name":"a","message":"{{x}}"},{"after":"a","message":"b"}]}', []],
  [
    'results of rows, by their position',
    '{"agent":"A","requests":[{"name":"a","message":"{{n}}","each":[{"n":1},{"n":2}],"capture":{"id":"task.id"}},{"message":"{{a[1].task.id}} {{id[-1]}}"}]}',
    [],
  ],
  [
    'results of no row, of requests that are sent several times',
    '{"agent":"A","requests":[{"name":"a","message":"x","repeat":2,"capture":{"id":"task.id"}},{"message":"«{{id}}» «{{a[0].tsk}}»"}]}',
    ['several-answers', 'unknown-result'],
  ],
  [
    'a snapshot whose pointers are none, and one of an answer that is not the last',
    '{"agent":"A","message":"x","expect":{"snapshot":{"ignore":["/a/0",«"a"»,«""»]}},"until":{"expect":{«"snapshot"»:true}}}',
    ['bad-pointer', 'bad-pointer', 'not-here'],
  ],
  [
    'a snapshot that is neither true nor says what to ignore',
    '{"agent":"A","requests":[{"message":"x","expect":{"snapshot":«"yes"»}},{"message":"x","expect":{"snapshot":{«"ignored"»:["/a"],"ignore":["/b"]}}}]}',
    ['wrong-type', 'unknown-key'],
  ],
  [
    'values that are captured',
    '{"agent":"A","variables":{"v":"{{id}}"},"requests":[{"name":"a","message":"x","capture":{"id":"task.id"}},{"message":"{{id}} {{v}}"}]}',
    [],
  ],
  ['a request that needs what it captures', '{"agent":"A","name":"a","message":"«{{id}}»","capture":{"id":"task.id"}}', ['circle']],
  [
    'what is captured twice, under other names, and by no path',
    '{"agent":"A","variables":{"v":1},"requests":[{"name":"a","message":"x","capture":{"id":"task.id",«"v"»:"task.id",«"a"»:"state","p":«"task..id"»}},{"message":"y","capture":{«"id"»:"context.id"}}]}',
    ['name-of-variable', 'name-of-request', 'bad-path', 'duplicate-capture'],
  ],
  ['a name that cannot be captured', '{"agent":"A","message":"x","capture":{"id":«5»}}', ['wrong-type']],
  [
    'parameters of another operation',
    '{"agent":"A","method":"GetTask","params":{"id":"x"},«"metadata"»:{},«"configuration"»:{}}',
    ['not-of-method', 'not-of-method'],
  ],
  [
    'parameters in two places',
    '{"agent":"A","params":{"message":{"parts":[{"text":"x"}]},"tenant":"a"},«"tenant"»:"b"}',
    ['key-in-params'],
  ],
  [
    'a configuration that is none',
    '{"agent":"A","message":"x","configuration":{"historyLength":«"x"»,"acceptedOutputModes":["{{m}}"]},"variables":{"m":"a"}}',
    ['wrong-type'],
  ],
  [
    'lines that are none, and beside a text',
    '{"agent":"A","message":[{"lines":«"x"»},«{"lines":[],"text":"x"}»]}',
    ['wrong-type', 'not-allowed'],
  ],
  [
    'a request whose message is misspelt is known by its name',
    '{"agent":"A","requests":[{"name":"a",«"mesage"»:"hi"},{"after":"a","message":"{{a.text}}"}]}',
    ['unknown-key'],
  ],
  [
    'unknown after of what has nothing to send',
    '{"agent":"A","requests":[{"after":«"b"»,«"mesage"»:"x"}]}',
    ['unknown-request', 'unknown-key'],
  ],
  ['unknown after', '{"agent":"A","requests":[{"after":«"b"»,"message":"x"}]}', ['unknown-request']],
  ['two of one name', '{"agent":"A","requests":[{"name":"a","message":"x"},{"name":«"a"»,"message":"y"}]}', ['duplicate-name']],
  ['a request called as a variable', '{"agent":"A","variables":{"a":1},"requests":[{"name":«"a"»,"message":"x"}]}', ['name-of-variable']],
  ['after itself', '{"agent":"A","requests":[{"name":"a","after":«"a"»,"message":"x"}]}', ['circle']],
  [
    'two after each other',
    '{"agent":"A","requests":[{"name":"a","after":"b","message":"x"},{"name":"b","after":«"a"»,"message":"y"}]}',
    ['circle'],
  ],
  ['blank names', '{"agent":"A","requests":[{"name":«" "»,"message":"x"},{"name":«"\\t"»,"message":"y"}]}', ['blank-name', 'blank-name']],
  ['an empty name, once', '{"agent":"A","name":«""»,"message":"x"}', ['empty']],
  ['the path of data instead of the data', '{"agent":"A","message":"{{a}}","each":«"data/q.csv"»}', ['text-as-data']],
  [
    'data in the file itself, and elsewhere',
    '{"agent":"A","requests":[{"message":"{{a}}","each":"a\\n1\\n"},{"message":"{{a}}","each":"{{$file data/q.csv}}"}]}',
    [],
  ],
  [
    'a circle by reference',
    '{"agent":"A","requests":[{"name":"a","message":"{{b.task.id}}"},{"name":"b","message":"x «{{a.task.id}}»"}]}',
    ['circle'],
  ],
  [
    'a circle through a variable',
    '{"agent":"A","variables":{"v":"{{a.task.id}}"},"requests":[{"name":"a","message":"«{{v}}»"}]}',
    ['circle'],
  ],
  [
    'after all rows of a request, after one of them, and after one of no request',
    '{"agent":"A","requests":[{"name":"a","message":"{{n}}","each":[{"n":1},{"n":2}]},{"after":"a","message":"x"},{"after":"a[1]","message":"x"},{"after":«"b[1]"»,"message":"x"}]}',
    ['unknown-request'],
  ],
  [
    'the answer of a request whose data is elsewhere',
    '{"agent":"A","requests":[{"name":"a","message":"{{n}}","each":"{{$file x.csv}}"},{"message":"«{{a.task.id}}» «{{a.state}}»"}]}',
    ['several-answers', 'several-answers'],
  ],
  [
    'the answer of a request that is repeated, through a variable',
    '{"agent":"A","variables":{"v":"{{a.task.id}}"},"requests":[{"name":"a","message":"x","repeat":2},{"message":"«{{v}}»"}]}',
    ['several-answers'],
  ],
  [
    'the agent of all, from a request that is repeated',
    '{"agent":"«{{a.message.parts[0].text}}»","requests":[{"name":"a","agent":"A","message":"x","repeat":2},{"message":"x"},{"message":"y"}]}',
    ['several-answers'],
  ],
  [
    'after requests that are sent once all the same',
    '{"agent":"A","requests":[{"name":"a","message":"{{n}}","each":[{"n":1}]},{"name":"b","message":"x","repeat":1},{"after":"a","message":"{{b.task.id}}"}]}',
    [],
  ],
  [
    'a column of data called as a request',
    '{"agent":"A","requests":[{"name":"city","message":"{{city}}","each":[{"city":"Oslo"},{"city":"Rome"}]}]}',
    [],
  ],
  ['variables in a circle', '{"agent":"A","variables":{"v":"{{w}}","w":"-«{{v}}»"},"requests":[{"message":"x"}]}', ['variable-circle']],
  ['message and params', '{"agent":"A","message":"x",«"params"»:{}}', ['message-and-params']],
  [
    'message and params of another operation',
    '{"agent":"A","method":"GetTask","message":"x",«"params"»:{"id":"1"}}',
    ['message-and-params'],
  ],
  ['message where params belong', '{"agent":"A","method":"GetTask",«"message"»:"x"}', ['message-not-sent']],
  ['no message', '{"agent":"A","method":«"SendMessage"»}', ['no-message']],
  ['no params', '{"agent":"A","method":«"tasks/get"»}', ['no-params']],
  ['ListTasks needs none', '{"agent":"A","method":"ListTasks"}', []],
  ['unknown method', '{"agent":"A","method":«"GetTsk"»}', ['unknown-value']],
  ['no agent', '{"requests":[{"name":«"a"»,"message":"x"},{«"message"»:"y"},{"agent":"B","message":"z"}]}', ['no-agent', 'no-agent']],
  ['unknown variable', '{"agent":"A","message":"Say «{{colour}}» and «{{ b.c }}»."}', ['unknown-name', 'unknown-name']],
  ['unknown variable in a variable', '{"agent":"A","variables":{"a":["«{{b}}»"]},"message":"x"}', ['unknown-name']],
  ['unknown variable in the agent, once', '{"agent":"«{{host}}»","requests":[{"message":"x"},{"message":"y"}]}', ['unknown-name']],
  ['after escapes the place is right', '{"agent":"A","message":"\\u00e9\\n\\"é «{{b}}» \\t"}', ['unknown-name']],
  ['unknown function', '{"agent":"A","message":"«{{$uid}}»"}', ['unknown-function']],
  ['argument of a function without one', '{"agent":"A","message":"«{{$uuid 4}}»"}', ['unexpected-argument']],
  ['empty and unreadable braces', '{"agent":"A","message":"«{{}}» «{{a b}}»"}', ['unreadable-template', 'unreadable-template']],
  ['unclosed braces', '{"agent":"A","message":"x «{{» y"}', ['unclosed-template']],
  ['escaped braces are text', '{"agent":"A","message":"x \\\\{{a}} y \\\\{{"}', []],
  [
    'what a result does not have',
    '{"agent":"A","requests":[{"name":"a","message":"x"},{"message":"«{{a.artifacts[0]}}»"}]}',
    ['unknown-result'],
  ],
  [
    'templates in params, also deep',
    '{"agent":"A","method":"CancelTask","params":{"id":"1","metadata":{"a":[{"b":"«{{c}}»"}]}}}',
    ['unknown-name'],
  ],
  [
    'wrong types',
    '{"agent":«5»,"requests":[{"agent":"A","name":«5»,"message":«7»},{"agent":"A","after":«[]»,"message":"x"}]}',
    ['wrong-type', 'wrong-type', 'wrong-type', 'wrong-type'],
  ],
  ['a doubled key', '{"agent":"A","message":"x",«"message"»:"y"}', ['doubled-key']],
  [
    'a raw body is not held to the params of 1.0',
    '{«"jsonrpc"»:"2.0","id":1,"method":"any/thing","params":{"x":"«{{y}}»"}}',
    ['no-agent', 'unknown-name'],
  ],
  [
    'a raw body with all that a request has',
    '{"agent":"A","variables":{"n":1},"requests":[{"name":"a","message":"x"},{"name":"b","after":"a","jsonrpc":"2.0","id":"{{n}}","method":"m","params":["{{a.task.id}}","«{{»"],"expect":{"state":«"don"»}}]}',
    ['unclosed-template', 'unknown-value'],
  ],
];

suite('request file: problems', () => {
  test('braces after one backslash are told how they are written', () => {
    const said = (text: string): string[] => readRequestFile(text).syntaxErrors.map(({ sentence }) => english(sentence));
    assert.match(
      said('{"agent":"A","message":"x \\{{a}}"}').join('\n'),
      /invalid escape character\. For braces as text, write \\\\\{\{ in the file\./,
    );
    assert.doesNotMatch(said('{"agent":"A","message":"x \\q {{a}}"}').join('\n'), /braces/);
  });

  for (const [title, source, codes] of problems) {
    test(title, () => {
      const { text, ranges } = marked(source);
      const found = readRequestFile(text).problems;
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
      assert.deepEqual(
        found.map(({ range }) => range),
        ranges,
        covered(
          text,
          found.map(({ range }) => range),
        ).join(' '),
      );
    });
  }

  test('what a variable from outside stands for is no request and no variable of the file', () => {
    const { problems, needs } = readRequestFile(
      '{"agent":"A","variables":{"v":"{{v}}","w":"{{a.state}}"},"requests":[{"name":"a","message":"{{a}} {{v}}"},{"message":"{{a}} {{w}}"}]}',
      { names: new Set(['a', 'v']) },
    );
    assert.deepEqual([problems.map(({ code }) => code), [...needs]], [['name-of-variable'], []]);
  });

  for (const [text, words] of [
    ['{"agent":"A","requests":[{"name":"a","message":"x"},{"after":"aa","message":"y"}]}', /"aa"\. Did you mean "a"\?$/],
    ['{"agent":"A","requests":[{"name":"draw","message":"x"},{"after":"darw","message":"y"}]}', /"darw"\. Did you mean "draw"\?$/],
    ['{"agent":"A","variables":{"color":1},"message":"{{colour}}"}', /"colour"\. Did you mean "color"\?$/],
    [
      '{"agent":"A","message":"x","expect":{"state":"input required"}}',
      /"state" cannot be "input required"\. Did you mean "input-required"\?/,
    ],
    ['{"agent":"A","message":"x","expect":{"states":["working","INPUT_REQUIRED"]}}', /"INPUT_REQUIRED"\. Did you mean "input-required"\?/],
    ['{"agent":"A","message":"{{$uudi}}"}', /"\$uudi"\. Did you mean "\$uuid"\? Available: /],
  ] as const) {
    test(`sentences say what was likely meant: ${text.slice(0, 60)}`, () =>
      assert.match(english(readRequestFile(text).problems[0]!.sentence), words));
  }

  test('sentences name what they are about', () => {
    const {
      problems: [problem],
    } = readRequestFile('{"agent":"A","requests":[{"name":"a","after":"b","message":"x"},{"name":"b","after":"a","message":"y"}]}');
    assert.equal(english(problem!.sentence), 'These requests depend on each other in a circle: a → b → a.');
  });
});

suite('request file: requests', () => {
  const read = (text: string): string[] =>
    readRequestFile(text).requests.map(({ key, name, range, agent, operation, body }) =>
      [key, name ?? '-', agent?.value ?? '-', operation ?? '-', body ?? text.slice(range.offset, range.offset + range.length)].join(' | '),
    );

  const files: readonly (readonly [title: string, text: string, requests: readonly string[]])[] = [
    ['one request', '{"agent":"A","message":"x"}', ['#1 | - | A | - | {"agent":"A","message":"x"}']],
    [
      'one request with a name',
      '// c\n{"name":"n","method":"tasks/cancel"}',
      ['n | n | - | CancelTask | {"name":"n","method":"tasks/cancel"}'],
    ],
    [
      'several',
      '{"agent":"A","requests":[{"name":"a","message":"x"},{"agent":"B","params":{}},]}',
      ['a | a | A | - | {"name":"a","message":"x"}', '#2 | - | B | - | {"agent":"B","params":{}}'],
    ],
    [
      'of two with one name the second goes by its position',
      '{"requests":[{"name":"a","message":"x"},{"name":"a","message":"y"}]}',
      ['a | a | - | - | {"name":"a","message":"x"}', '#2 | a | - | - | {"name":"a","message":"y"}'],
    ],
    ['not yet a request', '{"requests":[{},{"name":"a"},{"agent":"A"},{"message":}, 5, null, "x"]}', []],
    [
      'half-typed after a whole one',
      '{"requests":[{"name":"a","message":"x"},{"name":"b","message":"y',
      ['a | a | - | - | {"name":"a","message":"x"}', 'b | b | - | - | {"name":"b","message":"y'],
    ],
    ['nothing', '', []],
    ['no object', '[{"message":"x"}]', []],
    ['no list', '{"requests":{"message":"x"}}', []],
    [
      'raw by its envelope',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}',
      ['#1 | - | - | - | {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}'],
    ],
    ['raw by its id', '{ "id": "x", "method": "tasks/get" }', ['#1 | - | - | - | { "id": "x", "method": "tasks/get" }']],
    [
      'raw by an older message',
      '{"method":"message/send","params":{"message":{"role":"user"}}}',
      ['#1 | - | - | - | {"method":"message/send","params":{"message":{"role":"user"}}}'],
    ],
    [
      'raw by the name and the data of a task',
      '{ "taskId": "t", "type": "x", "data": {"n": 1.0} }',
      ['#1 | - | - | - | { "taskId": "t", "type": "x", "data": {"n": 1.0} }'],
    ],
    [
      'not raw: a 1.0 message',
      '{"method":"SendMessage","params":{"message":{"role":"ROLE_USER"}}}',
      ['#1 | - | - | SendMessage | {"method":"SendMessage","params":{"message":{"role":"ROLE_USER"}}}'],
    ],
    [
      'raw is sent as strict JSON: comments, trailing commas and our keys go, nothing else',
      '// from the docs\n{"agent": "A", /* v */ "jsonrpc":"2.0",\n  "params": {"n": 1.50, "l": [1, 2,], "s": "// {{no}}"}, "method":"m", "$schema": "x",}',
      [
        '#1 | - | A | - | { "jsonrpc":"2.0",\n  "params": {"n": 1.50, "l": [1, 2], "s": "// {{no}}"}, "method":"m" }'.replace(
          '{ "j',
          '{  "j',
        ),
      ],
    ],
  ];
  for (const [title, text, requests] of files) {
    test(title, () => {
      const found = read(text);
      assert.deepEqual(
        found.map(line => line.replaceAll(/ +/g, ' ').replaceAll(/ (?=[}\]])/g, '')),
        requests.map(line => line.replaceAll(/ +/g, ' ').replaceAll(/ (?=[}\]])/g, '')),
      );
    });
  }

  test('a raw body of strict JSON stays byte for byte', () => {
    const text = '{ "jsonrpc" : "2.0",\n\t"id":1e2, "method":"\\u0041", "params":{"a":1,"a":2} }\n';
    assert.equal(readRequestFile(text).requests[0]?.body, text);
  });

  test('a raw body parses to what was written, without our keys', () => {
    const text = '{"variables":{"x":1},"id":7,"agent":"A",// c\n"method":"m","params":[1,{"b":[],},],}';
    assert.deepEqual(JSON.parse(readRequestFile(text).requests[0]!.body!), { id: 7, method: 'm', params: [1, { b: [] }] });
  });
});

suite('request file: any text', () => {
  const whole = `// comment
{
  "agent": "Sailboat", /* block */
  "variables": { "color": "r\\u00e9d", "deep": { "a": [1, "{{color}}"] } },
  "requests": [
    { "name": "draw", "message": "Generate {{deep.a[1]}} \\\\{{ {{$uuid}}", },
    { "name": "refine", "after": "draw", "message": [{ "text": "{{draw.task.artifacts[0].name}}" }, "x"] },
    { "name": "look", "method": "GetTask", "params": { "id": "{{refine.task.id}}", "historyLength": 10 } },
  ],
}
`;
  const raw = '{"jsonrpc":"2.0","agent":"A","id":1,"method":"m",/**/"params":{"x":[1,],},}';

  test('the whole is read without a problem', () => {
    const { problems, syntaxErrors, requests } = readRequestFile(whole);
    assert.deepEqual([...problems, ...syntaxErrors], []);
    assert.deepEqual(
      requests.map(({ key }) => key),
      ['draw', 'refine', 'look'],
    );
  });

  for (const [title, text] of [
    ['a file', whole],
    ['a raw body', raw],
  ] as const) {
    test(`every prefix, suffix and gap of ${title} is read`, () => {
      const places = sampleOf(Array.from({ length: text.length + 1 }, (_, index) => index));
      for (const index of places) {
        for (const piece of [text.slice(0, index), text.slice(index), text.slice(0, index) + text.slice(index + 7)]) {
          const { requests, problems } = readRequestFile(piece);
          for (const { range } of [...requests, ...problems]) {
            assert.ok(
              range.offset >= 0 && range.length >= 0 && range.offset + range.length <= piece.length,
              JSON.stringify({ piece, range }),
            );
          }
        }
      }
      figure('F31', { texts: 3 * places.length }, `${3 * places.length} pieces of ${title}`);
    });
  }

  test('requests before the one that is typed keep their places', () => {
    const at = whole.indexOf('"look"');
    for (let index = at; index < whole.length; index += 1) {
      assert.deepEqual(
        readRequestFile(whole.slice(0, index))
          .requests.slice(0, 2)
          .map(({ range }) => range),
        readRequestFile(whole)
          .requests.slice(0, 2)
          .map(({ range }) => range),
      );
    }
  });

  for (const [title, text] of [
    ['brackets without end', '['.repeat(100_000)],
    ['objects without end', '{"a":'.repeat(100_000)],
    ['lone surrogates and NUL', '{"agent":"A","message":"\ud800 \u0000 {{\ud800}}"}'],
    ['a BOM', '\ufeff{"agent":"A","message":"x"}'],
    ['member names of Object', '{"agent":"A","variables":{"__proto__":"p","constructor":"c"},"message":"{{constructor}} {{toString}}"}'],
    ['braces in braces', '{"agent":"A","message":"{{{{a}}}} {{a{{b}}c}} }} {{"}'],
  ] as const) {
    test(title, () => {
      const { problems, requests } = readRequestFile(text);
      assert.ok(Array.isArray(problems) && Array.isArray(requests));
    });
  }

  test('nesting that is too deep is said, brackets in strings and comments do not count', () => {
    assert.deepEqual(
      readRequestFile('['.repeat(201)).syntaxErrors.map(({ code }) => code),
      ['too-deep'],
    );
    assert.deepEqual(readRequestFile(`{"agent":"A","message":"${'['.repeat(999)}" // ${'{'.repeat(999)}\n}`).syntaxErrors, []);
  });

  test('names from Object are no variables', () => {
    const { problems } = readRequestFile('{"agent":"A","message":"{{toString}} {{$constructor}}"}');
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unknown-name', 'unknown-function'],
    );
  });

  test('5,000 requests in a chain, about 1 MB, are read without recursion over the chain', () => {
    const requests = Array.from({ length: 5000 }, (_, index) => ({
      name: `r${index}`,
      ...(index > 0 ? { after: `r${index - 1}` } : {}),
      message: `{{x}} ${'y'.repeat(140)}`,
    }));
    const file = readRequestFile(JSON.stringify({ agent: 'A', variables: { x: 1 }, requests }, null, 2));
    assert.equal(file.requests.length, 5000);
    assert.deepEqual(file.problems, []);
  });
});

import * as assert from 'node:assert/strict';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { operations } from '../../../src/protocol/message/operations.ts';
import { english, Problem, type LocalizedMessage } from '../../../src/protocol/problem.ts';
import { completions } from '../../../src/request/language/completions.ts';
import { fixesFor } from '../../../src/request/language/fixes.ts';
import { hover } from '../../../src/request/language/hover.ts';
import { definitions, references } from '../../../src/request/language/navigation.ts';
import { outline } from '../../../src/request/language/outline.ts';
import { rename, renamable, type Edit } from '../../../src/request/language/rename.ts';
import { tokens } from '../../../src/request/language/tokens.ts';
import type { LanguageContext } from '../../../src/request/language/languageContext.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { functions } from '../../../src/request/template/functions.ts';
import { methods } from '../../../src/request/text/methods.ts';
import { endOf } from '../../../src/request/text/textRange.ts';
import type { Values } from '../../../src/request/text/value.ts';
import { figure, sampleOf } from '../../support/figure.ts';
import { covered, marked } from '../../support/request/marked.ts';

const card = (streaming: boolean, inputModes: string[]): AgentCard => ({
  name: 'Boat painter',
  description: 'Paints boats.',
  version: '2',
  capabilities: { streaming },
  supportedInterfaces: [],
  defaultInputModes: inputModes,
  defaultOutputModes: ['image/png'],
  skills: [{ id: 'paint', name: 'Paint', description: '', tags: [], inputModes: ['image/webp'] }],
});
const values: Values = new Map([
  ['host', { value: 'http://h', source: 'environment', literal: false, at: { path: '/w/a2a.env.json', range: { offset: 3, length: 6 } } }],
  ['token', { value: 'abc', source: 'private', literal: false }],
]);
const world: LanguageContext = {
  agents: [
    { name: 'Sailboat', url: 'http://boat', card: card(true, ['text/plain', 'image/*']) },
    { name: 'Quiet', url: 'http://quiet', card: card(false, ['text/plain']) },
  ],
  contexts: agent => (agent === 'Sailboat' ? [{ id: 'c-1', title: 'A boat' }] : []),
  tasks: agent => (agent === 'Sailboat' ? [{ id: 't-1', title: 'Draw', state: 'TASK_STATE_COMPLETED' }] : []),
  values,
  secrets: ['KEY'],
  result: name =>
    name === 'draw'
      ? {
          task: {
            id: 't1',
            contextId: 'c1',
            status: { state: 'TASK_STATE_COMPLETED' },
            artifacts: [{ artifactId: 'a1', name: 'boat', parts: [{ text: 'A boat' }] }],
          },
        }
      : undefined,
};
const read = (text: string): RequestFile => readRequestFile(text, { names: new Set(values.keys()) });

const file = (requests: string): string =>
  `{"agent":"Sailboat","variables":{"color":"red","deep":{"a":[1,{"b":2}]},"secret":"x {{$secret KEY}}"},"requests":[{"name":"draw","message":"x"},${requests}]}`;

/** The caret, what is offered (label → the text with it put in at the caret's range), and what is not. */
const completed: readonly (readonly [text: string, offered: readonly string[], notOffered?: readonly string[]])[] = [
  ['{"agent":"‸","message":"x"}', ['Sailboat', 'Quiet']],
  ['{"agent":‸', ['Sailboat', 'Quiet']],
  ['{"agent":"Sail‸boat', ['Sailboat']],
  [file('{"name":"two","after":"‸","message":"x"}'), ['draw'], ['two']],
  [file('{"after":‸}'), []],
  [file('{"message":"x","after":‸}'), ['draw']],
  [file('{"method":"GetTask","params":{"id":"‸"}}'), ['t-1', '{{draw.task.id}}']],
  [file('{"method":"ListTasks","params":{"contextId":"‸"}}'), ['c-1', '{{draw.context.id}}']],
  [file('{"params":{"message":{"taskId":"‸"}}}'), ['t-1']],
  [file('{"params":{"message":{"referenceTaskIds":["x",‸]}}}'), ['t-1']],
  [file('{"message":[{"raw":"","mediaType":"‸"}]}'), ['text/plain', 'image/*', 'image/webp'], ['image/png']],
  ['{"agent":"Nobody","message":[{"raw":"","mediaType":"‸"}]}', ['application/pdf']],
  [file('{"message":"x","expect":{"artifacts":[{"mediaType":"‸"}]}}'), ['image/png'], ['text/plain']],
  [file('{"params":{"message":{"parts":[]},"metadata":{"skillId":"‸"}}}'), ['paint']],
  [file('{"message":"{{‸}}"}'), ['color', 'host', 'draw', '$uuid', '$env NAME'], ['draw.task']],
  [file('{"message":"{{‸"}'), ['color', 'draw']],
  [file('{"message":"a {{x}} {{co‸ b {{y}}"}'), ['color']],
  [file('{"message":"{{color}} ‸"}'), []],
  [file('{"message":"\\\\{{‸"}'), []],
  [file('{"name":"me","message":"{{‸}}"}'), ['draw'], ['me']],
  [file('{"message":"{{draw.‸}}"}'), ['draw.task', 'draw.state', 'draw.context', 'draw.message', 'draw.value']],
  [file('{"message":"{{draw.task.‸}}"}'), ['draw.task.id', 'draw.task.artifacts'], ['draw.task.metadata']],
  [file('{"message":"{{draw.task.artifacts‸}}"}'), ['draw.task.artifacts']],
  [file('{"message":"{{draw.task.artifacts[‸}}"}'), ['draw.task.artifacts[0]', 'draw.task.artifacts[-1]']],
  [file('{"message":"{{draw.task.artifacts[0].na‸}}"}'), ['draw.task.artifacts[0].name']],
  [file('{"name":"new","message":"x"},{"message":"{{new.task.‸}}"}'), ['new.task.id', 'new.task.status', 'new.task.metadata']],
  [file('{"name":"new","message":"x"},{"message":"{{new.task.artifacts[0].‸}}"}'), ['new.task.artifacts[0].parts']],
  [file('{"message":"{{deep.a[1].‸}}"}'), ['deep.a[1].b']],
  [file('{"message":"{{secret.‸}}"}'), []],
  [file('{"message":"{{$secret ‸}}"}'), ['$secret KEY']],
  [file('{"message":"{{‸}}","each":[{"city":"x"}]}'), ['city']],
  [file('{"name":"{{‸}}"}'), []],
  ['{"jsonrpc":"2.0","method":"‸"}', []],
];

suite('request language: completion', () => {
  for (const [source, offered, notOffered = []] of completed) {
    test(source.includes('"draw"') ? `… ${source.slice(source.indexOf('},') + 2)}` : source, () => {
      const { text, caret } = marked(source);
      const found = completions(read(text), caret, world);
      const labels = found.map(({ label }) => label);
      assert.deepEqual(
        offered.filter(label => !labels.includes(label)),
        [],
        labels.join(' '),
      );
      assert.deepEqual(
        notOffered.filter(label => labels.includes(label)),
        [],
      );
      if (offered.length === 0) assert.deepEqual(labels, []);
    });
  }

  const inserted: readonly (readonly [source: string, label: string, result: string])[] = [
    ['{"agent":‸,"message":"x"}', 'Quiet', '{"agent":"Quiet","message":"x"}'],
    ['{"agent":"Sa‸il","message":"x"}', 'Quiet', '{"agent":"Quiet","message":"x"}'],
    ['{"agent":"Q‸', 'Quiet', '{"agent":"Quiet"'],
    [
      '{"agent":"A","variables":{"color":1},"message":"a {{co‸lo}} b"}',
      'color',
      '{"agent":"A","variables":{"color":1},"message":"a {{color}} b"}',
    ],
    [
      '{"agent":"A","variables":{"color":1},"message":"a {{c‸ b"}',
      'color',
      '{"agent":"A","variables":{"color":1},"message":"a {{color}} b"}',
    ],
  ];
  for (const [source, label, result] of inserted) {
    test(`${label} put in at ${source}`, () => {
      const { text, caret } = marked(source);
      const { insert, range } = completions(read(text), caret, world).find(one => one.label === label)!;
      assert.equal(text.slice(0, range.offset) + insert + text.slice(endOf(range)), result);
    });
  }

  const empty: readonly (readonly [title: string, source: string, agents: readonly string[], agent: string])[] = [
    ['no agent', '‸', [], '${1:http://localhost:41241}'],
    ['one agent, blanks', '\n ‸ \n', ['Ann'], '${1:Ann}'],
    ['several agents, the beginning of a word', ' Re‸', ['Ann', 'Bo, the | "2nd"'], '${1|Ann,Bo\\, the \\| \\\\"2nd\\\\"|}'],
    ['a name with the signs of snippets', '‸', ['$} \\'], '${1:\\$\\} \\\\\\\\}'],
  ];
  for (const [title, source, names, agent] of empty) {
    test(`an empty file becomes one request or several: ${title}`, () => {
      const { text, caret } = marked(source);
      const agents = names.map(name => ({ name, url: 'http://localhost:1' }));
      const found = completions(read(text), caret, { ...world, agents });
      assert.deepEqual(
        found.map(({ label, snippet }) => [label, snippet]),
        [
          ['Request', true],
          ['Requests', true],
        ],
      );
      for (const { insert, range } of found) {
        assert.ok(insert.includes(`"agent": "${agent}"`), insert);
        assert.equal(text.slice(range.offset, endOf(range)), text.trim());
        // What is left of the places is what a person who accepts them all gets.
        const accepted = insert
          .replaceAll(/\$\{\d\|(.*?[^\\]),.*\|\}/g, '$1')
          .replaceAll(/\$\{\d:((?:\\.|[^\\}])*)\}/g, '$1')
          .replaceAll(/\\([\\$},|])/g, '$1');
        const requests = readRequestFile(accepted);
        assert.deepEqual([requests.problems, requests.syntaxErrors, requests.requests.length], [[], [], 1], accepted);
        assert.equal(requests.requests[0]!.agent?.value ?? requests.agent?.value, names[0] ?? 'http://localhost:41241');
      }
    });
  }

  test('nothing of the kind where something is written', () => {
    for (const source of ['‸{}', '{‸', '"a" ‸', 'a b‸', '// x\n‸'])
      assert.ok(!completions(read(marked(source).text), marked(source).caret, world).some(({ kind }) => kind === 'snippet'), source);
  });

  test('values of secrets are not shown beside', () => {
    const { text, caret } = marked(file('{"message":"{{‸}}"}'));
    const details = new Map(completions(read(text), caret, world).map(({ label, detail }) => [label, detail]));
    assert.deepEqual([details.get('color'), details.get('token'), details.get('secret')], ['red', '••••••', '••••••']);
  });
});

suite('request language: what functions and operations do', () => {
  /** The sentence by itself: inside of another one it has a row in the translations. */
  const said = (message: LocalizedMessage): readonly unknown[] =>
    message.args.filter(arg => typeof arg === 'object').map(({ template }) => template);

  test('is said in completions and hovers as a sentence that can be translated', () => {
    const { text, caret } = marked(file('{"message":"{{$‸}}"}'));
    const offered = completions(read(text), caret, world).filter(({ kind }) => kind === 'function');
    assert.equal(offered.length, Object.keys(functions).length);
    for (const [name, { description }] of Object.entries(functions)) {
      assert.deepEqual(offered.find(({ label }) => label.split(' ')[0] === `$${name}`)?.detail, description, name);
      const over = marked(file(`{"message":"{{$${name}‸ x}}"}`));
      assert.deepEqual(hover(read(over.text), over.caret, world)?.facts.flatMap(said), [description.template], name);
    }
    for (const operation of operations) {
      const over = marked(file(`{"method":"${operation}‸"}`));
      assert.deepEqual(
        hover(read(over.text), over.caret, world)?.facts.flatMap(said),
        [methods[operation].description.template],
        operation,
      );
    }
  });
});

suite('request language: hover', () => {
  const hovered: readonly (readonly [text: string, facts: RegExp | undefined, value?: string])[] = [
    [file('{"message":"«{{col‸or}}»"}'), /^Variable color, from this file\.$/, 'red'],
    [file('{"message":"«{{‸deep.a[1].b}}»"}'), /deep/, '2'],
    [file('{"message":"«{{host‸}}»"}'), /from the environment\. Written in \/w\/a2a\.env\.json/, 'http://h'],
    [file('{"message":"«{{to‸ken}}»"}'), /private/, '••••••'],
    [file('{"message":"«{{secr‸et}}»"}'), /this file/, '••••••'],
    [file('{"message":"«{{draw‸.task.artifacts[0].name}}»"}'), /Last result of "draw"\. Task t1 is completed/, 'boat'],
    [file('{"after":"«dr‸aw»","message":"x"}'), /Last result/, 'A boat'],
    [file('{"name":"«ne‸w»","message":"x"}'), /has no result yet/],
    [file('{"message":"«{{$uu‸id}}»"}'), /random UUID/],
    [file('{"method":«"Get‸Task"»}'), /^GetTask: Reads a task/],
    [file('{"method":«"tasks‸/get"»}'), /^Older name of GetTask/],
    ['{"agent":«"Sail‸boat"»,"message":"x"}', /Agent Sailboat at http:\/\/boat/, 'Boat painter 2\nPaints boats.'],
    ['{"agent":«"Quiet‸"»,"requests":[]}', /Agent Quiet/],
    [file('{"message":"pl‸ain"}'), undefined],
    [file('{"message":"{{no‸pe}}"}'), undefined],
  ];
  for (const [source, facts, value] of hovered) {
    test(source.includes('"draw"') ? `… ${source.slice(source.indexOf('},') + 2)}` : source, () => {
      const { text, caret, ranges } = marked(source);
      const found = hover(read(text), caret, world);
      if (facts === undefined) return assert.equal(found, undefined);
      assert.deepEqual(covered(text, [found!.range]), covered(text, ranges));
      assert.match(found!.facts.map(english).join(' '), facts);
      if (value !== undefined) assert.equal(found!.value, value);
    });
  }
});

const linked =
  '{"agent":"A","variables":{"«color»":"red","two":"{{«color»}}"},"requests":[{"name":"draw","message":"{{ «col‸or» }} {{«color».x}}"}]}';
const linkedRequests =
  '{"agent":"A","variables":{"v":"{{«draw».task.id}}"},"requests":[{"name":"«dra‸w»","message":"x"},{"after":"«draw»","message":"{{«draw».state}} draw"}]}';

suite('request language: definition, references, rename', () => {
  for (const [title, source] of [
    ['a variable', linked],
    ['a request', linkedRequests],
  ] as const) {
    test(`references of ${title} from each of its places, and its definition`, () => {
      const { text, ranges } = marked(source);
      for (const { offset } of ranges) {
        const found = references(read(text), offset + 1);
        assert.deepEqual(
          [...found].sort((one, other) => one.offset - other.offset),
          ranges,
        );
        assert.deepEqual(
          definitions(read(text), offset, world).map(({ range }) => range),
          [title === 'a variable' ? ranges[0] : ranges[1]],
        );
        assert.equal(references(read(text), offset, { declarations: false }).length, ranges.length - 1);
      }
    });

    test(`rename of ${title}`, () => {
      const { text, caret, ranges } = marked(source);
      assert.equal(
        apply(text, rename(read(text), caret, 'hue-2')),
        apply(
          text,
          ranges.map(range => ({ range, text: 'hue-2' })),
        ),
      );
    });
  }

  test('the name of a request is that before the position of a row, too', () => {
    const { text, caret, ranges } = marked(
      '{"agent":"A","requests":[{"name":"«row»","message":"x","repeat":2},{"after":"«ro‸w»[1]","message":"y"}]}',
    );
    assert.deepEqual(references(read(text), caret), ranges);
    assert.equal(apply(text, rename(read(text), caret, 'line')), text.replaceAll('row', 'line'));
  });

  test('the definition of a variable of the environment is in its file', () => {
    const { text, caret } = marked('{"agent":"{{ho‸st}}","message":"x"}');
    assert.deepEqual(definitions(read(text), caret, world), [values.get('host')?.at]);
  });

  test('a row of data gives its names', () => {
    const { text, caret, ranges } = marked('{"agent":"A","each":[{"«city»":1},{"«city»":2}],"message":"{{ci‸ty}}"}');
    assert.deepEqual(
      definitions(read(text), caret, world).map(({ range }) => range),
      ranges,
    );
  });

  const refused: readonly (readonly [source: string, name: string, code: string])[] = [
    [linked, 'two', 'bad-name'],
    [linked, 'draw', 'bad-name'],
    [linked, 'a b', 'bad-name'],
    [linked, '', 'bad-name'],
    [linkedRequests, 'v', 'bad-name'],
    [linkedRequests, 'a b', 'bad-name'],
    ['{"agent":"{{ho‸st}}","message":"x"}', 'other', 'not-renamable'],
    ['{"agent":"A","message":"‸x"}', 'y', 'not-renamable'],
    ['{"agent":"A","variables":{"c\\u006flor":1},"message":"{{col‸or}}"}', 'y', 'not-renamable'],
  ];
  for (const [source, name, code] of refused) {
    test(`not to ${JSON.stringify(name)}: ${source.slice(0, 40)}`, () => {
      const { text, caret } = marked(source);
      assert.throws(() => rename(read(text), caret, name), { code });
    });
  }

  test('a request that only "after" names may be called anything', () => {
    const { text, caret } = marked('{"agent":"A","requests":[{"name":"a‸","message":"x"},{"after":"a","message":"y"}]}');
    assert.equal(
      apply(text, rename(read(text), caret, 'at once "now"')),
      '{"agent":"A","requests":[{"name":"at once \\"now\\"","message":"x"},{"after":"at once \\"now\\"","message":"y"}]}',
    );
    assert.equal(renamable(read(text), caret).name, 'a');
  });
});

function apply(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.range.offset - one.range.offset)
    .reduce((at, { range, text: put }) => at.slice(0, range.offset) + put + at.slice(endOf(range)), text);
}

suite('request language: problems and fixes', () => {
  /** The problem between « and », its code, and the text after its first fix. */
  const rows: readonly (readonly [text: string, code: string, fixed?: string])[] = [
    [
      '{"agent":"Sailboat","variables":{"color":1},"message":"«{{colour}}»"}',
      'unknown-name',
      '{"agent":"Sailboat","variables":{"color":1},"message":"{{color}}"}',
    ],
    ['{"agent":"Sailboat","message":"«{{x}}»"}', 'unknown-name', '{"variables": { "x": "" }, "agent":"Sailboat","message":"{{x}}"}'],
    [
      '{\n  "variables": {\n    "a": 1\n  },\n  "agent": "Sailboat", "message": "«{{banana.x}}»"\n}',
      'unknown-name',
      '{\n  "variables": {\n    "banana": "",\n    "a": 1\n  },\n  "agent": "Sailboat", "message": "{{banana.x}}"\n}',
    ],
    [
      '{"agent":"Sailboat","requests":[{"name":"draw","message":"x"},{"after":«"darw"»,"message":"y"}]}',
      'unknown-request',
      '{"agent":"Sailboat","requests":[{"name":"draw","message":"x"},{"after":"draw","message":"y"}]}',
    ],
    [
      '{"agent":"Sailboat","requests":[{"name":"a","message":"x"},{"name":«"a"»,"message":"y"}]}',
      'duplicate-name',
      '{"agent":"Sailboat","requests":[{"name":"a","message":"x"},{"name":"a-2","message":"y"}]}',
    ],
    [
      '{"agent":"Sailboat","requests":[{"name":"a","after":«"a"»,"message":"x"}]}',
      'circle',
      '{"agent":"Sailboat","requests":[{"name":"a","message":"x"}]}',
    ],
    [
      '{"agent":"Sailboat","requests":[{"name":"a","message":"x", "after":«"a"»}]}',
      'circle',
      '{"agent":"Sailboat","requests":[{"name":"a","message":"x"}]}',
    ],
    ['{"agent":"Sailboat","message":"«{{$uudi}}»"}', 'unknown-function', '{"agent":"Sailboat","message":"{{$uuid}}"}'],
    ['{"agent":"Sailboat","message":"x «{{»y"}', 'unclosed-template', '{"agent":"Sailboat","message":"x \\\\{{y"}'],
    ['{«"message"»:"x"}', 'no-agent', '{"agent": "Sailboat", "message":"x"}'],
    ['{"agent":«"Sailbot"»,"message":"x"}', 'unknown-agent', '{"agent":"Sailboat","message":"x"}'],
    ['{"agent":«"htp:/localhost:9999"»,"message":"x"}', 'wrong-scheme', '{"agent":"http://localhost:9999","message":"x"}'],
    [
      '{"agent":"Quiet","method":«"SendStreamingMessage"»,"message":"x"}',
      'unoffered-method',
      '{"agent":"Quiet","method":"SendMessage","message":"x"}',
    ],
    [
      '{"agent":"Sailboat","method":«"message/send"»,"message":"x"}',
      'older-method',
      '{"agent":"Sailboat","method":"SendMessage","message":"x"}',
    ],
    [
      '{"agent":"http://s:1","method":«"tasks/pushNotification/set"»,"params":{"id":"{{$uuid}}","pushNotificationConfig":{"url":"http://x/","authentication":{"schemes":["Bearer"],"credentials":"c"}}}}',
      'older-method',
      '{"agent":"http://s:1","method":"CreateTaskPushNotificationConfig","params":{ "url": "http://x/", "taskId": "{{$uuid}}", "authentication": { "scheme": "Bearer", "credentials": "c" } }}',
    ],
    [
      '{"agent":"http://s:1","method":«"tasks/pushNotification/get"»,"params":{"id":"t"}}',
      'older-method',
      '{"agent":"http://s:1","method":"GetTaskPushNotificationConfig","params":{ "taskId": "t", "id": "t" }}',
    ],
    [
      '{"agent":"http://s:1","method":«"tasks/pushNotificationConfig/delete"»,"params":{"taskId":"t","id":"c"}}',
      'older-method',
      '{"agent":"http://s:1","method":"DeleteTaskPushNotificationConfig","params":{"taskId":"t","id":"c"}}',
    ],
    [
      '{"agent":"Quiet","message":[{"raw":"","mediaType":«"image/png"»}]}',
      'unoffered-media-type',
      '{"agent":"Quiet","message":[{"raw":"","mediaType":"text/plain"}]}',
    ],
    ['{"agent":"Sailboat","message":[{«"kind"»:"text","text":"x"}]}', 'older-part', '{"agent":"Sailboat","message":[{ "text": "x" }]}'],
    [
      '{"agent":"Sailboat","params":{"message":{"parts":[{«"type"»:"file","file":{"bytes":"aGk=","mimeType":"image/png","name":"a"}}]}}}',
      'older-part',
      '{"agent":"Sailboat","params":{"message":{"parts":[{ "raw": "aGk=", "mediaType": "image/png", "filename": "a" }]}}}',
    ],
    [
      '{"agent":"Sailboat","params":{"message":{"role":«"user"»,"parts":[]}}}',
      'older-role',
      '{"agent":"Sailboat","params":{"message":{"role":"ROLE_USER","parts":[]}}}',
    ],
  ];
  for (const [source, code, fixed] of rows) {
    test(`${code}: ${source.slice(0, 70).replaceAll('\n', ' ')}`, () => {
      const { text, ranges } = marked(source);
      const file = read(text);
      const problems = problemsInContext(file, world);
      assert.deepEqual(
        problems.map(problem => problem.code),
        [code],
      );
      assert.deepEqual(
        problems.map(({ range }) => range),
        ranges,
        covered(
          text,
          problems.map(({ range }) => range),
        ).join(),
      );
      if (fixed === undefined) return;
      const [fix] = fixesFor(problems[0]!, file, world);
      assert.equal(apply(text, fix!.edits), fixed);
    });
  }

  for (const text of [
    '{"agent":"Sailboat","method":"SendStreamingMessage","message":[{"raw":"","mediaType":"image/webp"},{"url":"x","mediaType":"image/gif"}]}',
    '{"agent":"http://other:1","message":[{"raw":"","mediaType":"x/y"}]}',
    '{"agent":"{{host}}","method":"SubscribeToTask","params":{"id":"1"}}',
    '{"agent":"Sailboat","jsonrpc":"2.0","method":"message/send","params":{"message":{"parts":[{"kind":"text"}]}}}',
  ]) {
    test(`nothing wrong: ${text.slice(0, 60)}`, () => assert.deepEqual(problemsInContext(read(text), world), []));
  }
});

suite('request language: tokens and outline', () => {
  test('pieces of what stands in braces', () => {
    const { text } = marked(file('{"message":"{{color}} {{ draw.task.id }} {{$env  A B}} {{nope}} {{$no}} {{a b}}"}'));
    const found = tokens(read(text));
    assert.deepEqual(
      found.filter(({ kind }) => kind !== 'brace').map(({ kind, range }) => [kind, covered(text, [range])[0]]),
      [
        ['function', '$secret'],
        ['argument', 'KEY'],
        ['variable', 'color'],
        ['request', 'draw'],
        ['path', '.task.id'],
        ['function', '$env'],
        ['argument', 'A B'],
        ['unknown', 'nope'],
        ['unknown', '$no'],
      ],
    );
    for (const [index, { range }] of found.entries()) assert.ok(index === 0 || range.offset >= endOf(found[index - 1]!.range));
  });

  test('variables and requests', () => {
    const symbols = outline(read(file('{"method":"tasks/get"}')));
    assert.deepEqual(
      symbols.map(({ name, detail, kind }) => [typeof name === 'string' ? name : english(name), detail, kind]),
      [
        ['color', 'red', 'variable'],
        ['deep', '', 'variable'],
        ['secret', 'x {{$secret KEY}}', 'variable'],
        ['draw', 'Sailboat', 'request'],
        ['Request 2', 'GetTask · Sailboat', 'request'],
      ],
    );
  });
});

suite('request language: half-typed text', () => {
  const whole = `// c
{
  "agent": "Sailboat", "variables": { "color": "r\\u00e9d", "deep": { "a": [1, "{{color}}"] } },
  "requests": [
    { "name": "draw", "message": "{{deep.a[1]}} \\\\{{ {{$env USER}}", },
    { "name": "again", "after": "draw", "method": "tasks/get", "params": { "id": "{{draw.task.id}}" }, "expect": { "state": "completed" } },
    { "message": [{ "kind": "text", "text": "{{city}}" }], "each": [{ "city": "x" }] },
  ],
}
`;
  /** Everything an editor asks, at one offset; every range must lie in the text. */
  function ask(text: string, offset: number): void {
    const read = readRequestFile(text, { names: new Set(values.keys()) });
    const inside = ({ offset: at, length }: { readonly offset: number; readonly length: number }): void =>
      assert.ok(at >= 0 && length >= 0 && at + length <= text.length, JSON.stringify({ text, offset, at, length }));
    completions(read, offset, world).forEach(({ range }) => inside(range));
    const shown = hover(read, offset, world);
    if (shown !== undefined) inside(shown.range);
    definitions(read, offset, world).forEach(({ range, path }) => path === undefined && inside(range));
    references(read, offset).forEach(inside);
    try {
      rename(read, offset, 'other').forEach(({ range }) => inside(range));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    for (const problem of problemsInContext(read, world)) {
      inside(problem.range);
      for (const { edits } of fixesFor(problem, read, world)) edits.forEach(({ range }) => inside(range));
    }
    tokens(read).forEach(({ range }) => inside(range));
    for (const { range, nameRange } of outline(read)) {
      inside(range);
      assert.ok(nameRange.offset >= range.offset && endOf(nameRange) <= endOf(range), text);
    }
  }

  const places = sampleOf(Array.from({ length: whole.length }, (_, index) => index));

  test('every prefix of a file', () => {
    for (const index of [...places, whole.length]) ask(whole.slice(0, index), index);
  });

  test('every file without one of its characters, at that place', () => {
    for (const index of places) ask(whole.slice(0, index) + whole.slice(index + 1), index);
  });

  test('any offset, also beyond the text', () => {
    for (const index of [...places, whole.length]) ask(whole, index);
    figure('F31', { texts: 3 * places.length }, `${3 * places.length} questions about half-typed files`);
    for (const offset of [-1, whole.length + 5]) {
      hover(read(whole), offset, world);
      references(read(whole), offset);
    }
  });

  test('the requests before the one that is typed stay', () => {
    const at = whole.indexOf('"again"');
    for (let index = at; index < whole.length; index += 1) assert.equal(readRequestFile(whole.slice(0, index)).requests[0]?.name, 'draw');
  });
});

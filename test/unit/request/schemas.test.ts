import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { operations } from '../../../src/protocol/message/operations.ts';
import type { JsonSchema } from '../../../src/request/schema/jsonSchema.ts';
import { requestKeys } from '../../../src/request/file/keys.ts';
import { methods } from '../../../src/request/text/methods.ts';
import { schemaProblems } from '../../../src/request/check/schemaProblems.ts';
import type { RequestProblem } from '../../../src/request/text/requestProblem.ts';
import { jsoncTree } from '../../../src/request/text/syntaxErrors.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { defaultsSchema } from '../../../src/request/schema/defaultsSchema.ts';
import { matcherSchema, resultSchema } from '../../../src/request/schema/madeSchemas.ts';
import { readySchemas } from '../../../src/request/schema/readySchemas.ts';
import { requestFileSchema } from '../../../src/request/schema/requestFileSchema.ts';
import { jsonSchemas } from '../../../src/request/schema/schemas.ts';
import { completions, findings, hover } from '../../support/request/jsonService.ts';
import { covered, marked } from '../../support/request/marked.ts';

const a2a = 'a2a.schema.json';
const card = 'agent-card.schema.json';

/** What editor and terminal say is wrong: the places between « and », and a word of each message. */
const diagnosed: readonly (readonly [text: string, messages: readonly RegExp[]])[] = [
  ['{"agent":"x","message":"hi", // comment\n}', []],
  ['{"agent":"x","variables":{"n":[1,{"a":null}]},"requests":[{"name":"a","message":"x",},],}', []],
  ['{"agent":"x","message":["a",{"text":"b","mediaType":"text/markdown"},{"raw":"aGk="},{"url":"http://x"},{"data":null}]}', []],
  ['{"agent":"x","method":"GetTask","params":{"id":"{{a.task.id}}","historyLength":"{{n}}"}}', []],
  ['{"agent":"x","method":"ListTasks","params":{"status":"{{s}}","includeArtifacts":"{{b}}","pageSize":100}}', []],
  ['{"agent":"x","method":"tasks/cancel","params":{"id":"1","metadata":{"any":{"thing":1}}}}', []],
  ['{"agent":"x","params":{"message":{"parts":[{"text":"x"}],"contextId":"c"},"configuration":{"returnImmediately":"{{b}}"}}}', []],
  [
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"x"}]}},«"extra"»:1}',
    [/no member "extra".*sent as it is/],
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"any":{"thing":1}},"expect":{"state":"completed"},«"expcet"»:{}}',
    [/Did you mean "expect"/],
  ],
  [
    '{"agent":"x","requests":[{"jsonrpc":"2.0","method":"x","name":"n","after":"n2","repeat":2,«"nmae"»:"y"},{"name":"n2","message":"x"}]}',
    [/Did you mean "name"/],
  ],
  ['{"method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"x"}]}}}', []],
  ['{"agent":"x","taskId":"t","type":"y","data":{"a":1}}', []],
  ['{"taskId":«7»,"data":{}}', [/"taskId" must be text, not a number/]],
  ['«[]»', [/The file must be an object, not a list/]],
  ['{"agent":«5»,"message":«5»}', [/"agent" must be text/, /"message" must be text or a list, not a number/]],
  ['{"message":«[]»}', [/must not be empty/]],
  ['{"message":[«5»]}', [/"message\[0\]" must be text or an object/]],
  ['{"message":[{«"kind"»:"text","text":"b"}]}', [/as in A2A 0\.3/]],
  ['{"message":[«{"mediaType":"x"}»]}', [/One of these is required: text, raw, url, data/]],
  ['{"message":[«{"text":"x","url":"y"}»]}', [/Only one of these/]],
  [
    '{"method":«"GetTsk"»,"params":{}}',
    [/"method" cannot be "GetTsk"\. Did you mean "GetTask"\? Allowed: SendMessage, SendStreamingMessage, GetTask/],
  ],
  ['{"method":"GetTask","params":«{»}}', [/"params" has no "id"/]],
  [
    '{"requests":[{"method":"tasks/get","params":{"id":«5»,"historyLength":«"x"»}}]}',
    [/text/, /"historyLength" must be a whole number, not text/],
  ],
  ['{"method":"ListTasks","params":{"status":«"done"»,"pageSize":«500»}}', [/TASK_STATE_WORKING/, /at most 100/]],
  [
    '{"requests":[{"name":"a",«"mesage"»:"x"}],«"foo"»:1}',
    [/[Uu]nknown key "mesage"\. Did you mean "message"/, /[Uu]nknown key "foo"\. Available: \$schema, agent/],
  ],
  ['{"requests":«{}»}', [/"requests" must be a list, not an object/]],
  ['{"requests":[«"x"»]}', [/"requests\[0\]" must be an object, not text/]],
  [
    '{"method":"SendMessage","params":{"message":{"parts":[«"x"»]},"configuration":{«"blocking"»:true}}}',
    [/object/, /no member "blocking".*sent as it is/],
  ],
  ['{"method":"GetTask","params":{"id":"1",«"histroyLength"»:5}}', [/Did you mean "historyLength"/]],
  ['{"message":[{"data":{"any":1},"metadata":{"x-mine":{}}}]}', []],
  [
    '{"params":{"message":{"parts":[{"text":"x"}],"metadata":{"https://x/ext":{"a":1}},"extensions":["https://x/ext"]},"metadata":{"a":1}}}',
    [],
  ],
  [
    '{"message":"x","expect":{"state":«"compleeted"»,«"txt"»:"y"}}',
    [/Did you mean "completed"\? Allowed: .*failed/, /Did you mean "text"/],
  ],
  ['{"message":"x",«"expcet"»:{}}', [/Did you mean "expect"/]],
  ['{"message":"x",«"retries"»:{},"skip":true}', [/[Uu]nknown key "retries"/]],
  ['{«"request"»:{"message":"x"}}', [/Did you mean "requests"/]],
  ['{"requests":[{«"name"»:"a"},«{»},{"agent":"x",«"name"»:"b"}]}', [/Nothing to send/, /Nothing to send/, /Nothing to send/]],
  ['«{»"agent":"x"}', [/Nothing to send/]],
  ['{}', []],
  ['', []],
  ['{"message":"x","repeat":«0»}', [/at least 1/]],
  ['{"message":"x","each":[«5»]}', [/an object/]],
  ['{"message":"x","each":«[]»}', [/must not be empty/]],
  ['{"message":"x","interface":«"1.0 0.3"»}', [/"1\.0 0\.3" is not an interface/]],
  ['{"message":"x","message":"y"}', []],
  ['{"message":"x","expect":{"text":{«"contians"»:"y"}}}', [/Did you mean "contains"/]],
  [
    '{"message":"x","expect":{"paths":{"task.id":{«"eqals"»:"y"},«"a b"»:1}}}',
    [/Unknown matcher "eqals"\. Did you mean "equals"/, /not a path/],
  ],
  [
    '{"message":"x","expect":{"paths":{"task.id":{"contains":"y",«"prefix"»:"z"},"task.metadata":{"n":1,"tags":["x"]}}}}',
    [/Available: equals, not/],
  ],
  [
    '{"message":"x","expect":{"paths":{"a":{"not":{«"prefix"»:"z"}},"b":{"matches":«"("»},"c":{"type":«"strng"»}}}}',
    [/Unknown matcher/, /regular expression/, /Did you mean "string"/],
  ],
  [
    '{"message":"x","expect":{"data":{«"requierd"»:["a"],"properties":{"requierd":{"type":«"strng"»,"title":"t","x-mine":1},"b":{«"$dynamicRef"»:false}}}}}',
    [/Did you mean "required"/, /Allowed: string/, /would not be checked/],
  ],
  ['{"message":"x","expect":{"text":«""»,"paths":«{}»}}', [/"text" must not be empty/, /"paths" must not be empty/]],
  ['{"message":"x","expect":{"text":«[]»}}', [/must not be empty/]],
  ['{"message":"x","expect":{"text":«{}»}}', [/must not be empty/]],
  [
    '{"message":"x","expect":{"text":{"not":«{}»},"paths":{"task.id":{"not":«{}»},"task.metadata":{}}}}',
    [/"not" must not be empty/, /"not" must not be empty/],
  ],
  ['{"message":"x","expect":{"text":{"matches":«""»},"artifacts":[],"findings":[]}}', [/must not be empty/]],
  [
    '{"message":"x","expect":{"state":{"in":["completed","TASK_STATE_INPUT_REQUIRED","{{s}}"],"not":"failed"},"status":{"lt":500,"not":[401]},"totalMs":{"lt":5000,"gt":"{{n}}"},"firstEventMs":{"not":{"gt":9}},"error":{"code":{"in":[-32001,"x"]},"message":{"matches":"a"},"data":{"n":1}},"headers":{"a":{"not":"b"}}}}',
    [],
  ],
  ['{"message":"x","expect":{"artifacts":{"gte":"{{n}}","not":[1,2]}}}', []],
  ['{"message":"x","expect":{"states":["{{s}}",["working","failed"],{"not":"failed"}]}}', []],
  ['{"message":"x","expect":{"states":[{"in":[«"wrking"»]},{«"matches"»:"x"}]}}', [/"working"/, /[Uu]nknown key "matches"/]],
  ['{"message":"x","expect":{"artifacts":{"lt":«"x"»,«"gtt"»:1}}}', [/"lt" must be a number, not text/, /Did you mean "gt"/]],
  ['{"message":"x","expect":{"artifacts":[{"count":{«"contains"»:1}},{"count":{"gt":1}}]}}', [/[Uu]nknown key "contains"/]],
  ['{"message":"x","expect":{"status":"{{n}}","artifacts":"{{n}}","totalMs":"{{n}}","events":[{"state":"{{s}}"}]}}', []],
  ['{"message":"x","expect":{"state":{"in":["completed",«"faled"»]}}}', [/Did you mean "failed"\? Allowed: unknown, submitted/]],
  ['{"message":"x","expect":{"state":{"not":«"compleeted"»}}}', [/Did you mean "completed"/]],
  ['{"message":"x","expect":{"state":{"not":["failed",«"compleeted"»]}}}', [/Did you mean "completed"/]],
  ['{"message":"x","expect":{"state":{"not":{"in":[«"compleeted"»]}}}}', [/Did you mean "completed"/]],
  [
    '{"message":"x","expect":{"state":{«"oneOf"»:["failed"],"equals":«"done"»}}}',
    [/[Uu]nknown key "oneOf"\. Available: equals, in, not/, /Allowed:/],
  ],
  ['{"message":"x","expect":{"state":«{}»,"status":{"in":«[]»}}}', [/"state" must not be empty/, /"in" must not be empty/]],
  ['{"message":"x","expect":{"state":«7»}}', [/"state" must be text, a list or an object, not a number/]],
  [
    '{"message":"x","expect":{"totalMs":«"5"»,"status":«true»}}',
    [/"totalMs" must be a number or an object, not text/, /a whole number, a list or an object/],
  ],
  [
    '{"message":"x","expect":{"events":[{"withinMs":{"lt":"{{n}}","not":5},"afterMs":{"gte":5},"gapMs":{"closeTo":{"value":5,"within":1}}}]}}',
    [],
  ],
  [
    '{"message":"x","expect":{"events":[{"withinMs":{«"les"»:5,"lt":«"5"»},"afterMs":«"5"»,"gapMs":«{}»}]}}',
    [
      /[Uu]nknown key "les"\. Available: min, max, lt/,
      /"lt" must be a number/,
      /"afterMs" must be a number or an object/,
      /must not be empty/,
    ],
  ],
  ['{"message":"x","expect":{"events":{"maxGapMs":{«"contains"»:5}}}}', [/[Uu]nknown key "contains"/]],
  [
    '{"message":"x","expect":{"totalMs":{«"les"»:5,"gt":«"x"»},"status":{"lt":«"500"»,"in":[«99»]}}}',
    [/Available: min, max, lt/, /a number/, /a number/, /at least 100/],
  ],
  [
    '{"message":"x","expect":{"error":{«"cod"»:1,"message":{«"contians"»:"x","matches":«"("»},"data":{"type":«"strng"»}}}}',
    [/Did you mean "code"/, /Did you mean "contains"/, /regular expression/, /Did you mean "string"/],
  ],
  [
    '{"message":"x","expect":{"error":{"message":{"not":«{}»}},"events":[{"state":{"in":[«"workin"»]}}]}}',
    [/must not be empty/, /Did you mean "working"/],
  ],
  [
    '{"message":"x","expect":{"headers":{"a":{«"contians"»:"x"},"b":{"matches":«"("»}}}}',
    [/Did you mean "contains"/, /regular expression/],
  ],
  ['{"variables":«[]»,"message":"x"}', [/object/]],
  ['{"jsonrpc":«"1.0"»,"method":"x"}', [/2\.0/]],
];

const completed: readonly (readonly [text: string, offered: readonly string[], notOffered?: readonly string[]])[] = [
  // An empty file has offers of our own (`emptyFileOffers`).
  ['‸', [], ['Request', 'Requests']],
  ['{‸}', ['agent', 'message', 'method', 'name', 'params', 'requests', 'variables']],
  ['{"requests":[],‸}', ['agent', 'variables'], ['message', 'method']],
  ['{"requests":[‸]}', ['Cancel task', 'Follow-up', 'Get task', 'List tasks', 'Message']],
  ['{"requests":[{‸}]}', Object.keys(requestKeys), ['variables', 'requests']],
  ['{"requests":[{"name":"a",‸', ['after', 'agent', 'message', 'method', 'params'], ['name']],
  ['{"requests":[{"method":‸}]}', [...operations, ...operations.flatMap(operation => methods[operation].olderNames)]],
  ['{"requests":[{"method":"‸"}]}', [...operations]],
  ['{"requests":[{"method":"GetTask","params":{‸}}]}', ['historyLength', 'id', 'tenant'], ['message', 'pageSize']],
  ['{"requests":[{"method":"tasks/list","params":{‸}}]}', ['contextId', 'pageSize', 'status'], ['id', 'message']],
  ['{"requests":[{"method":"ListTasks","params":{"status":‸}}]}', ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']],
  ['{"requests":[{"method":"ListTasks","params":{"includeArtifacts":‸}}]}', ['true', 'false']],
  ['{"requests":[{"params":{‸}}]}', ['configuration', 'message', 'metadata'], ['id']],
  ['{"requests":[{"params":{"message":{‸}}}]}', ['parts', 'contextId', 'taskId', 'referenceTaskIds', 'role']],
  ['{"expect":{"state":‸}}', ['completed', 'TASK_STATE_COMPLETED', 'input-required']],
  ['{"expect":{"state":{‸}}}', ['equals', 'in', 'not'], ['contains']],
  ['{"expect":{"state":{"in":[‸]}}}', ['completed', 'input-required']],
  ['{"expect":{"state":{"not":‸}}}', ['completed', 'input-required']],
  ['{"expect":{"state":{"not":{"in":[‸]}}}}', ['completed']],
  ['{"expect":{"events":[{"state":{"in":[‸]}}]}}', ['working']],
  ['{"expect":{"status":{‸}}}', ['equals', 'in', 'not', 'lt', 'gte', 'closeTo'], ['contains', 'schema']],
  ['{"expect":{"artifacts":{‸}}}', ['lt', 'gte', 'not'], ['contains', 'matches']],
  ['{"expect":{"totalMs":{‸}}}', ['lt', 'gt', 'min', 'not'], ['in', 'matches']],
  ['{"expect":{"events":[{"withinMs":{‸}}]}}', ['lt', 'gt', 'not'], ['in', 'matches']],
  ['{"expect":{"events":[{"afterMs":{‸}}]}}', ['lt', 'gt', 'not'], ['in', 'matches']],
  ['{"expect":{"events":{"inOrder":[{"gapMs":{‸}}]}}}', ['lt', 'closeTo'], ['in', 'matches']],
  ['{"expect":{"events":{"maxGapMs":{‸}}}}', ['lt', 'gt', 'not'], ['in', 'matches']],
  ['{"expect":{"error":{‸}}}', ['code', 'message', 'data', 'in', 'not', 'exists']],
  ['{"expect":{"error":{"code":{‸}}}}', ['in', 'not', 'equals']],
  ['{"expect":{"error":{"message":{‸}}}}', ['matches', 'contains']],
  ['{"expect":{"error":{"data":{‸}}}}', ['schema', 'contains']],
  ['{"expect":{"text":{‸}}}', ['matches', 'contains']],
  ['{"expect":{"headers":{"a":{‸}}}}', ['matches', 'contains']],
  ['{"until":{"expect":{"state":{‸}}}}', ['equals', 'in', 'not']],
  ['{"waitFor":‸}', ['working', 'completed']],
  ['{"message":‸}', ['Text', 'Parts']],
  ['{"message":[{‸}]}', ['text', 'raw', 'url', 'data', 'mediaType', 'filename', 'metadata']],
];

const hovered: readonly (readonly [text: string, shown: RegExp])[] = [
  ['{"‸message":"x"}', /What to say to the agent/],
  ['{"‸agent":"x","requests":[]}', /`a2a\.agents`/],
  ['{"requests":[{"‸after":"x","message":"y"}]}', /continues/],
  ['{"requests":[{"method":"‸GetTask"}]}', /Reads a task as it is now/],
  ['{"requests":[{"method":"‸tasks/get"}]}', /Older name of GetTask/],
  ['{"requests":[{"method":"GetTask","‸params":{"id":"x"}}]}', /Parameters of GetTask/],
  ['{"requests":[{"method":"GetTask","params":{"‸id":"x"}}]}', /Id of the task/],
  ['{"message":[{"‸raw":"x"}]}', /base64/],
  ['{"expect":{"state":{"‸in":["failed"]}}}', /one of these/],
  ['{"expect":{"status":{"‸lt":500}}}', /less than this/],
  ['{"expect":{"totalMs":{"‸not":500}}}', /stands alone must not be so/],
  ['{"expect":{"events":[{"withinMs":{"‸lt":500}}]}}', /less than this/],
  ['{"expect":{"error":{"‸message":"x"}}}', /agent's message contains/],
];

const skill = { id: 's', name: 'S', description: 'd', tags: ['t'] };
const v1_0 = {
  name: 'Tide tables',
  description: 'Knows when the tide comes in.',
  version: '2.1.0',
  supportedInterfaces: [{ url: 'https://tides.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['application/json'],
  skills: [skill],
  securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
};
const v0_3 = {
  protocolVersion: '0.3.0',
  name: 'Tide tables',
  description: 'Knows when the tide comes in.',
  version: '1.9.0',
  url: 'https://tides.example/rpc',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [{ url: 'https://tides.example/v1', transport: 'HTTP+JSON' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [skill],
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'oauth2', flows: {} } },
  security: [{ key: [] }],
};

const cards: readonly (readonly [title: string, card: object, found: readonly (readonly [at: string, message: RegExp])[]])[] = [
  ['1.0', v1_0, []],
  ['0.3', v0_3, []],
  ['0.2 that says so', { ...v0_3, protocolVersion: '0.2.6' }, []],
  [
    '0.1',
    {
      name: 'x',
      url: 'https://x',
      version: '1',
      capabilities: {},
      authentication: { schemes: ['Bearer'] },
      skills: [{ id: 'a', name: 'A' }],
    },
    [],
  ],
  [
    '0.1 that says so, with nulls',
    {
      protocolVersion: '0.1',
      name: 'x',
      description: null,
      url: 'https://x',
      version: '1',
      capabilities: {},
      authentication: null,
      skills: [],
    },
    [],
  ],
  ['of both generations: the 1.0 part counts', { ...v0_3, ...v1_0, security: 5 }, []],
  ['1.0 without skills', { ...v1_0, skills: undefined }, [['{', /^The file has no "skills"\.$/]]],
  ['1.0 without an interface', { ...v1_0, supportedInterfaces: [] }, [['[]', /must not be empty/]]],
  [
    '1.0 with half an interface',
    { ...v1_0, supportedInterfaces: [{ url: 'https://x' }] },
    [
      ['{', /protocolBinding/],
      ['{', /protocolVersion/],
    ],
  ],
  ['1.0 with a wrong type', { ...v1_0, capabilities: { streaming: 'yes' } }, [['"yes"', /must be true or false/]]],
  [
    '1.0 with a wrong place of a key',
    { ...v1_0, securitySchemes: { key: { apiKeySecurityScheme: { location: 'head', name: 'x' } } } },
    [['"head"', /query, header, cookie/]],
  ],
  [
    '0.3 with half a skill',
    { ...v0_3, skills: [{ id: 'x', name: 'n' }] },
    [
      ['{', /"description"/],
      ['{', /"tags"/],
    ],
  ],
  [
    '0.3 with schemes that are none',
    { ...v0_3, securitySchemes: { a: { type: 'apiKey', name: 'x' }, b: { type: 'basic' }, c: {} } },
    [
      ['{', /^"a" has no "in"\.$/],
      ['"basic"', /apiKey, http, oauth2/],
      ['{', /^"c" has no "type"\.$/],
    ],
  ],
  ['by its protocol version 0.3', { ...v0_3, url: undefined }, [['{', /^The file has no "url"\.$/]]],
];

suite('schema of request files', () => {
  for (const [source, messages] of diagnosed) {
    test(`${messages.length === 0 ? 'good' : 'bad'}: ${source}`, async () => {
      const { text, ranges } = marked(source);
      const found = readRequestFile(text).problems.filter(
        ({ code, inSchema }) =>
          inSchema !== true && !['no-agent', 'unknown-name', 'unknown-request', 'no-params', 'no-message'].includes(code),
      );
      assert.deepEqual(
        covered(
          text,
          found.map(({ range }) => range),
        ),
        covered(text, ranges),
      );
      assert.deepEqual(
        found.map(({ range }) => range),
        ranges,
      );
      for (const [index, message] of messages.entries()) assert.match(english(found[index]!.sentence), message);
      // The editor's own JSON support says nothing of it, but where it is not JSON.
      const also =
        text === '' || text.includes(',]') || text.includes('//') || text.includes('"message":"y"') ? [] : await findings(a2a, text);
      assert.deepEqual(also, []);
    });
  }
  for (const [source, offered, notOffered = []] of completed) {
    test(`completion: ${source}`, async () => {
      const { text, caret } = marked(source);
      const labels = await completions(a2a, text, caret);
      assert.deepEqual(
        offered.filter(label => !labels.includes(label)),
        [],
        labels.join(' '),
      );
      assert.deepEqual(
        notOffered.filter(label => labels.includes(label)),
        [],
      );
    });
  }
  for (const [source, shown] of hovered) {
    test(`hover: ${source}`, async () => {
      const { text, caret } = marked(source);
      assert.match((await hover(a2a, text, caret)).replaceAll('\\', ''), shown);
    });
  }
});

suite('schema of agent cards', () => {
  const { if: cardSchema = {} } = jsonSchemas()[card];
  for (const [title, value, expected] of cards) {
    test(title, async () => {
      const text = JSON.stringify(value, null, 2);
      const found = schemaProblems(jsoncTree(text).root!, cardSchema).sort((one, other) => one.range.offset - other.range.offset);
      assert.deepEqual(
        found.map(({ range }) => text.slice(range.offset, range.offset + range.length)),
        expected.map(([at]) => at),
        JSON.stringify(found),
      );
      for (const [index, [, message]] of expected.entries()) assert.match(english(found[index]!.sentence), message);
      // The editor's own JSON support would underline all of an object that lacks a member.
      assert.deepEqual(await findings(card, text), []);
    });
  }

  const offers: readonly (readonly [text: string, offered: readonly string[], notOffered: readonly string[]])[] = [
    ['{‸}', ['supportedInterfaces', 'skills', 'capabilities'], ['preferredTransport']],
    ['{"url":"x",‸}', ['preferredTransport', 'additionalInterfaces'], ['supportedInterfaces']],
    ['{"supportedInterfaces":[{"protocolBinding":‸}]}', ['JSONRPC', 'GRPC', 'HTTP+JSON'], []],
    ['{"url":"x","securitySchemes":{"k":{"type":‸}}}', ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'], []],
    ['{"url":"x","securitySchemes":{"k":{"type":"http",‸}}}', ['scheme', 'bearerFormat'], ['in', 'flows']],
  ];
  for (const [source, offered, notOffered] of offers) {
    test(`completion: ${source}`, async () => {
      const { text, caret } = marked(source);
      const labels = await completions(card, text, caret);
      assert.deepEqual(
        offered.filter(label => !labels.includes(label)),
        [],
        labels.join(' '),
      );
      assert.deepEqual(
        notOffered.filter(label => labels.includes(label)),
        [],
      );
    });
  }

  test('hover', async () => {
    const { text, caret } = marked('{"name":"x","‸supportedInterfaces":[]}');
    assert.match(await hover(card, text, caret), /preferred interface first/);
  });
});

suite('schemas that are made when the product is built', () => {
  const whole = requestFileSchema();
  /** As they are read from `dist/schemas`. */
  const read = JSON.parse(JSON.stringify(readySchemas())) as Readonly<Record<string, JsonSchema>>;
  const problemsIn = (text: string, schema: JsonSchema | undefined): readonly RequestProblem[] => {
    const { root } = jsoncTree(text);
    assert.ok(root !== undefined && schema !== undefined, text);
    return [...schemaProblems(root, schema)];
  };

  test('that of request files finds the same as the whole one', () => {
    let found = 0;
    for (const [source] of diagnosed) {
      const { text } = marked(source);
      if (jsoncTree(text).root === undefined) continue;
      const problems = problemsIn(text, whole);
      found += problems.length;
      assert.deepEqual(problemsIn(text, read['checked.json']), problems, source);
    }
    assert.ok(found > 50, String(found));
  });

  test('that of defaults and that of matchers find the same as the whole ones', () => {
    for (const [file, made, texts] of [
      [
        'checked-defaults.json',
        defaultsSchema(),
        ['{"agnet":"x"}', '{"agent":7}', '{"headers":{"a":[]}}', '{"interface":{"protocol":"1.0"}}', '{"protocolVersion":"9"}', '[]'],
      ],
      ['checked-matchers.json', matcherSchema(), ['{"lt":"x"}', '{"contains":7}', '{"type":"text"}', '{"exists":1}', '{"matches":{}}']],
    ] as const) {
      const found = texts.map(text => problemsIn(text, made));
      assert.ok(found.flat().length >= texts.length - 1, JSON.stringify(found));
      assert.deepEqual(
        texts.map(text => problemsIn(text, read[file])),
        found,
      );
    }
  });

  test('that of results has what is offered with its words, the others have no texts for people', () => {
    assert.deepEqual(read['results.json'], JSON.parse(JSON.stringify(resultSchema())));
    assert.equal(read['results.json']?.properties?.['context']?.properties?.['id']?.description, 'Id of the context.');
    for (const [name, schema] of Object.entries(read)) {
      if (name === 'results.json') continue;
      assert.ok(!/"(description|markdownDescription|defaultSnippets|examples|enumDescriptions)":["[]/.test(JSON.stringify(schema)), name);
      assert.ok(JSON.stringify(schema).length < 60_000, name);
    }
  });
});

suite('schemas', () => {
  /** Every member that a schema names, with its path. */
  function* members(schema: JsonSchema, path: string): Iterable<readonly [path: string, schema: JsonSchema]> {
    for (const [name, value] of Object.entries(schema.properties ?? {})) {
      yield [`${path}.${name}`, value];
      yield* members(value, `${path}.${name}`);
    }
    const inner = [
      ...['items', 'then', 'else', 'additionalProperties'].map(key => schema[key]),
      ...(schema.anyOf ?? []),
      ...(schema.allOf ?? []),
      ...(Object.values((schema['definitions'] ?? {}) as object) as unknown[]),
    ];
    for (const value of inner) if (typeof value === 'object' && value !== null) yield* members(value as JsonSchema, path);
  }

  for (const [name, schema] of Object.entries(jsonSchemas())) {
    test(`${name}: draft-07, no oneOf, every member described`, () => {
      assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#');
      assert.ok(!JSON.stringify(schema).includes('"oneOf"'));
      const bare = [...members(name === a2a ? schema.if! : schema, ''), ...members({ definitions: schema['definitions'] }, '')]
        .filter(([, value]) => value.description === undefined && value['$ref'] === undefined)
        .map(([path]) => path);
      assert.deepEqual([...new Set(bare)], []);
    });
  }
});

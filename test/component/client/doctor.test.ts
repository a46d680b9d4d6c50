import * as assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { CardDiagnoser, type CardDiagnoserOptions } from '../../../src/client/doctor/cardDoctor.ts';
import type { Diagnosis } from '../../../src/client/doctor/diagnosis.ts';
import type { Http } from '../../../src/client/http/http.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { BindingName } from '../../../src/mock/binding.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';
import { serveGrpcAgent } from '../../support/client/grpcAgents.ts';
import { restServer0_3, restServer1_0, type RestServer } from '../../support/client/restServers.ts';
import { OpenThings } from '../../support/client/openThings.ts';

/** An agent that has one task and answers at one path alone. */
function script(path?: string): Script {
  const at =
    (turn: (request: ReceivedRequest) => Step[]) =>
    (request: ReceivedRequest): Step[] =>
      path === undefined || request.url === path ? turn(request) : [{ status: 404 }, { html: 'nothing here' }];
  const done = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' as const } };
  return {
    GetTask: at(({ params }) =>
      (params as { readonly id: string }).id === 't' ? [{ answer: done }] : [{ error: { code: -32001, message: 'no such task' } }],
    ),
    SendMessage: at(() => [{ answer: { task: done } }]),
  };
}

interface Case {
  /** The generation that the agent really speaks; `1.0` where it is left out. */
  readonly speaks?: string;
  /** The binding it really has; `JSONRPC` where it is left out. */
  readonly binding?: BindingName;
  /** The only path it answers at. */
  readonly path?: string;
  /** The card it has, at its address and at the given port. */
  readonly card: (url: string, port: string) => unknown;
  readonly lookUp?: CardDiagnoserOptions['lookUp'];
  readonly finds: readonly [rule: string, pointer: string, severity: Diagnosis['severity']];
  readonly says: RegExp;
  /** What the remedy changes; undefined where there is none. */
  readonly remedy: ((url: string) => object) | undefined;
  /** False where nothing but the remedy makes it work. */
  readonly worksBefore?: boolean;
}

const unknownHost = async (): Promise<never> => {
  throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
};
const entry = (url: string, protocolVersion = '1.0', protocolBinding = 'JSONRPC'): object => ({ url, protocolBinding, protocolVersion });
const withInterface = (url: string, protocolVersion = '1.0', protocolBinding = 'JSONRPC'): object => ({
  ...minimalCard('/', '1.0'),
  supportedInterfaces: [entry(url, protocolVersion, protocolBinding)],
});
const urlPointer = '/supportedInterfaces/0/url';

const cases: Readonly<Record<string, Case>> = {
  'an address to listen on': {
    card: (_url, port) => withInterface(`http://0.0.0.0:${port}/`),
    worksBefore: true,
    finds: ['CARD-06', urlPointer, 'warning'],
    says: /0\.0\.0\.0.*clients cannot connect/,
    remedy: url => entry(url),
  },
  'the same in IPv6': {
    card: (_url, port) => withInterface(`http://[::]:${port}/`),
    worksBefore: true,
    finds: ['CARD-06', urlPointer, 'warning'],
    says: /clients cannot connect/,
    remedy: url => entry(url),
  },
  'an address that is not whole': {
    card: () => withInterface('/'),
    worksBefore: true,
    finds: ['CARD-06', urlPointer, 'warning'],
    says: /which is incomplete/,
    remedy: url => entry(url),
  },
  'the name of a container': {
    card: () => withInterface('http://agent:9999/'),
    lookUp: unknownHost,
    finds: ['CARD-06', urlPointer, 'error'],
    says: /host agent, which is not found from this machine.*answers at/,
    remedy: url => entry(url),
  },
  'a host that is known, but not the one the card came from': {
    card: (_url, port) => withInterface(`http://host.docker.internal:${port}/`),
    lookUp: async () => '127.0.0.1',
    finds: ['CARD-06', urlPointer, 'error'],
    says: /host host\.docker\.internal:\d+ but was served from 127/,
    remedy: url => entry(url),
  },
  'a name that is not known, and nobody here': {
    card: () => withInterface('http://agent:9999/a2a'),
    path: '/nowhere',
    lookUp: unknownHost,
    finds: ['CARD-06', urlPointer, 'error'],
    says: /not found from this machine[^;]*\.$/,
    remedy: undefined,
  },
  'https that is http': {
    card: (_url, port) => withInterface(`https://127.0.0.1:${port}/`),
    finds: ['CARD-06', urlPointer, 'error'],
    says: /says https:.*was served over http;/,
    remedy: url => entry(url),
  },
  'another port': {
    card: () => withInterface('http://127.0.0.1:1/a2a'),
    path: '/a2a',
    finds: ['CARD-06', urlPointer, 'error'],
    says: /another port/,
    remedy: url => entry(`${url}a2a`),
  },
  'a path where nothing is': {
    card: url => withInterface(`${url}old`),
    path: '/',
    finds: ['CARD-07', urlPointer, 'error'],
    says: /HTTP 404.*one does at/,
    remedy: url => entry(url),
  },
  'a slash too many': {
    card: url => withInterface(`${url}a2a/`),
    path: '/a2a',
    finds: ['CARD-07', urlPointer, 'error'],
    says: /HTTP 404/,
    remedy: url => entry(`${url}a2a`),
  },
  'the address of an operation': {
    card: url => withInterface(`${url}rpc/v1/message:send`),
    path: '/rpc',
    finds: ['CARD-07', urlPointer, 'error'],
    says: /HTTP 404/,
    remedy: url => entry(`${url}rpc`),
  },
  'nothing anywhere': {
    card: url => withInterface(`${url}old`),
    path: '/elsewhere',
    finds: ['CARD-07', urlPointer, 'error'],
    says: /No agent answers at .*old \(HTTP 404\)\.$/,
    remedy: undefined,
  },
  '1.0 that is 0.3': {
    speaks: '0.3',
    card: url => withInterface(url),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolVersion', 'error'],
    says: /says A2A 1\.0 .* uses 0\.3/,
    remedy: url => entry(url, '0.3'),
  },
  '0.3 that is 1.0': {
    card: url => minimalCard(url, '0.3'),
    finds: ['CARD-07', '/protocolVersion', 'error'],
    says: /says A2A 0\.3 .* uses 1\.0/,
    remedy: url => entry(url, '1.0'),
  },
  'a moved 1.0 that is 0.3': {
    speaks: '0.3',
    card: () => withInterface('http://agent:1/'),
    lookUp: unknownHost,
    finds: ['CARD-06', urlPointer, 'error'],
    says: /not found from this machine/,
    remedy: url => entry(url, '0.3'),
  },
  'JSON-RPC under HTTP+JSON': {
    card: url => withInterface(url, '1.0', 'HTTP+JSON'),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolBinding', 'error'],
    says: /says HTTP\+JSON for .* uses JSONRPC/,
    remedy: url => entry(url),
  },
  'the address of an operation, and JSON-RPC below it': {
    card: url => withInterface(`${url}rpc/message:stream`, '1.0', 'HTTP+JSON'),
    path: '/rpc',
    finds: ['CARD-07', '/supportedInterfaces/0/protocolBinding', 'error'],
    says: /uses JSONRPC/,
    remedy: url => entry(`${url}rpc`),
  },
  'HTTP+JSON under JSONRPC': {
    binding: 'HTTP+JSON',
    card: url => withInterface(url),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolBinding', 'error'],
    says: /says JSONRPC for .* uses HTTP\+JSON/,
    remedy: url => entry(url, '1.0', 'HTTP+JSON'),
  },
  'HTTP+JSON of 0.3 under JSONRPC': {
    speaks: '0.3',
    binding: 'HTTP+JSON',
    card: url => minimalCard(url, '0.3'),
    finds: ['CARD-07', '/preferredTransport', 'error'],
    says: /says JSONRPC/,
    remedy: url => entry(url, '0.3', 'HTTP+JSON'),
  },
  'HTTP+JSON of 0.3 that says 1.0': {
    speaks: '0.3',
    binding: 'HTTP+JSON',
    worksBefore: true,
    card: url => withInterface(url, '1.0', 'HTTP+JSON'),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolVersion', 'error'],
    says: /uses 0\.3/,
    remedy: url => entry(url, '0.3', 'HTTP+JSON'),
  },
  'HTTP+JSON of 1.0 that says 0.3': {
    binding: 'HTTP+JSON',
    card: url => withInterface(url, '0.3', 'HTTP+JSON'),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolVersion', 'error'],
    says: /uses 1\.0/,
    remedy: url => entry(url, '1.0', 'HTTP+JSON'),
  },
  '0.3 in name alone': {
    speaks: '0.3',
    worksBefore: true,
    card: url => ({ ...minimalCard(url, '0.3'), protocolVersion: '1.0' }),
    finds: ['CARD-07', '/protocolVersion', 'error'],
    says: /says A2A 1\.0 .* uses 0\.3/,
    remedy: url => entry(url, '0.3'),
  },
};

/** Answers messages alone: what it has done it does not tell again. */
const messagesAlone: Script = { SendMessage: script()['SendMessage']! };

const incomplete: Readonly<Record<string, Case & { readonly script: Script }>> = {
  'it answers messages and no question about a task': {
    script: messagesAlone,
    worksBefore: true,
    card: url => withInterface(url),
    finds: ['CARD-07', '', 'warning'],
    says: /answers messages in A2A 1\.0 .* does not have GetTask: .* cannot be/,
    remedy: undefined,
  },
  'the same over HTTP+JSON': {
    script: messagesAlone,
    binding: 'HTTP+JSON',
    worksBefore: true,
    card: url => withInterface(url, '1.0', 'HTTP+JSON'),
    finds: ['CARD-07', '', 'warning'],
    says: /answers messages in A2A 1\.0/,
    remedy: undefined,
  },
  'it answers messages of 0.3 and says 1.0': {
    script: messagesAlone,
    speaks: '0.3',
    card: url => withInterface(url),
    finds: ['CARD-07', '/supportedInterfaces/0/protocolVersion', 'error'],
    says: /says A2A 1\.0 .* uses 0\.3/,
    remedy: url => entry(url, '0.3'),
  },
  'an address to listen on where nothing answers': {
    script: {},
    card: () => withInterface('http://0.0.0.0:1/'),
    path: '/nowhere',
    finds: ['CARD-06', urlPointer, 'error'],
    says: /Nothing can be reached at http:\/\/127\.0\.0\.1:1\//,
    remedy: undefined,
  },
};

/** An agent of the first generations: a card at the old place, `tasks/get`, and of everything else only the methods it is given. */
const oldAgent =
  (card: (url: string) => unknown, ...methods: readonly string[]): RequestListener =>
  (request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => {
      body += data.toString();
    });
    request.on('end', () => {
      if (request.method === 'GET') {
        response
          .writeHead(request.url === '/.well-known/agent.json' ? 200 : 404)
          .end(JSON.stringify(card(`http://${request.headers.host}/`)));
        return;
      }
      const { id, method } = JSON.parse(body) as { readonly id: unknown; readonly method: string };
      const error = ['tasks/get', ...methods].includes(method)
        ? { code: -32001, message: 'no such task' }
        : { code: -32601, message: 'no such method' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
  };

suite('card doctor', () => {
  let http: Http;
  const things = new OpenThings();
  setup(() => {
    http = things.http({ connectTimeoutMs: 1_000 });
  });
  teardown(() => things.close());

  const start = (
    generation: string,
    agentScript: Script,
    card?: (url: string) => unknown,
    binding: BindingName = 'JSONRPC',
  ): Promise<ScriptedAgent> => things.agent(agentScript, generation, { binding, ...(card && { card }) });

  async function look(
    settings: AgentSettings,
    options: Partial<CardDiagnoserOptions> = {},
    sends = true,
  ): Promise<{ readonly agent: Agent; readonly works: boolean }> {
    const agents = new Agents({
      http,
      doctor: new CardDiagnoser({ http, ...options }),
      onError: error => {
        throw error;
      },
    });
    agents.configure({ Ann: settings });
    const agent = agents.get('Ann')!;
    await agent.check();
    await agent.diagnosed;
    return { agent, works: sends && (await works(agent)) };
  }

  /** The agent after it was asked for a task that it does not have: only a refusal makes the doctor ask whether it takes messages. */
  async function lookAfterRefusal(url: string): Promise<Agent> {
    const { agent } = await look({ url }, {}, false);
    await assert.rejects((await agent.connect()).call('GetTask', { id: 't' }));
    await agent.diagnosed;
    return agent;
  }

  async function works(agent: Agent): Promise<boolean> {
    try {
      const { result } = await (await agent.connect()).call('SendMessage', {
        message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] },
      });
      return 'task' in result && result.task.status.state === 'TASK_STATE_COMPLETED';
    } catch {
      return false;
    }
  }

  for (const [
    name,
    { speaks = '1.0', binding = 'JSONRPC', path, card, lookUp, finds, says, remedy, worksBefore = false },
  ] of Object.entries(cases)) {
    test(name, async () => {
      const server = await start(speaks, script(path), url => card(url, new URL(url).port), binding);
      const options = lookUp === undefined ? {} : { lookUp };
      const { agent, works: before } = await look({ url: server.url }, options);
      assert.deepEqual(
        agent.diagnosis.map(({ finding: { rule, pointer }, severity }) => [rule, pointer, severity]),
        [finds],
      );
      const [found] = agent.diagnosis;
      assert.match(found!.finding.message, says);
      assert.deepEqual(found!.suggestedFix?.change, remedy?.(server.url));
      assert.equal(before, worksBefore);
      if (found!.suggestedFix === undefined) return;
      const mended = await look({ url: server.url, interface: found!.suggestedFix.change }, options);
      assert.deepEqual(
        mended.agent.diagnosis.filter(({ severity }) => severity !== 'information'),
        [],
      );
      assert.equal(mended.works, true);
    });
  }

  for (const [
    name,
    { speaks = '1.0', binding = 'JSONRPC', script: turns, card, finds, says, remedy, worksBefore = false },
  ] of Object.entries(incomplete)) {
    test(`what works is told: ${name}`, async () => {
      const server = await start(speaks, turns, url => card(url, new URL(url).port), binding);
      const agent = await lookAfterRefusal(server.url);
      const [found] = agent.diagnosis;
      assert.deepEqual([found?.finding.rule, found?.finding.pointer, found?.severity], finds);
      assert.match(found!.finding.message, says);
      assert.doesNotMatch(agent.diagnosis.map(({ finding }) => finding.message).join(), /does not support A2A/);
      assert.deepEqual(found!.suggestedFix?.change, remedy?.(server.url));
      assert.equal(await works(agent), worksBefore);
    });
  }

  test('a card that looks wrong makes it send no message, which a careless agent would take for work', async () => {
    const server = await start('1.0', script(), url => withInterface(url, '1.0', 'HTTP+JSON'));
    const { agent } = await look({ url: server.url }, {}, false);
    assert.deepEqual(
      agent.diagnosis.map(({ suggestedFix }) => suggestedFix?.change),
      [entry(server.url)],
    );
    assert.deepEqual(
      server.requests.filter(({ body }) => /Send/.test(JSON.stringify(body ?? ''))),
      [],
    );
  });

  test('an interface of the card that has what another one lacks is offered', async () => {
    const whole = await start('1.0', script(), undefined, 'HTTP+JSON');
    const server = await start('1.0', messagesAlone, url => ({
      ...minimalCard('/', '1.0'),
      supportedInterfaces: [entry(url), entry(whole.url, '1.0', 'HTTP+JSON')],
    }));
    const agent = await lookAfterRefusal(server.url);
    assert.deepEqual(
      agent.diagnosis.map(({ severity, suggestedFix }) => [severity, suggestedFix?.change]),
      [['warning', entry(whole.url, '1.0', 'HTTP+JSON')]],
    );
  });

  test('a remedy that answers questions about tasks and takes no message is not offered', async () => {
    const url = await things.web(oldAgent(at => withInterface(at)));
    const agent = await lookAfterRefusal(url);
    assert.deepEqual(
      agent.diagnosis.map(({ suggestedFix }) => suggestedFix),
      [undefined],
    );
  });

  for (const [name, error, severity, says] of [
    [
      'lacks a method',
      { code: -32601, message: 'not here' },
      'warning',
      /^The agent answers that it does not have GetTask of A2A 1\.0 at /,
    ],
    [
      'refuses the version',
      { code: -32009, message: 'not that', data: { supportedVersions: ['2.0'] } },
      'error',
      /^The agent does not support A2A 1\.0 at .* says so\.$/,
    ],
  ] as const)
    test(`of an agent that streams and otherwise ${name}, that is said and no more`, async () => {
      const url: string = await things.web(async (request, response) => {
        if (request.method === 'GET') return void response.end(JSON.stringify(withInterface(url)));
        const { id } = (await json(request)) as { readonly id: unknown };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      });
      const { agent } = await look({ url });
      assert.deepEqual(
        agent.diagnosis.map(({ finding: { rule }, ...found }) => [rule, found.severity]),
        [['CARD-07', severity]],
      );
      assert.match(agent.diagnosis[0]!.finding.message, says);
    });

  test('an agent that answers in the shape of another version, whatever it is asked in, is found to use that one', async () => {
    const url: string = await things.web(async (request, response) => {
      if (request.method === 'GET') return void response.end(JSON.stringify(withInterface(url)));
      const { id } = (await json(request)) as { readonly id: unknown };
      const result = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const { agent } = await look({ url });
    assert.deepEqual(
      agent.diagnosis.map(({ finding: { rule, message }, suggestedFix }) => [rule, message, suggestedFix?.change]),
      [['CARD-07', `The card says A2A 1.0 for ${url}, but the agent uses 0.3.`, entry(url, '0.3')]],
    );
  });

  test('an agent of HTTP+JSON that answers an error with HTTP 200, and JSON-RPC too, is as its card says', async () => {
    const url: string = await things.web(async (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.url?.startsWith('/tasks/'))
        return void response.end(JSON.stringify({ error: { code: 404, status: 'NOT_FOUND', message: 'not found' } }));
      if (request.method === 'GET') return void response.end(JSON.stringify(withInterface(url, '1.0', 'HTTP+JSON')));
      const { id } = (await json(request)) as { readonly id: unknown };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } }));
    });
    assert.deepEqual((await look({ url }, {}, false)).agent.diagnosis, []);
  });

  test('an answer that comes while the doctor looks refutes what it then finds', async () => {
    const sent = Promise.withResolvers<void>();
    const url: string = await things.web(async (request, response) => {
      if (request.method === 'GET') return void response.end(JSON.stringify(withInterface(`${url}a2a`)));
      const { id, method } = (await json(request)) as { readonly id: unknown; readonly method: string };
      if (method === 'GetTask') {
        await sent.promise;
        return void response.writeHead(404).end();
      }
      const result = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const agents = new Agents({ http, doctor: new CardDiagnoser({ http }), onError: assert.ifError });
    agents.configure({ Ann: { url } });
    const agent = agents.get('Ann')!;
    await agent.check();
    assert.equal(await works(agent), true);
    sent.resolve();
    await agent.diagnosed;
    assert.deepEqual(agent.diagnosis, []);
  });

  for (const [name, result, isRefuted] of [
    ['in its version', { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }, true],
    ['in another version', { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }, false],
  ] as const)
    test(`an answer ${name} ${isRefuted ? 'refutes' : 'leaves'} the diagnosis that nothing of the card's interface answers`, async () => {
      let isThere = false;
      const url: string = await things.web(async (request, response) => {
        if (request.method === 'GET') return void response.end(JSON.stringify(withInterface(`${url}a2a`)));
        const { id, method } = (await json(request)) as { readonly id: unknown; readonly method: string };
        if (!isThere) return void response.writeHead(404).end();
        const answer = method === 'SendMessage' ? { result } : { error: { code: -32001, message: 'no such task' } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
      const { agent } = await look({ url });
      assert.deepEqual(
        agent.diagnosis.map(({ finding }) => finding.message),
        [`No agent answers at ${url}a2a (HTTP 404).`],
      );
      isThere = true;
      await works(agent);
      assert.equal(agent.diagnosis.length, isRefuted ? 0 : 1);
      await agent.connect({ refresh: true });
      await agent.diagnosed;
      assert.equal(agent.diagnosis.length, isRefuted ? 0 : 1, 'what a probe found before is not found again from memory');
    });

  test('an agent that has answered a message in a version is not taken to refuse it when it does not know a method', async () => {
    const older = await start('0.3', script());
    const server = await start('1.0', messagesAlone, url => ({
      ...minimalCard('/', '1.0'),
      supportedInterfaces: [entry(url), entry(older.url, '0.3')],
    }));
    const { agent, works: working } = await look({ url: server.url });
    assert.equal(working, true);
    await assert.rejects((await agent.connect()).call('GetTask', { id: 't' }), /MethodNotFound/);
    assert.equal(agent.chosen?.version.protocolVersion, '1.0');
  });

  for (const [generation, binding] of [
    ['1.0'],
    ['0.3'],
    ['0.2'],
    ['0.1'],
    ['1.0-draft'],
    ['1.0-rc'],
    ['1.0', 'HTTP+JSON'],
    ['0.3', 'HTTP+JSON'],
  ] as const) {
    test(`nothing is wrong with an agent of ${generation} over ${binding ?? 'JSONRPC'}`, async () => {
      const server = await start(generation, script(), undefined, binding);
      const { agent, works: working } = await look({ url: server.url });
      assert.deepEqual(agent.diagnosis, []);
      assert.equal(working, true);
      // The card, one question and the same in another word, the message.
      assert.ok(server.requests.length <= 5, String(server.requests.length));
    });
  }

  for (const [body, rules] of [
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no such task"}}', []],
    ['<h1>Welcome</h1>', ['CARD-07']],
  ] as const) {
    test(`what answers in text/html is ${rules.length === 0 ? 'an agent where it is JSON' : 'a page where it is not'}`, async () => {
      const url: string = await things.web((request, response) => {
        const isCard = request.url!.endsWith('agent-card.json');
        response
          .setHeader('content-type', isCard ? 'application/json' : 'text/html')
          .end(isCard ? JSON.stringify(minimalCard(url, '1.0')) : body);
      });
      const { agent } = await look({ url });
      assert.deepEqual(
        agent.diagnosis.map(({ finding: { rule } }) => rule),
        rules,
      );
    });
  }

  const notFound: readonly (readonly [says: Step, rules: readonly string[]])[] = [
    [{ json: { error: 'not found' } }, []],
    [{ json: { detail: 'Task not found' } }, []],
    [{ json: {} }, []],
    [{ raw: '' }, []],
    [{ json: { detail: 'Not Found' } }, ['CARD-07']],
    [{ html: '<h1>Not Found</h1>' }, ['CARD-07']],
  ];
  for (const [says, rules] of notFound) {
    test(`a task API that answers 404 ${JSON.stringify(says)} for a task that is not there`, async () => {
      const server = await things.agent({ GetTask: [{ status: 404 }, says] }, 'task-rest');
      assert.deepEqual(
        (await look({ url: server.url })).agent.diagnosis.map(({ finding: { rule } }) => rule),
        rules,
      );
    });
  }

  for (const [claimed, spoken] of [
    ['1.0', '0.3'],
    ['0.3', '1.0'],
  ] as const) {
    test(`gRPC of ${spoken} that says ${claimed}`, async () => {
      const grpc = await serveGrpcAgent(spoken);
      try {
        const card = await start('1.0', script('/nowhere'), () => withInterface(grpc.address, claimed, 'GRPC'));
        const origins = [`http://${grpc.address}`];
        const { agent, works: before } = await look({ url: card.url, origins });
        assert.deepEqual(
          agent.diagnosis.map(({ suggestedFix }) => suggestedFix?.change),
          [entry(`http://${grpc.address}/`, spoken, 'GRPC')],
        );
        assert.equal(before, false);
        const mended = await look({ url: card.url, origins, interface: agent.diagnosis[0]!.suggestedFix!.change });
        assert.deepEqual(mended.agent.diagnosis, []);
        assert.equal(
          (
            await (
              await mended.agent.connect()
            ).call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'work' }] } })
          ).findings.length,
          0,
        );
      } finally {
        await grpc.stop();
      }
    });
  }

  const published: readonly (readonly [name: string, start: () => Promise<RestServer>, claimed: string, speaks: string | undefined])[] = [
    ['1.0', restServer1_0, '1.0', undefined],
    ['1.0', restServer1_0, '0.3', undefined],
    ['0.3', restServer0_3, '0.3', undefined],
    ['0.3', restServer0_3, '1.0', '0.3'],
  ];
  for (const [name, serve, claimed, speaks] of published) {
    test(`the SDK of ${name} over HTTP+JSON that says ${claimed}`, async () => {
      const rest = await serve();
      try {
        const card = await start('1.0', script('/nowhere'), () => withInterface(rest.url, claimed, 'HTTP+JSON'));
        const { agent } = await look({ url: card.url, origins: [new URL(rest.url).origin] });
        assert.deepEqual(
          agent.diagnosis.map(({ suggestedFix }) => suggestedFix?.change.protocolVersion),
          speaks === undefined ? [] : [speaks],
        );
      } finally {
        await rest.stop();
      }
    });
  }

  test('nothing is wrong with the sample agents', async () => {
    const samples = await startSampleAgents({ pace: 0 });
    try {
      for (const url of Object.values(samples.urls)) assert.deepEqual((await look({ url })).agent.diagnosis, [], url);
    } finally {
      await samples.stop();
    }
  });

  for (const [method, offered] of [
    ['tasks/send', '0.1'],
    ['message/send', undefined],
  ] as const) {
    test(`a card that could be of 0.2 or 0.1, of an agent that takes messages by ${method}`, async () => {
      const { protocolVersion: _, ...card } = minimalCard('/', '0.2') as Record<string, unknown>;
      const url = await things.web(oldAgent(at => ({ ...card, url: at }), method));
      const { agent } = await look({ url });
      await agent.diagnosed;
      assert.equal(agent.chosen?.version.protocolVersion, '0.2');
      const told = agent.diagnosis.filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        told.map(({ suggestedFix }) => suggestedFix?.change),
        offered === undefined ? [] : [entry(url, offered)],
      );
    });
  }

  test('a refusal makes it doubt a card that seemed certain', async () => {
    const url = await things.web(oldAgent(at => minimalCard(at, '0.3'), 'tasks/send'));
    const { agent, works: working } = await look({ url });
    assert.equal(working, false);
    await agent.diagnosed;
    assert.deepEqual(
      agent.diagnosis.map(({ suggestedFix }) => suggestedFix?.change),
      [entry(url, '0.1')],
    );
  });

  test('an origin that nobody approved is not asked, and the headers stay with those that are', async () => {
    const elsewhere = await start('1.0', script());
    const server = await start('1.0', script('/nowhere'), () => withInterface(elsewhere.url));
    const { agent } = await look({ url: server.url, headers: { 'X-Key': 'secret' } });
    assert.equal(agent.problem?.code, 'foreign-origin');
    assert.deepEqual([agent.diagnosis, elsewhere.requests.length], [[], 0]);
    assert.ok(server.requests.every(({ headers }) => headers['x-key'] === 'secret'));
    const approved = await look({ url: server.url, headers: { 'X-Key': 'secret' }, origins: [new URL(elsewhere.url).origin] });
    assert.deepEqual([approved.agent.diagnosis, approved.works], [[], true]);
    assert.equal(elsewhere.requests[0]?.headers['x-key'], 'secret');
  });

  test('another name of this machine is not asked with headers, and the one that the person gave is offered', async () => {
    const server = await start('1.0', script(), url => withInterface(url.replace('127.0.0.1', 'localhost')));
    const { agent } = await look({ url: server.url, headers: { 'X-Key': 'secret' } });
    assert.equal(agent.problem?.code, 'foreign-origin');
    assert.deepEqual(
      agent.diagnosis.map(({ finding: { rule }, suggestedFix }) => [rule, suggestedFix?.change]),
      [['CARD-06', entry(server.url)]],
    );
    assert.match(agent.diagnosis[0]!.finding.message, /names the host localhost:\d+ but was served from 127/);
  });

  test('an approved origin where nothing listens gives way to the one the card came from', async () => {
    const server = await start('1.0', script(), () => withInterface('http://127.0.0.1:1/'));
    const { agent } = await look({ url: server.url, origins: ['http://127.0.0.1:1'] });
    assert.deepEqual(
      agent.diagnosis.map(({ suggestedFix }) => suggestedFix?.change),
      [entry(server.url)],
    );
  });

  test('an agent that wants credentials is not accused', async () => {
    const locked = await start('1.0', { GetTask: [{ status: 401, headers: { 'www-authenticate': 'Bearer' } }] });
    assert.deepEqual((await look({ url: locked.url })).agent.diagnosis, []);
  });

  test("an address of the person's own is not questioned, but for what it answers", async () => {
    const server = await start('1.0', script('/a2a'), url => withInterface(url));
    const own = (path: string): AgentSettings => ({ url: server.url, interface: { url: server.url + path } });
    assert.deepEqual((await look(own('a2a'))).agent.diagnosis, []);
    assert.deepEqual(
      (await look(own('b2b'))).agent.diagnosis.map(({ finding: { rule, pointer } }) => [rule, pointer]),
      [['CARD-07', '']],
    );
  });

  test('answers count for ten minutes, failures until somebody refreshes', async () => {
    let now = 0;
    const doctor = new CardDiagnoser({ http, now: () => now });
    const server = await start('1.0', script('/'), url => withInterface(url));
    const lost = await start('1.0', script('/elsewhere'), url => withInterface(url));
    const questions = async (from: ScriptedAgent): Promise<number> => {
      const agents = new Agents({ http, doctor });
      agents.configure({ Ann: { url: from.url } });
      const before = from.requests.filter(({ method }) => method === 'POST').length;
      await agents.get('Ann')!.connect();
      await agents.get('Ann')!.diagnosed;
      return from.requests.filter(({ method }) => method === 'POST').length - before;
    };
    assert.equal(await questions(server), 1);
    assert.equal(await questions(server), 0);
    assert.ok((await questions(lost)) > 0);
    assert.equal(await questions(lost), 0);
    doctor.forgetFailures();
    assert.ok((await questions(lost)) > 0);
    assert.equal(await questions(server), 0);
    now += 10 * 60_000;
    assert.equal(await questions(server), 1);
  });

  test('an agent that never answers holds nobody up', async () => {
    const silent = await start('1.0', { GetTask: [{ stall: true }], SendMessage: script().SendMessage! });
    const { agent, works: working } = await look({ url: silent.url }, { timeoutMs: 60 });
    assert.deepEqual([agent.diagnosis, working], [[], true]);
  });
});

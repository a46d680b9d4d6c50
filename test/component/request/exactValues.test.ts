import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { jsonText } from '../../../src/cli/terminal/output.ts';
import { Selection } from '../../../src/cli/terminal/selection.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import type { Http } from '../../../src/client/http/http.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { MemoryContexts } from '../../../src/model/memory/memoryContexts.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { exactJson, posted, received } from '../../../src/protocol/json/exactJson.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { curl, jsonRpcRequest } from '../../../src/request/export/curl.ts';
import { harText } from '../../../src/request/export/har.ts';
import { requestFileText, Template } from '../../../src/request/import/requestJson.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { fast } from '../../support/model/world.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks } from '../../support/client/says.ts';
import { Random } from '../../support/protocol/random.ts';
import { sampleOf, seed } from '../../support/figure.ts';

const fail = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

const names = ['__proto__', 'toString', '', 'digits', 'a b', '1', '0', 'über', 'constructor', 'x.y', '{}', "it's", '~/'];
const texts = ['""', '"9007199254740993"', '": 9007199254740993 \\" [1e400]"', '"é\\u0000\\ud800 𝄞"'];
const numbers = ['9007199254740993', '-9007199254740993123', '1.10', '-0', '0.1', '1e400', '5e-325', '123'];

/** JSON texts: numbers of any length and exponent, odd names, lists and objects in one another. */
class RandomJson {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #digits(...most: readonly number[]): string {
    return this.#random.list(this.#random.pick(most), () => this.#random.below(10), 1).join('');
  }

  number(): string {
    const { number, random } = { number: this.#digits(2, 20, 60).replace(/^0+(?=\d)/, ''), random: this.#random };
    const fraction = random.maybe(() => `.${this.#digits(2, 20, 60)}`) ?? '';
    const exponent = random.maybe(() => random.pick(['e', 'E']) + random.pick(['', '+', '-']) + this.#digits(1, 2, 3, 9)) ?? '';
    return random.pick(['', '-']) + number + fraction + exponent;
  }

  value(depth: number): string {
    const random = this.#random;
    const kind = random.below(depth === 0 ? 4 : 7);
    if (kind < 2) return this.number();
    if (kind < 4) return random.pick([['true', 'false', 'null'], texts, numbers].flat());
    const space = random.pick(['', ' ', '\n  ']);
    const values = random.list(4, () => space + this.value(depth - 1));
    if (kind === 4) return `[${values.join()}]`;
    const first = random.below(names.length);
    return `{${values.map((one, index) => `${space}${JSON.stringify(names[(first + index) % names.length])}:${one}`).join()}}`;
  }

  /** An object with a number `n`, and something that is nested as deeply as a request file has it. */
  document(): string {
    const deep = this.#random.below(80);
    return `{"n": ${this.number()},"v":${this.value(4)},"list":[${this.value(3)},${this.number()}],"deep":${'['.repeat(deep)}${this.number()}${']'.repeat(deep)}}`;
  }
}

/** The same text for JSON texts with the same values; written without anything of the product. */
function canonical(json: string): string {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token => (token.startsWith('"') ? token : `"\\u0001${sized(token)}"`));
  return JSON.stringify(sorted(JSON.parse(marked)));
}

function sized(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let [digits, power] = [BigInt(whole.replace('-', '') + fraction), BigInt(exponent) - BigInt(fraction.length)];
  if (digits === 0n) return '0';
  for (; digits % 10n === 0n; power++) digits /= 10n;
  return `${whole.startsWith('-') ? '-' : ''}${digits}e${power}`;
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)])
      : value;

const message = (value: string, id: string): string =>
  `{"messageId":"${id}","role":"ROLE_AGENT","parts":[{"data":${value}}],"metadata":{"value":${value}}}`;
const status = (value: string, id: string): string => `{"state":"TASK_STATE_COMPLETED","message":${message(value, id)}}`;
const artifact = (value: string): string =>
  `{"artifactId":"a","parts":[{"data":${value},"metadata":{"value":${value}}}],"metadata":{"value":${value}}}`;
const taskText = (value: string, id: string): string =>
  `{"id":"${id}","contextId":"c${id}","status":${status(value, `m${id}`)},"artifacts":[${artifact(value)}],"metadata":{"value":${value}}}`;
const eventTexts = (value: string, id: string): readonly string[] => [
  `{"task":{"id":"${id}","contextId":"c${id}","status":{"state":"TASK_STATE_WORKING"},"metadata":{"value":${value}}}}`,
  `{"artifactUpdate":{"taskId":"${id}","contextId":"c${id}","artifact":${artifact(value)}}}`,
  `{"statusUpdate":{"taskId":"${id}","contextId":"c${id}","status":${status(value, `m${id}`)}}}`,
];

const valuesOf = ({ status: { message: said }, artifacts: [made] = [], metadata }: Task): readonly unknown[] => [
  ...(said?.parts ?? []).map(part => 'data' in part && part.data),
  said?.metadata?.['value'],
  ...(made?.parts ?? []).flatMap(part => ['data' in part && part.data, part.metadata?.['value']]),
  made?.metadata?.['value'],
  metadata?.['value'],
];

const paths = [
  'task.metadata.value',
  'task.artifacts[0].parts[0].data',
  'task.artifacts[0].metadata.value',
  'task.status.message.metadata.value',
];

suite('values on their way', function () {
  this.timeout(120_000);
  const open = new OpenThings();
  let folder: string;
  let http: Http;
  let url: string;
  /** What the agent answers with, and the bodies that it was sent. */
  let value = '{}';
  let bodies: string[] = [];
  let count = 0;

  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-values-'));
    http = open.http();
    url = await open.web((request, response) => {
      void (async () => {
        if (request.method === 'POST') bodies.push(await text(request));
        answer(request.url ?? '', request.headers.accept ?? '', response);
      })();
    });
  });
  suiteTeardown(async () => {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const json = (response: ServerResponse, body: string): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  function answer(path: string, accept: string, response: ServerResponse): void {
    if (path.includes('agent-card'))
      return json(
        response,
        JSON.stringify({
          name: 'Echo',
          description: 'Says what it is told to.',
          version: '1',
          supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map(protocolBinding => ({ url, protocolBinding, protocolVersion: '1.0' })),
          capabilities: { streaming: true },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
        }),
      );
    const id = `t${++count}`;
    const { id: call, method } = path.length > 1 ? {} : (JSON.parse(bodies.at(-1) ?? '{}') as { id?: string; method?: string });
    const around = (result: string): string =>
      path.length > 1 ? result : `{"jsonrpc":"2.0","id":${JSON.stringify(call)},"result":${result}}`;
    if (!accept.includes('event-stream'))
      return json(response, around(method === 'GetTask' ? taskText(value, id) : `{"task":${taskText(value, id)}}`));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventTexts(value, id)) response.write(`data: ${around(event).replaceAll('\n', ' ')}\n\n`);
    response.end();
  }

  const inDocument = (name: string, document: string): void => check(name, exactJson(document));
  /** @param found a value of the product, which has to be as it was on the wire */
  function check(name: string, found: unknown): void {
    const written = JSON.stringify(found);
    assert.equal(written && canonical(written), canonical(value), `${name}, A2A_SEED=${seed}: ${value}`);
  }

  /** A file whose second request sends the first one's answer, and whose others say what they expect. */
  const requests = (): string =>
    requestFileText([
      {
        agent: url,
        name: 'one',
        message: [{ data: exactJson(value), metadata: { value: exactJson(value) } }],
        ...({ capture: { taken: paths[0] } } as object),
      },
      {
        agent: url,
        name: 'two',
        message: paths.map(path => ({ data: new Template(`{{one.${path}}}`) })),
        ...({ metadata: { taken: new Template('{{taken}}') } } as object),
      },
      {
        agent: url,
        name: 'three',
        message: 'x',
        expect: { paths: Object.fromEntries(paths.map(path => [path, { equals: exactJson(value) }])) },
      },
      { agent: url, name: 'four', message: 'x', expect: { paths: { [`${paths[1]}.n`]: { not: (exactJson(value) as { n: unknown }).n } } } },
    ]);

  test('nothing of a value differs, whichever way it goes', async () => {
    const random = new RandomJson(new Random(seed));
    const store = openStore(join(folder, 'history.db'));
    const agents = new Agents({ http, onError: fail });
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), timing: fast, onError: fail });
    const memory = new MemoryContexts({ agents, timing: fast, onError: fail });
    const { card, cardUrl, agentUrl } = await resolveAgentCard(url, { http });
    const kept: { readonly context: string; readonly taskId: string; readonly value: string }[] = [];
    agents.configure({ Echo: { url } });
    try {
      for (const document of sampleOf(Array.from({ length: 100 }, () => random.document()))) {
        value = document;
        for (const protocolBinding of ['JSONRPC', 'HTTP+JSON']) {
          const client = new AgentClient({ chosen: chooseInterface(card, cardUrl, { protocolBinding }), http, agentUrl, card });
          const { result } = await client.call('SendMessage', asks('hi'));
          assert.ok('task' in result);
          for (const found of valuesOf(result.task)) check(`an answer over ${protocolBinding}`, found);
          const events: StreamResponse[] = [];
          for await (const batch of client.stream('SendStreamingMessage', asks('hi'))) events.push(...batch.events);
          for (const found of events.flatMap(event =>
            'artifactUpdate' in event ? [event.artifactUpdate.artifact.metadata?.['value']] : [],
          ))
            check(`an event over ${protocolBinding}`, found);
          assert.equal(events.length, 3);
          // What the terminal prints and selects.
          inDocument('--json', jsonText(valuesOf(result.task)[0]));
          check('--select', new Selection(['/artifacts/0/parts/0/data']).in(result.task)[0]);
          check('a page', received(JSON.parse(JSON.stringify(posted(valuesOf(result.task)[0] as object)))));
        }

        for (const [name, kind] of Object.entries({ memory, contexts })) {
          const runs = new RequestRuns({ agents, contexts: kind }, fail);
          bodies = [];
          const file = readRequestFile(requests());
          assert.deepEqual(file.problems, []);
          const outcomes = await runs.sendAll(file);
          for (const outcome of outcomes) assert.equal(outcome.problem, undefined);
          for (const found of valuesOf(outcomes[0]!.task!)) check(`an outcome, ${name}`, found);
          type Sent = { params: { message: { parts: { data: unknown; metadata: { value: unknown } }[] }; metadata: { taken: unknown } } };
          const [first, second] = bodies.map(body => (exactJson(body) as Sent).params);
          check(`what a person wrote, ${name}`, first!.message.parts[0]!.data);
          check(`what a person wrote, ${name}`, first!.message.parts[0]!.metadata.value);
          for (const part of second!.message.parts) check(`a value that is sent on, ${name}`, part.data);
          check(`a captured value, ${name}`, second!.metadata.taken);
          assert.deepEqual(
            outcomes[2]!.expectations?.map(({ ok }) => ok),
            paths.map(() => true),
            `${name}: ${value}`,
          );
          assert.deepEqual(
            outcomes[3]!.expectations?.map(({ ok }) => ok),
            [false],
            `${name}: ${value}`,
          );

          const exchanges = outcomes[0]!.exchangeIds.flatMap(id => kind.exchange(id) ?? []);
          const har = JSON.parse([...harText(exchanges, { name: 'a', version: '1' })].join('')) as {
            log: { entries: { request: { postData: { text: string } }; response: { content: { text: string } } }[] };
          };
          const [entry] = har.log.entries;
          inDocument(`HAR, ${name}`, JSON.stringify((exactJson(entry!.request.postData.text) as Sent).params.message.parts[0]!.data));
          assert.ok(entry!.response.content.text.includes(value.replaceAll('\n', ' ')), 'the text of the wire');
          runs.dispose();
        }

        const context = contexts.create('Echo');
        const { task } = await context.send({ parts: [{ data: exactJson(value) }], target: 'new-task' }).done;
        kept.push({ context: context.key, taskId: task!.id, value });
        const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: exactJson(value) }] } };
        const copy = curl(
          jsonRpcRequest({ operation: 'SendMessage', params, headers: {}, agentUrl } as never, { url, version: versionOf('1.0')! })!,
        );
        const body = /--data-raw '(.*)'\n$/s.exec(copy)![1]!.replaceAll(`'\\''`, "'");
        check('cURL', (exactJson(body) as { params: typeof params }).params.message.parts[0]!.data);
      }
    } finally {
      memory.dispose();
      contexts.dispose();
      agents.dispose();
      store.close();
    }

    const again = openStore(join(folder, 'history.db'));
    const copy = openStore(join(folder, 'copy.db'));
    try {
      await copy.import.lines(
        (async function* () {
          for (const line of again.export.lines(undefined, { wire: true })) yield Buffer.from(line);
        })(),
        Date.now(),
      );
      for (const { context, taskId, value: sent } of kept) {
        value = sent;
        for (const [name, store] of Object.entries({ 'the history': again, 'an imported history': copy })) {
          const document = store.taskDocument(context, taskId);
          for (const found of valuesOf(document!.task)) check(name, found);
          const [asked] = store.transcript.entries({ context, limit: 50 });
          check(`a message in ${name}`, asked?.kind === 'message' && 'data' in asked.message.parts[0]! && asked.message.parts[0].data);
        }
      }
    } finally {
      again.close();
      copy.close();
    }
  });
});

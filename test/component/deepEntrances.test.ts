import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../src/client/agentClient.ts';
import { CardVerifier } from '../../src/client/card/signatures/cardVerifier.ts';
import { keysIn } from '../../src/client/card/signatures/publicKeys.ts';
import { chooseInterface } from '../../src/client/interfaces/agentInterface.ts';
import { cardProblems } from '../../src/card/cardProblems.ts';
import { convertCard } from '../../src/card/convertCard.ts';
import { parseTypedJson } from '../../src/chat/text/jsonText.ts';
import { Draft } from '../../src/chat/host/draft.ts';
import { runAgents } from '../../src/cli/run/runAgents.ts';
import { Output } from '../../src/cli/terminal/output.ts';
import { readRunFile } from '../../src/cli/run/runFiles.ts';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { parseExactly } from '../../src/protocol/json/exactJson.ts';
import { ignoreFindings } from '../../src/protocol/finding.ts';
import { isObject } from '../../src/protocol/json.ts';
import { Problem } from '../../src/protocol/problem.ts';
import { schemaFaults } from '../../src/schema/forms/schemaFaults.ts';
import { readAgentCard, versions } from '../../src/protocol/versions/index.ts';
import { taskInputOf } from '../../src/protocol/versions/taskRest/readTaskRest.ts';
import { readCsv } from '../../src/request/text/csv.ts';
import { environmentProblems } from '../../src/request/check/environmentProblems.ts';
import { fileValue } from '../../src/request/template/fileValue.ts';
import { indentJson, writeJson } from '../../src/request/text/indentJson.ts';
import { imported, pasted } from '../../src/request/import/paste.ts';
import { readJsonc } from '../../src/request/text/jsonc.ts';
import { readRequestFile } from '../../src/request/check/readRequestFile.ts';
import { readDelivery } from '../../src/receiver/readDelivery.ts';
import { readChatRequest } from '../../src/chat/host/requests.ts';
import { keptResponse } from '../../src/workbench/requests/response/keptResponse.ts';
import { hostOf } from '../support/cli/runTerminal.ts';
import { drain, OpenThings } from '../support/client/openThings.ts';
import { envelope, proto, serveRaw } from '../support/client/rawGrpc.ts';
import { asks } from '../support/client/says.ts';
import { History } from './store/support/history.ts';
import { noAllowance } from '../support/noAllowance.ts';

/**
 * Every place that reads JSON of others has a row below; `protocol/json/depth.ts` checks the depth before anything walks it.
 */
const levels = 100_000;
const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** With a number that no double is, which is read in another way. */
const deepDigits = `${'['.repeat(levels)}12345678901234567890${']'.repeat(levels)}`;
const deepObject = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const value: unknown = JSON.parse(deep);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const rpc = (data: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${data}}]}}}`;
const draft = { version: 1, text: 'x', textAt: 0, parts: [], references: [], metadata: '', outputModes: [] };
const draftWith = (metadata: unknown): unknown => ({ ...draft, parts: [{ kind: 'text', id: 'p', text: 'x', metadata }] });

/** A `google.protobuf.Value` in lists, from the inside to the outside. */
function deepProtoValue(levels: number): Buffer {
  const heads: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < levels; level++) {
    for (const tag of level === 0 ? [0x32] : [0x0a, 0x32]) {
      const head = Buffer.concat([Buffer.of(tag), varint(length)]);
      heads.push(head);
      length += head.byteLength;
    }
  }
  return Buffer.concat(heads.reverse());
}
function varint(number: number): Buffer {
  return number < 0x80 ? Buffer.of(number) : Buffer.concat([Buffer.of((number & 0x7f) | 0x80), varint(number >>> 7)]);
}

/** What is said where somebody is told; `refused` where it is not taken and nobody waits for an answer; `escapeIcons` where it stays the text that it is. */
type Outcome = { readonly said: string } | 'refused' | 'plain';
const sentences = (problems: readonly { readonly sentence: unknown }[]): Outcome => ({ said: JSON.stringify(problems) });

suite('JSON that is nested without end, at every entrance', () => {
  const open = new OpenThings();
  let history: History | undefined;
  teardown(async () => {
    history?.close();
    history = undefined;
    await open.close();
  });
  let folder: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-deep-'));
  });
  teardown(() => rmSync(folder, { recursive: true }));
  const read = (files: Readonly<Record<string, string>>, variables: readonly string[] = []): ReturnType<typeof readRunFile> => {
    for (const [name, text] of Object.entries({ 'x.a2a': '{"agent":"x","message":"y"}', ...files }))
      writeFileSync(join(folder, name), text);
    return readRunFile({ path: join(folder, 'x.a2a'), named: true }, { variables, host: hostOf(() => {}, { cwd: folder }) });
  };

  function overGrpc(address: string): AgentClient {
    const card = {
      ...readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings),
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    const chosen = chooseInterface(card, 'http://127.0.0.1/card');
    return new AgentClient({ card, chosen, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
  }

  /** Adding an entrance is adding a row: what is done with 100,000 levels there. */
  const entrances: Readonly<Record<string, () => Outcome | Promise<Outcome>>> = {
    'a request file': () => sentences(readRequestFile(`{"agent":"x","message":${deep}}`).syntaxErrors),
    'a request file in a run': async () => sentences((await read({ 'x.a2a': `{"agent":"x","message":${deep}}` })).file.syntaxErrors),
    'an environment file in a run': async () => ({
      said: JSON.stringify((await read({ 'a2a.env.json': `{"$shared":{"a":${deep}}}` })).problems),
    }),
    'an environment file': () => sentences(environmentProblems(`{"$shared":{"a":${deep}}}`, () => undefined)),
    'a variable of the command line': async (): Promise<Outcome> => {
      await read({}, [`data:=${deep}`]);
      return 'plain';
    },
    'settings in a terminal': async (): Promise<Outcome> => {
      await runAgents(
        { host: process, output: new Output(process), values: {}, allowance: noAllowance },
        [{ path: 'settings.json', text: `{"a2a.agents":{},"b":${deep}}` }],
        [],
      );
      return 'plain';
    },
    'a text of settings': () => {
      readJsonc(deep);
      return 'plain';
    },
    'a file of JSON': () => {
      fileValue({ name: 'x.json', bytes: bytes(deep) });
      return 'plain';
    },
    'a cell of a CSV file': () =>
      typeof readCsv(`a\n"${deepObject.replaceAll('"', '""')}"\n`)[0]?.['a'] === 'string' ? 'plain' : 'refused',
    'a response that was kept': () => (keptResponse(`{"result":{"message":${deepObject}}}`) === undefined ? 'refused' : 'plain'),
    'a body that is imported': () => {
      imported(rpc(deep));
      return 'plain';
    },
    'a cURL command that is imported': () => {
      imported(`curl http://127.0.0.1/ -d '${rpc(deep)}'`);
      return 'plain';
    },
    'a body that is pasted': () => (pasted(rpc(deep), { whole: true }).offers.length === 0 ? 'plain' : 'refused'),
    'a body that is indented': () => (indentJson(deep).length > 0 ? 'plain' : 'refused'),
    'a push notification': () => {
      const { problem } = readDelivery(`{"task":${deep}}`);
      if (problem !== undefined) throw problem;
      return 'plain';
    },
    'JSON of a data part': () => {
      parseExactly(deep);
      return 'plain';
    },
    'JSON of a data part, with many digits': () => {
      parseExactly(deepDigits);
      return 'plain';
    },
    'JSON in a field of a form': () => {
      const meant = parseTypedJson(deep);
      return 'fault' in meant ? { said: meant.fault } : 'plain';
    },
    'data that a schema is held against': () => ({ said: JSON.stringify(schemaFaults({ items: { $ref: '#' } }, value)) }),
    'data that is compared with a constant': () => ({ said: JSON.stringify(schemaFaults({ const: JSON.parse(deep) as unknown }, value)) }),
    'a schema': () => (schemaFaults(JSON.parse('{"not":'.repeat(levels) + '{}' + '}'.repeat(levels)), 1).length >= 0 ? 'plain' : 'refused'),
    'a signed agent card': async () => {
      const text = (more: string): string =>
        `{"name":"x","skills":[],${more}"signatures":${JSON.stringify([{ protected: 'e30', signature: 'AA' }])}}`;
      const verifier = new CardVerifier({ http: open.http(), trusted: () => ({ x: { jwk: { kty: 'EC', more: value } } }) });
      return { said: JSON.stringify(await verifier.verify(text(`"more":${deep},`))) };
    },
    'keys that verify agent cards': async (): Promise<Outcome> => {
      await keysIn(`{"keys":[${deep}],"more":${deepObject}}`).catch((error: unknown) => assert.ok(error instanceof Problem));
      return 'plain';
    },
    'an agent card that is written': () => sentences(cardProblems(`{"name":"x","skills":${deep}}`)),
    'an agent card that is converted': () => {
      convertCard({ name: 'x', supportedInterfaces: [], skills: value }, '1.0');
      return 'plain';
    },
    'a text to an agent of the task API': () => (taskInputOf({ parts: [{ text: deepObject }] }) === undefined ? 'plain' : 'refused'),
    'a draft of the panel': () =>
      readChatRequest({ type: 'request', id: 1, name: 'keepDraft', params: draftWith({ a: value }) }) === undefined ? 'refused' : 'plain',
    'the state that the page keeps': () => {
      for (const state of [
        { context: 'c', draft: draftWith({ a: value }) },
        { context: 'c', draft: { ...draft, more: value } },
        { context: 'c', draft, forms: { card: { words: '', typed: { a: { json: '1', more: value } } } } },
      ]) {
        // As VS Code keeps it once more.
        JSON.stringify(readChatRequest({ type: 'request', id: 1, name: 'ready', params: state }));
      }
      return 'refused';
    },
    'a draft on the disk': () => (Draft.safeParse(draftWith({ a: value })).success ? 'plain' : 'refused'),
    'a message of the panel': () =>
      readChatRequest({ type: 'request', id: 1, name: 'send', params: { text: value } }) === undefined ? 'refused' : 'plain',
    'a history that is imported': async (): Promise<Outcome> => {
      history = new History();
      const line = `{"format":"a2a-workbench-history","version":1,"agent":"x","context":{"key":"k","createdAt":1,"updatedAt":1},"entries":[],"more":${deep}}\n`;
      const { problems } = await history.store.import.lines([bytes(line)], 1, 'imported');
      return { said: problems.map(({ problem }) => problem.message).join() };
    },
    'a message of gRPC': async (): Promise<Outcome> => {
      const server = await serveRaw({
        body: [envelope(proto([2, proto([1, 'm'], [4, 2], [5, proto([4, deepProtoValue(levels)])])]))],
        trailers: { 'grpc-status': '0' },
      });
      try {
        await drain(overGrpc(server.address).stream('SendStreamingMessage', asks('hello'), {})).then(({ error }) => {
          throw error as Error;
        });
        return 'plain';
      } finally {
        await server.stop();
      }
    },
    'a message of a WebSocket': async (): Promise<Outcome> => {
      const { client } = await open.spoken(
        {
          SubscribeToTask: [
            { raw: `{"taskId":"t","status":{"state":"working"},"metadata":${deep}}` },
            { event: { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_COMPLETED' } } } },
          ],
          GetTask: [{ answer: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } }],
        },
        'task-rest',
      );
      const { items, error } = await drain(client.stream('SubscribeToTask', { id: 't' }, {}));
      if (error !== undefined) throw error as Error;
      return { said: JSON.stringify(items.flatMap(({ findings }) => findings)) };
    },
    'a message over gRPC that is sent': async (): Promise<Outcome> => {
      await overGrpc('127.0.0.1:9').call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: value }] } }, {});
      return 'plain';
    },
    ...Object.fromEntries(
      ['JSONRPC', 'HTTP+JSON'].map(binding => [
        `a message over ${binding} that is sent`,
        async (): Promise<Outcome> => {
          const { client } = await open.spoken({}, '1.0', { binding: binding as 'JSONRPC' });
          await client.call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: value }] } }, {});
          return 'plain';
        },
      ]),
    ),
    'a request to the scripted agent': async (): Promise<Outcome> => {
      const { agent } = await open.spoken({});
      const response = await fetch(agent.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
        body: rpc(deep),
      });
      return { said: await response.text() };
    },
    'what is written as JSON for people': () => (writeJson(value).length > 0 ? 'plain' : 'refused'),
    ...Object.fromEntries(
      versions.map(version => [
        `parameters of ${version.protocolVersion}`,
        (): Outcome => {
          version.readParams(
            'SendMessage',
            isObject(value) ? value : { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data: value }] } },
            ignoreFindings,
          );
          return 'plain';
        },
      ]),
    ),
  };

  test('over gRPC as many levels as elsewhere are read', async () => {
    const server = await serveRaw({
      body: [envelope(proto([2, proto([1, 'm'], [4, 2], [5, proto([4, deepProtoValue(200)])])]))],
      trailers: { 'grpc-status': '0' },
    });
    const { items, error } = await drain(overGrpc(server.address).stream('SendStreamingMessage', asks('hello'), {}));
    await server.stop();
    assert.equal(error, undefined);
    assert.ok(JSON.stringify(items[0]?.events).includes('['.repeat(200)));
  });

  for (const [entrance, enter] of Object.entries(entrances)) {
    test(entrance, async () => {
      let outcome: Outcome;
      try {
        outcome = await enter();
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof RangeError) && !/call stack/i.test(error.message), String(error));
        assert.ok(!(error instanceof Problem) || error.code !== 'defect', String(error));
        outcome = { said: error.message };
      }
      if (typeof outcome === 'object') assert.match(outcome.said, /nested|nesting levels/, outcome.said.slice(0, 300));
    });
  }
});

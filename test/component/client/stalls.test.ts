import * as assert from 'node:assert/strict';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Step } from '../../../src/mock/script.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { figure, sampleOf } from '../../support/figure.ts';
import { longestTurn } from '../../support/longestTurn.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { envelope, proto, serveRaw, type RawServer } from '../../support/client/rawGrpc.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';
import { startWorld, status, task, taskOf, says, type World } from '../../support/model/world.ts';

const MiB = 2 ** 20;
const keys = (count: number, more = ''): string => Array.from({ length: count }, (_, index) => `"k${index}${more}":1`).join(',');
const send = { message: { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] } };

/** A StreamResponse of 1.0 with a task, and more fields of that. */
const taskWith = (...more: readonly Uint8Array[]): Buffer =>
  envelope(proto([1, Buffer.concat([proto([1, 't'], [2, 'c'], [3, proto([1, 2])]), ...more])]));
const one = Buffer.concat([Buffer.of(0x11), Buffer.alloc(8)]);
const repeated = (count: number, bytes: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => bytes(index)));
const members = (count: number): Buffer => repeated(count, index => proto([1, proto([1, `k${index}`], [2, one])]));
const list = (count: number): Buffer => proto([1, proto([1, 'a'], [2, proto([6, repeated(count, () => proto([1, one]))])])]);

suite('no message keeps everything else waiting', () => {
  const open = new OpenThings();
  let world: World | undefined;
  let server: RawServer | undefined;
  teardown(async () => {
    await world?.close();
    await server?.stop();
    [world, server] = [undefined, undefined];
    await open.close();
  });
  /** What comes, and how it is read. */
  const floods: (readonly [what: string, read: () => Promise<void>])[] = [];
  const flood = (title: string, read: () => Promise<void>): void => void floods.push([title, read]);
  let what = '';
  const within = async (work: () => Promise<unknown>): Promise<void> => {
    const { holds, figures } = await longestTurn(work);
    figure('F26', { floods: 1, 'kept others waiting': Number(!holds) }, `${what}: ${figures} of a processor at once`);
    assert.ok(holds, `${figures} of a processor at once`);
  };

  const data = (json: string): Step => ({
    raw: `data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"data":{${json}}}]}}}}\n\n`,
  });
  const streams: Readonly<Record<string, () => readonly Step[]>> = {
    'an event of as many values as are read': () => [data(keys(190_000))],
    'an event of a million values, of 13 MB': () => [data(keys(1_000_000))],
    '20,000 tiny events': () => Array.from({ length: 20_000 }, (_, index) => status('WORKING', says(`m${index}`))),
    '20,000 tiny events under one messageId': () =>
      Array.from({ length: 20_000 }, (_, index) => status('WORKING', says('m', `word ${index}`))),
  };
  for (const [stream, make] of Object.entries(streams)) {
    flood(`${stream}, from the wire into the history`, async () => {
      const steps = make();
      world = await startWorld({
        version: '1.0',
        script: {
          SendStreamingMessage: () => [task('WORKING'), ...steps, status('COMPLETED')],
          GetTask: [{ answer: taskOf('COMPLETED') }],
        },
      });
      const { contexts } = world.open();
      await within(async () => {
        const { problem, task: told } = await contexts.create('Ann').send({ parts: [{ text: 'go' }], target: 'new-task' }).done;
        assert.deepEqual([problem, told?.status.state], [undefined, 'TASK_STATE_COMPLETED']);
      });
    });
  }

  for (const [much, more] of [
    ['members', () => `"x":{${keys(2_000_000)}}`],
    ['text', () => `"x":"${'x'.repeat(30 * MiB)}"`],
    [
      'skills',
      () =>
        `"skills":[${Array.from({ length: 9_000 }, (_, index) => `{"id":"s${index}","name":"n","description":"${'d'.repeat(3_000)}","tags":[]}`).join(',')}]`,
    ],
  ] as const) {
    flood(`a card of 30 MB of ${much}`, async () => {
      const card = Buffer.from(
        `${JSON.stringify({ ...minimalCard('http://127.0.0.1:1/', '1.0'), skills: undefined }).slice(0, -1)},${more()}}`,
      );
      const url = await open.web((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(card));
      const http = open.http();
      await within(() => resolveAgentCard(url, { http }).catch((error: unknown) => assert.ok(error instanceof Problem, String(error))));
    });
  }

  async function grpc(
    ...body: readonly Uint8Array[]
  ): Promise<() => Promise<{ readonly events: number; readonly error: unknown; readonly log: WireRecording }>> {
    server = await serveRaw({ body, trailers: { 'grpc-status': '0' } });
    const card = {
      ...readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings),
      supportedInterfaces: [{ url: server.address, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    const chosen = chooseInterface(card, 'http://127.0.0.1/card');
    const client = new AgentClient({ card, chosen, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
    return async () => {
      const log = new WireRecording();
      const { items, error } = await drain(client.stream('SendStreamingMessage', send, { log }));
      return { events: items.flatMap(({ events }) => events).length, error, log };
    };
  }

  for (const [many, message] of [
    ['members', () => taskWith(proto([6, members(55_000)]))],
    ['values in a list', () => taskWith(proto([6, list(115_000)]))],
    ['artifacts', () => taskWith(repeated(10_000, index => proto([4, proto([1, `a${index}`])])))],
  ] as const) {
    flood(`a gRPC message of as many ${many} as are read`, async () => {
      const ask = await grpc(message());
      await within(async () => {
        const { events, error } = await ask();
        assert.deepEqual([error, events], [undefined, 1]);
      });
    });
  }

  const tooMany: Readonly<Record<string, () => Buffer>> = {
    members: () => taskWith(proto([6, members(1_000_000)])),
    'values in a list': () => taskWith(proto([6, list(1_500_000)])),
    artifacts: () => envelope(proto([1, repeated(1_000_000, () => proto([4, proto([1, 'a'])]))])),
    'fields that nobody knows': () => envelope(repeated(1_000_000, () => Buffer.of(0x78, 1))),
    'ids, one over the other': () => envelope(proto([1, repeated(1_000_000, () => proto([1, 't']))])),
  };
  for (const [many, make] of Object.entries(tooMany)) {
    flood(`a gRPC message of too many ${many}: the bound is named, the bytes are kept, and what came before stays`, async () => {
      const message = make();
      const ask = await grpc(taskWith(), message);
      await within(async () => {
        const { events, error, log } = await ask();
        assert.ok(error instanceof Problem && error.code === 'too-large', String(error));
        assert.match(error.message, /240000 fields/);
        assert.equal(events, 1);
        assert.equal(Buffer.from(log.exchanges.at(-1)?.response?.bytes ?? '', 'base64').byteLength, message.byteLength - 5);
      });
    });
  }

  flood('31 MiB of gRPC a few bytes at a time', async () => {
    const whole = taskWith(proto([4, proto([1, 'a'], [4, proto([1, 'x'.repeat(31 * MiB - 200)])])]));
    const pieces = Array.from({ length: 31 }, (_, index) =>
      whole.subarray(index * MiB, index === 30 ? undefined : (index + 1) * MiB),
    ).flatMap((piece, index) =>
      index % 10 === 0 ? Array.from({ length: 2_000 }, (__, at) => piece.subarray(at, at + 1)).concat(piece.subarray(2_000)) : [piece],
    );
    const ask = await grpc(...pieces);
    await within(async () => {
      const { events, error } = await ask();
      assert.deepEqual([error, events], [undefined, 1]);
    });
  });

  for (const [title, read] of sampleOf(floods)) {
    test(title, async () => {
      what = title;
      await read();
    });
  }
});

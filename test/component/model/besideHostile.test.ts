import * as assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { readStreamResponse, versionOf } from '../../../src/protocol/versions/index.ts';
import { caught, figure, sampleOf } from '../../support/figure.ts';
import { longestTurn } from '../../support/longestTurn.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { envelope, proto, serveRaw, type RawServer } from '../../support/client/rawGrpc.ts';
import { type LargeMessage, largeMessages } from '../../support/model/largeMessages.ts';
import { chunk, first, startWorld, status, task, type World } from '../../support/model/world.ts';

const repeated = (count: number, bytes: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => bytes(index)));
const one = Buffer.concat([Buffer.of(0x11), Buffer.alloc(8)]);
const taskIn = (state: number, ...more: readonly Uint8Array[]): Buffer =>
  envelope(proto([1, Buffer.concat([proto([1, 't'], [2, 'c'], [3, proto([1, state])]), ...more])]));

/** Messages over gRPC that are as large as one may be, by what there is so much of. */
const largeGrpcMessages: Readonly<Record<string, () => Buffer>> = {
  'members of metadata': () => taskIn(2, proto([6, repeated(55_000, index => proto([1, proto([1, `k${index}`], [2, one])]))])),
  'values of a list': () => taskIn(2, proto([6, proto([1, proto([1, 'a'], [2, proto([6, repeated(115_000, () => proto([1, one]))])])])])),
  artifacts: () =>
    taskIn(
      2,
      repeated(45_000, index => proto([4, proto([1, `a${index}`])])),
    ),
};

suite('other chats while an agent is hostile', function () {
  this.timeout(180_000);
  const open = new OpenThings();
  let world: World | undefined;
  let server: RawServer | undefined;
  let process: ChildProcess | undefined;
  /** Of what a message may take that nobody waits beside: 150 ms where that is 200, which nobody notices in another chat. */
  const share = 0.75;
  teardown(async () => {
    await world?.close();
    await server?.stop();
    process?.kill();
    [world, server, process] = [undefined, undefined, undefined];
    await open.close();
  });

  /** The agent runs in a process of its own, so that its work is not measured. */
  async function sseAgent(message: LargeMessage): Promise<string> {
    process = fork(join(import.meta.dirname, '../../support/model/largeMessageServer.ts'), [message], { execArgv: ['--no-warnings'] });
    const [{ port }] = (await once(process, 'message')) as [{ readonly port: number }];
    return `http://127.0.0.1:${port}/`;
  }

  async function grpcAgent(message: Buffer): Promise<string> {
    server = await serveRaw({ body: [taskIn(2), message, taskIn(3)], trailers: { 'grpc-status': '0' } });
    const card = {
      ...minimalCard('http://127.0.0.1/', '1.0'),
      supportedInterfaces: [{ url: `${server.address}`, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    return open.web((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card)));
  }

  const agents: Readonly<Record<string, () => Promise<string>>> = {
    ...Object.fromEntries((Object.keys(largeMessages) as LargeMessage[]).map(what => [`${what} over SSE`, () => sseAgent(what)])),
    ...Object.fromEntries(Object.entries(largeGrpcMessages).map(([what, make]) => [`${what} over gRPC`, () => grpcAgent(make())])),
  };

  for (const [what, startAgent] of sampleOf(Object.entries(agents))) {
    test(`go on: ${what}`, async () => {
      const url = await startAgent();
      world = await startWorld({
        version: '1.0',
        script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y'), status('COMPLETED')] },
      });
      const window = world.open();
      window.agents.configure({ Ann: { url: world.agent.url }, Mallory: { url } });
      let answers = 0;
      const { holds, figures } = await longestTurn(async () => {
        const goes = window.contexts.create('Mallory').send({ parts: [{ text: 'go' }], target: 'new-task' }).done;
        let isOver = false;
        void goes.finally(() => {
          isOver = true;
        });
        do {
          const { task: told } = await window.contexts.create('Ann').send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
          assert.equal(told?.status.state, 'TASK_STATE_COMPLETED');
          answers++;
        } while (!isOver);
        const { problem, task: told } = await goes;
        // Not the problem itself: what it was caused by is many megabytes, and assert would print it.
        assert.deepEqual([problem?.code, told?.status.state], [undefined, 'TASK_STATE_COMPLETED']);
      }, share);
      figure(
        'F26',
        { floods: 1, 'kept others waiting': Number(!holds) },
        `${what}: ${figures} of a processor at once, ${answers} answers in another chat meanwhile`,
      );
      assert.deepEqual(window.errors, []);
      assert.ok(holds, `${figures} of a processor at once`);
    });
  }

  test('a reader of whole messages does keep them waiting', async () => {
    const text = largeMessages['a million members']();
    const { holds, figures } = await longestTurn(
      async () => {
        readStreamResponse(JSON.parse(text), versionOf('1.0')!, ignoreFindings);
      },
      share,
      1,
    );
    assert.ok(!holds, `${figures} of a processor at once`);
    caught('F26', 'a reader of whole messages');
  });
});

import * as assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { caught, figure, sampleOf } from '../../support/figure.ts';
import { type LargeMessage, largeMessages } from '../../support/model/largeMessages.ts';
import { startWorld, taskOf, type World } from '../../support/model/world.ts';
import { retained } from '../../support/retained.ts';

const MiB = 2 ** 20;
/** How often the memory is measured, in milliseconds, between two turns of the event loop. */
const interval = 25;
/** Growth at most, as a multiple of the message. */
const maxFactor = 6;
/** Below this many bytes the factor means nothing: an object of 190,000 members takes 12 times its 2 MB of JSON, 5.8 as the parsed value alone. */
const floor = 32 * MiB;

const allowed = (length: number): number => Math.max(floor, maxFactor * length);

/** The most bytes that are held at once during this work, over those before it. What is garbage does not count. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = retained();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, retained());
  }, interval);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

const messages = sampleOf(Object.keys(largeMessages) as LargeMessage[]);

suite('memory for one large message', () => {
  let world: World | undefined;
  let server: ChildProcess | undefined;
  teardown(async () => {
    await world?.close();
    server?.kill();
    [world, server] = [undefined, undefined];
  });

  for (const what of messages) {
    test(`${what}: from the wire into the history, at most ${maxFactor} times the message is held at once`, async () => {
      server = fork(join(import.meta.dirname, '../../support/model/largeMessageServer.ts'), [what], { execArgv: ['--no-warnings'] });
      const [{ port, length }] = (await once(server, 'message')) as [{ readonly port: number; readonly length: number }];
      world = await startWorld({ version: '1.0', script: { GetTask: [{ answer: taskOf('COMPLETED') }] } });
      const { agents, contexts } = world.open();
      agents.configure({ Large: { url: `http://127.0.0.1:${port}/` } });
      await agents.get('Large')!.connect();
      const growth = await growthDuring(async () => {
        // Not the problem itself: assert would print what caused it, which may be the message many times over.
        const { problem, task } = await contexts.create('Large').send({ parts: [{ text: 'go' }], target: 'new-task' }).done;
        assert.deepEqual([problem?.code, task?.status.state], [undefined, 'TASK_STATE_COMPLETED']);
      });
      figure(
        'F27',
        { messages: 1, 'held more': Number(growth > allowed(length)) },
        `${what}: ${(growth / MiB).toFixed(0)} MiB for ${(length / MiB).toFixed(1)} MiB (${(growth / length).toFixed(1)} times)`,
      );
      assert.ok(growth <= allowed(length), `${growth} bytes for a message of ${length}`);
    });
  }

  test('a program that holds seven copies is noticed', async () => {
    const length = 13_000_000;
    const growth = await growthDuring(async () => {
      const copies: Buffer[] = [];
      for (let index = 0; index <= maxFactor; index++) {
        copies.push(Buffer.alloc(length));
        await setTimeout(3 * interval);
      }
      assert.equal(copies.length, maxFactor + 1);
    });
    assert.ok(growth > allowed(length), `${growth} bytes`);
    caught('F27', 'a program that holds seven copies');
  });
});

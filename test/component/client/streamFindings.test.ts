import * as assert from 'node:assert/strict';
import type { Step } from '../../../src/mock/script.ts';
import { loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, task } from '../../support/client/says.ts';

suite('findings of a stream', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const status = (status: object): Step => ({ event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status } } }) as unknown as Step;

  test('one for each cause, with a count, however often the stream repeats it and whatever value it has', async () => {
    await loadRules();
    const often = 150;
    const events = Array.from({ length: often }, (_, index) => [
      status({ state: 'TASK_STATE_WORKING', timestamp: `no time ${index}` }),
      status({ state: 'TASK_STATE_WORKING', timestamp: `2026-01-02T03:04:05.${String(index).padStart(3, '0')}` }),
    ]).flat();
    const { client, log } = await open.spoken({
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        ...events,
        status({ state: 'SAILING' }),
        status({ state: 'ROWING' }),
      ],
    });
    const told: string[] = [];
    for await (const { findings } of client.stream('SendStreamingMessage', asks('Go'), { log }))
      told.push(...findings.map(({ message }) => message));
    const { findings = [] } = log.exchanges.findLast(({ operation }) => operation === 'SendStreamingMessage') ?? {};
    const noted = findings.filter(({ rule }) => rule === 'DATA-04' || rule === 'DATA-02');
    assert.deepEqual(
      noted.map(({ rule, message, times }) => [rule, message, times]),
      [
        ['DATA-04', '"no time 0" is not an ISO 8601 timestamp.', often],
        ['DATA-04', 'The timestamp "2026-01-02T03:04:05.000" has no time zone; UTC is assumed.', often],
        ['DATA-02', '"SAILING" is not a task state.', undefined],
        ['DATA-02', '"ROWING" is not a task state.', undefined],
      ],
    );
    // Each is about the event that was the first.
    assert.deepEqual(
      noted.map(({ frame }) => frame),
      [1, 2, 2 * often + 1, 2 * often + 2],
    );
    // The others are known by their numbers, as far as there are not too many.
    assert.deepEqual(
      noted.map(({ alsoIn = [] }) => [alsoIn.length, alsoIn[0], alsoIn.at(-1)]),
      [
        [100, 3, 201],
        [100, 4, 202],
        [0, undefined, undefined],
        [0, undefined, undefined],
      ],
    );
    // Whoever reads the stream hears of each once, too.
    assert.deepEqual(
      told.filter(message => noted.some(each => each.message === message)),
      noted.map(({ message }) => message),
    );
  });

  test('what a rule finds in an event comes with its batch, though nothing follows', async () => {
    await loadRules();
    const { client } = await open.spoken({ SendStreamingMessage: [{ event: { task: task('TASK_STATE_COMPLETED') } }, { stall: true }] });
    const { message } = asks('Go');
    for await (const { findings } of client.stream('SendStreamingMessage', { message: { ...message, contextId: 'mine' } })) {
      const found = findings.map(({ frame, rule, pointer }) => `${frame} ${rule} ${pointer}`);
      assert.deepEqual(found, ['0 CORE-08 /result/task/contextId']);
      break;
    }
  });

  test('two contents of a part and two members of an event are kept and told, also at the end of the stream', async () => {
    const update = { taskId: 't-1', contextId: 'c-1' };
    const parts = [{ text: 'hi', url: 'http://x.example/' }];
    const both = {
      artifactUpdate: { ...update, artifact: { artifactId: 'x-1', parts }, lastChunk: true },
      statusUpdate: { ...update, status: { state: 'TASK_STATE_COMPLETED' } },
    };
    const { client } = await open.spoken({
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { event: both as never }],
    });
    const [read, told]: [unknown[], unknown[]] = [[], []];
    for await (const { events, frames, frameOf = frames.map(({ seq }) => seq), findings } of client.stream(
      'SendStreamingMessage',
      asks('Go'),
    )) {
      read.push(...events.map((event, index) => [frameOf[index], event]));
      told.push(...findings.map(({ frame, rule, pointer }) => `${frame} ${rule} ${pointer}`));
    }
    assert.deepEqual(read.slice(1), [
      [
        1,
        {
          artifactUpdate: {
            ...both.artifactUpdate,
            artifact: { artifactId: 'x-1', parts: [{ text: 'hi' }, { url: 'http://x.example/' }] },
          },
        },
      ],
      [1, { statusUpdate: both.statusUpdate }],
    ]);
    assert.deepEqual(told, ['1 CORE-01 ', '1 DATA-03 /artifactUpdate/artifact/parts/0']);
  });

  test('each event is known to be of its frame, also where a frame brought none', async () => {
    const word = (text: string): Step =>
      status({ state: 'TASK_STATE_WORKING', message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] } });
    const { client } = await open.spoken({
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        { raw: 'data: nothing that can be read\n\n' },
        word('2'),
        { raw: 'data: {"jsonrpc":"2.0","id":1,"result":{"hello":1}}\n\n' },
        word('4'),
        word('5'),
      ],
    });
    const found: unknown[] = [];
    for await (const { events, frames, frameOf = frames.map(({ seq }) => seq), findings } of client.stream(
      'SendStreamingMessage',
      asks('Go'),
      {},
    )) {
      assert.equal(frameOf.length, events.length);
      for (const [index, event] of events.entries())
        found.push([frameOf[index], 'statusUpdate' in event && event.statusUpdate.status.message?.messageId]);
      for (const { rule, frame } of findings) found.push([frame, rule]);
    }
    assert.deepEqual(
      found.toSorted((one, other) => String(one).localeCompare(String(other))),
      [
        [0, false],
        [1, 'RPC-01'],
        [2, '2'],
        [3, 'DATA-01'],
        [3, 'RPC-01'],
        [4, '4'],
        [5, '5'],
      ],
    );
  });
});

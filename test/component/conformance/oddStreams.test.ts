import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { Step } from '../../../src/mock/script.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { checked } from '../../support/conformance/agent/checked.ts';
import type { ConformingOptions } from '../../support/conformance/agent/conformingAgent.ts';
import { changed, type Asked } from '../../support/conformance/probeDecoy.ts';
import { probeDecoys } from '../../support/conformance/probeDecoys.ts';

suite('streams that break one rule, and what others say of them', () => {
  /** The verdicts of rules on an agent that writes the events of its streams in its own way. */
  async function verdicts(
    binding: ConformingOptions['binding'],
    rules: readonly RuleId[],
    write: (event: StreamResponse, request: Asked) => Step | readonly Step[],
  ): Promise<Readonly<Record<string, string>>> {
    const script: ConformingOptions['script'] = right =>
      Object.assign(
        {},
        ...(['SendStreamingMessage', 'SubscribeToTask'] as const).map(operation =>
          changed(operation, (step, request) => ('event' in step ? write(step.event, request) : step))(right),
        ),
      ) as typeof right;
    const told = await checked({ version: '1.0', binding, kind: 'full', script }, { rules: new Set(rules) });
    return Object.fromEntries(
      told.filter(({ rule }) => rules.includes(rule)).map(({ rule, verdict, why }) => [rule, `${verdict} ${english(why)}`]),
    );
  }
  const ofStreams = ['DATA-06', 'STRM-02', 'STRM-03', 'STRM-04', 'STRM-05', 'STRM-06'] as const;
  const idOf = ({ body }: Asked): unknown => (JSON.parse(body) as { readonly id: unknown }).id;

  test('events in an envelope that should have none are judged by what is inside', async () => {
    const found = await verdicts('HTTP+JSON', [...ofStreams, 'HTTP-06'], event => ({
      raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: event })}\n\n`,
    }));
    assert.match(found['HTTP-06'] ?? '', /^fail /);
    for (const rule of ofStreams) assert.match(found[rule] ?? '', /^pass /, rule);
  });

  test('two of whom one comes later hear the same, however the task that comes first spells its state', async () => {
    let count = 0;
    const found = await verdicts('JSONRPC', ['STRM-05'], (event, request) => {
      if (!('task' in event)) return { event };
      const { id: taskId, contextId = '', status } = event.task;
      const task = (state: string): Step => {
        const result = { task: { ...event.task, status: { ...status, state } } };
        return { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: idOf(request), result })}\n\n` };
      };
      return ++count === 2 ? [task('submitted'), { event: { statusUpdate: { taskId, contextId, status } } }] : task('working');
    });
    assert.match(found['STRM-05'] ?? '', /^pass /);
  });

  test('what a stream tells of another task breaks the rule about that, and none about order', async () => {
    const [taskId, contextId] = ['another', 'c-2'];
    const artifact = { artifactId: 'x', parts: [{ text: 'x' }] };
    const foreign: readonly StreamResponse[] = [
      { artifactUpdate: { taskId, contextId, artifact, append: true } },
      { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_FAILED' } } },
      { task: { id: 'a third', contextId, status: { state: 'TASK_STATE_SUBMITTED' } } },
    ];
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      const found = await verdicts(binding, ofStreams, event =>
        'task' in event ? [{ event }, ...foreign.map(other => ({ event: other }))] : { event },
      );
      for (const rule of ofStreams) assert.match(found[rule] ?? '', rule === 'DATA-06' ? /^fail / : /^pass /, `${binding} ${rule}`);
    }
  });

  test('a notification in an envelope breaks the rule about that alone', async () => {
    const { script } = probeDecoys.find(({ breaks }) => breaks === 'notifies in envelopes')!;
    const rules = new Set<RuleId>(['PUSH-05', 'PUSH-06', 'PUSH-07']);
    const told = await checked({ version: '1.0', binding: 'JSONRPC', kind: 'full', script }, { rules });
    assert.deepEqual(
      told.map(({ rule, verdict }) => [rule, verdict]),
      [
        ['PUSH-05', 'fail'],
        ['PUSH-06', 'pass'],
        ['PUSH-07', 'pass'],
      ],
    );
  });

  for (const [what, raw] of [
    ['are not JSON', 'data: {"jsonrpc"\n\n'],
    ['have no envelope', 'data: {"statusUpdate":{}}\n\n'],
    ['are written as one', 'data: {"jsonrpc":"2.0"}\ndata: {"jsonrpc":"2.0"}\n\n'],
  ] as const)
    test(`events that ${what} do not show with what a subscription begins`, async () => {
      const found = await verdicts('JSONRPC', ['STRM-06'], () => ({ raw }));
      assert.match(found['STRM-06'] ?? '', /^inconclusive /);
    });

  for (const [what, write] of [
    ['of other names', ({ statusUpdate }) => ({ taskStatusUpdate: statusUpdate })],
    ['with other states', ({ statusUpdate }) => ({ statusUpdate: { ...statusUpdate, status: { ...statusUpdate.status, state: 'DONE' } } })],
  ] as readonly (readonly [string, (event: { readonly statusUpdate: { readonly status: object } }) => unknown])[])
    test(`of events ${what} nobody says that the end is not among them`, async () => {
      const found = await verdicts('JSONRPC', ['STRM-05'], (event, request) =>
        'statusUpdate' in event
          ? { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: idOf(request), result: write(event) })}\n\n` }
          : { event },
      );
      assert.match(found['STRM-05'] ?? '', /^inconclusive /);
    });
});

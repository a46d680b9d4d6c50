import * as assert from 'node:assert/strict';
import type { Finding } from '../../../src/protocol/finding.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { task } from '../../support/client/says.ts';

suite('times without a zone', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const timed = (id: string, timestamp: string): Task => ({
    ...task('TASK_STATE_CANCELED'),
    id,
    status: { state: 'TASK_STATE_CANCELED', timestamp },
  });
  const told = (findings: readonly Finding[]): readonly string[] =>
    findings.filter(({ rule }) => rule === 'DATA-04').map(({ pointer, message }) => `${pointer} ${message}`);

  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const)
    test(`are told wherever a task is read: alone, canceled and in lists (${binding})`, async () => {
      const one = timed('t-1', '2026-08-14T10:00:00.123456');
      const other = timed('t-2', '2026-08-14T11:00:00Z');
      const { client } = await open.spoken(
        {
          GetTask: [{ answer: one }],
          CancelTask: [{ answer: one }],
          ListTasks: [{ answer: { tasks: [other, one], nextPageToken: '', pageSize: 50, totalSize: 2 } }],
        },
        '1.0',
        { binding },
      );
      const what = 'The timestamp "2026-08-14T10:00:00.123456" has no time zone; UTC is assumed.';
      assert.deepEqual(told((await client.call('GetTask', { id: 't-1' })).findings), [`/status/timestamp ${what}`]);
      assert.deepEqual(told((await client.call('CancelTask', { id: 't-1' })).findings), [`/status/timestamp ${what}`]);
      const { findings, result } = await client.call('ListTasks', {});
      assert.deepEqual(told(findings), [`/tasks/1/status/timestamp ${what}`]);
      assert.equal(result.tasks[1]?.status.timestamp, '2026-08-14T10:00:00.123456Z');
    });
});

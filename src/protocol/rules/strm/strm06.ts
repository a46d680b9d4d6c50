import { isObject } from '../../json.ts';
import { isActive } from '../../message/taskState.ts';
import { sentence } from '../../problem.ts';
import { withEndedTask } from '../rule/begun.ts';
import { failed } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { expectRefusedStream, unheard } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'SubscribeToTask begins with the task, and is refused for one that is over or unknown',
  section: '3.1.6',
  section0_3: '7.9',
  versions: ['1.0', '0.3'],
  active: true,
  startsWork: true,
  kit: ['STREAM-SUB-001', 'STREAM-SUB-002', 'STREAM-SUB-003', 'STREAM-SUB-004'],
  disputed: 'Over HTTP+JSON the specification subscribes with POST, its protocol buffers with GET; either counts.',
};

export const probe: Probe = {
  unless: unlessStreaming,
  async run(port) {
    const unknown = await expectRefusedStream(port, await port.stream('SubscribeToTask', { id: crypto.randomUUID() }), [-32001]);
    if (unknown.verdict !== 'pass' || port.version !== '1.0') return unknown;
    const ended = await withEndedTask(port, async ({ taskId: id }) =>
      expectRefusedStream(port, await port.stream('SubscribeToTask', { id }), [-32004]),
    );
    if (ended.verdict === 'fail') return ended;
    const begun = await port.make('long-task', 'another');
    if (begun?.task?.state === undefined || !isActive(begun.task.state)) return unknown;
    const stream = await port.stream('SubscribeToTask', { id: begun.task.taskId });
    for await (const { result, frame, error } of stream.events) {
      stream.close();
      await port.call('CancelTask', { id: begun.task.taskId });
      if (result === undefined && error === undefined) return unheard(stream.exchange()!);
      if (error !== undefined || (isObject(result) && isObject(result['task']))) return unknown;
      return { ...failed({ exchange: stream.exchange()! }, sentence('A subscription should begin with the task.')), frame: frame.seq };
    }
    return stream.answer() === undefined ? unheard(stream.exchange()!) : unknown;
  },
};

import { isObject } from '../../../protocol/json.ts';
import { isActive, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { withEndedTask } from '../rule/begun.ts';
import { failed } from '../rule/outcome.ts';
import type { ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { expectRefusedStream, withoutEvents } from '../rule/streamed.ts';
import { reportedState } from '../rule/reportedState.ts';
import { unlessStreaming } from '../rule/unless.ts';

/** How long something that comes about is waited for, in milliseconds. */
const newsMs = 5_000;

/** The failure where a subscription does not begin with the task as it is; `unmoved` where nothing had come about before, but has by then. */
async function unlessCurrent(port: ProbePort, id: string): Promise<ProbeResult | 'unmoved' | undefined> {
  const before = await port.call('GetTask', { id });
  const stream = await port.stream('SubscribeToTask', { id });
  const events = stream.events[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const first = await events.next();
    if (first.done === true) return stream.answer() === undefined ? withoutEvents(stream.exchange()!) : undefined;
    const { result, frame, error } = first.value;
    if (error !== undefined) return undefined;
    if (result === undefined) return withoutEvents(stream.exchange()!);
    const wrong = (why: LocalizedMessage): ProbeResult => ({ ...failed({ exchange: stream.exchange()! }, why), frame: frame.seq });
    if (!isObject(result) || !isObject(result['task'])) return wrong(sentence('A subscription should begin with the task.'));
    const [reported, known] = [result, before.result].map(each => readTaskState(reportedState(each)));
    if (reported !== 'TASK_STATE_SUBMITTED') return undefined;
    if (known !== undefined && known !== reported)
      return wrong(sentence('The subscription began with {0}, though the task was in {1} already.', reported, known));
    const news = events.next().catch(() => undefined);
    const came = await Promise.race([news, new Promise<undefined>(resolve => (timer = setTimeout(resolve, newsMs, undefined)))]);
    return came?.done === false ? 'unmoved' : undefined;
  } finally {
    clearTimeout(timer);
    stream.close();
    await events.return?.().catch(() => undefined);
  }
}

const ofUnknownTask = async (port: ProbePort): Promise<ProbeResult> =>
  expectRefusedStream(port, await port.stream('SubscribeToTask', { id: crypto.randomUUID() }), [-32001]);

export const rule: Rule = {
  id: 'STRM-06',
  level: 'MUST',
  title: 'SubscribeToTask begins with the task, and is refused for a finished or unknown one',
  remedy: 'Send the current task first, then its events; refuse finished tasks with UnsupportedOperationError.',
  clause: '3.1.6 Subscribe to Task',
  clause0_3: '7.9 tasks/resubscribe',
  versions: ['1.0', '0.3'],
  startsWork: true,
  kit: ['STREAM-SUB-001', 'STREAM-SUB-002', 'STREAM-SUB-003', 'STREAM-SUB-004'],
  disputed: 'Over HTTP+JSON the specification subscribes with POST, its protocol buffers with GET; either counts.',
  probe: {
    unless: unlessStreaming,
    withoutWork: ofUnknownTask,
    async run(port) {
      const unknown = await ofUnknownTask(port);
      if (unknown.verdict !== 'pass' || port.version !== '1.0') return unknown;
      const ended = await withEndedTask(port, async ({ taskId: id }) =>
        expectRefusedStream(port, await port.stream('SubscribeToTask', { id }), [-32004]),
      );
      if (ended.verdict === 'fail') return ended;
      const begun = await port.make('long-task', 'another');
      if (begun?.task?.state === undefined || !isActive(begun.task.state)) return unknown;
      const { taskId } = begun.task;
      try {
        const first = await unlessCurrent(port, taskId);
        // While nothing has changed, the task as received long ago is current.
        const result = first === 'unmoved' ? await unlessCurrent(port, taskId) : first;
        return result === undefined || result === 'unmoved' ? unknown : result;
      } finally {
        await port.call('CancelTask', { id: taskId });
      }
    },
  },
};

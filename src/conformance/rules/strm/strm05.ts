import { isActive, isTerminal, readTaskState } from '../../../protocol/message/taskState.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { unknownPrompt, withoutTask } from '../rule/begun.ts';
import { failed, inconclusive, notTestable, passed } from '../rule/outcome.ts';
import type { ProbeEvent } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { follow, graceMs, unlessEvents } from '../rule/streamed.ts';
import { reportedState } from '../rule/reportedState.ts';
import { unlessStreaming } from '../rule/unless.ts';
import { objects } from '../rule/values.ts';

/** How long the task may go on, so that its artifacts are compared, before it is canceled, in milliseconds. */
const watchMs = 5_000;

/**
 * True if two streams had the same events after the first of each, which is the task as it then was. The later stream may lack changes that
 * its first event already has.
 */
function isSameNews(one: readonly string[], other: readonly string[]): boolean {
  const [early, late] = one.length >= other.length ? [one, other] : [other, one];
  const news = late.slice(1);
  const missed = early.length - news.length;
  if (early.slice(missed).join(' ') !== news.join(' ')) return false;
  return missed <= 1 || early.slice(0, missed).findLast(each => each !== 'artifact') === late[0];
}

/** The artifacts of a stream at its end, from the task that came first or from events. */
function artifactsIn(events: readonly ProbeEvent[]): string {
  const ids = events.flatMap(({ result }) => {
    const members = isObject(result) ? result : {};
    const task = isObject(members['task']) ? members['task'] : {};
    const update = isObject(members['artifactUpdate']) ? members['artifactUpdate'] : {};
    return [...objects(task['artifacts']).map(([, artifact]) => artifact), update['artifact']].map(artifact =>
      isObject(artifact) ? artifact['artifactId'] : undefined,
    );
  });
  return [...new Set(ids.filter(id => typeof id === 'string'))].sort().join(' ');
}

export const rule: Rule = {
  id: 'STRM-05',
  level: 'MUST',
  title: 'Two subscribers get the same events, and one that disconnects does not affect the other',
  remedy: 'Give each subscriber its own queue.',
  clause: '3.5.2 Streaming Event Delivery',
  versions: ['1.0'],
  startsWork: true,
  kit: ['STREAM-ORDER-002', 'STREAM-ORDER-003', 'STREAM-ORDER-004', 'STREAM-SUB-002'],
  probe: {
    unless: unlessStreaming,
    run: async port => {
      const begun = await port.make('long-task', 'another');
      if (begun === undefined) return notTestable(unknownPrompt('long-task'));
      const lacking = withoutTask(begun, 'long-task');
      if (lacking !== undefined) return lacking;
      const { taskId: id, state } = begun.task!;
      if (state !== undefined && !isActive(state))
        return inconclusive(begun.answer, sentence('The task is in {0}; it was meant to take long.', state));
      const [one, other, third] = [
        await port.stream('SubscribeToTask', { id }),
        await port.stream('SubscribeToTask', { id }),
        await port.stream('SubscribeToTask', { id }),
      ];
      // The first leaves as soon as it hears something; what the others hear must not change by that.
      const leaves = (async () => {
        for await (const _ of one.events) {
          one.close();
          return;
        }
      })();
      const both = Promise.all([follow(port, other), follow(port, third)]);
      // Their errors are reported where they are awaited, or by the first stream.
      both.catch(() => {});
      leaves.catch(() => {});
      // Where nothing comes, the first need not be waited for longer than the others.
      await Promise.race([leaves, both.catch(() => {})]);
      one.close();
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([both.catch(() => {}), new Promise(resolve => (timer = setTimeout(resolve, watchMs)))]);
      clearTimeout(timer);
      const now = await port.call('GetTask', { id });
      const current = readTaskState(reportedState(now.result));
      if (current === 'TASK_STATE_CANCELED')
        return failed(now, sentence('The task was canceled when one of three streams was closed.'), now.pointer);
      const canceled = await port.call('CancelTask', { id });
      const overAt = performance.now();
      const streams = await both;
      const withoutEvents = streams.map(unlessEvents);
      if (withoutEvents[0] !== undefined && withoutEvents[1] !== undefined) return withoutEvents[1];
      const states = streams.map(({ own }) =>
        own.map(({ result }) => readTaskState(reportedState(result)) ?? reportedState(result) ?? 'artifact'),
      );
      const [a, b] = states.map(each => each.join(' '));
      const ends = streams.map(stream => stream.state !== undefined && isTerminal(stream.state));
      const exchange = streams[1].exchange;
      // Who asks to listen once the task is over is refused, and hears of no state.
      if (current !== undefined && !isActive(current) && streams.some(stream => stream.state === undefined))
        return inconclusive(now, sentence('The task was in {0} and has since moved on to {1}.', state ?? '-', current));
      const [mine, theirs] = streams.map(({ own }) => artifactsIn(own));
      if (ends[0] === true && ends[1] === true && mine !== theirs)
        return failed({ exchange }, sentence('Two streams of the task differ in artifacts: {0} and {1}.', quoted(mine), quoted(theirs)));
      if (ends[0] !== ends[1] || (ends[0] === true && !isSameNews(states[0]!, states[1]!)))
        return failed({ exchange }, sentence('Two streams of the task differ: {0} and {1}.', quoted(a), quoted(b)));
      if (ends[0] === true) return passed({ exchange }, sentence('Both streams had {0}.', quoted(a)));
      const isOver = [current, readTaskState(reportedState(canceled.result))].some(each => each !== undefined && isTerminal(each));
      // An event of neither kind may have reported the end in another way, which other rules check.
      const isKnownEvent = ({ result }: ProbeEvent): boolean =>
        readTaskState(reportedState(result)) !== undefined || (isObject(result) && 'artifactUpdate' in result);
      const couldReceive = streams.every(
        ({ events, leftAt }) => events.every(isKnownEvent) && (leftAt === undefined || leftAt - overAt > graceMs),
      );
      return (isOver && couldReceive ? failed : inconclusive)({ exchange }, sentence('Neither of two streams had the end of the task.'));
    },
  },
};

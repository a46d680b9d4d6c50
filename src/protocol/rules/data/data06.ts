import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import { failed, judged } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Events carry the taskId and the contextId of their task',
  section: '4.2',
  section0_3: '7.2.2',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  active: true,
  startsWork: true,
  kit: [],
};

/** The id of the task that an event is about, in either version's form; undefined where it names none. */
function taskIdIn(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const inside = [result['task'], result['statusUpdate'], result['artifactUpdate']].find(isObject) ?? result;
  const id = inside['taskId'] ?? (isObject(inside['status']) ? inside['id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}

export const probe: Probe = {
  unless: unlessStreaming,
  run: port =>
    withStream(port, 'task', ({ exchange, events }) => {
      const told = events.map(({ result, frame }) => ({ id: taskIdIn(result), frame })).filter(({ id }) => id !== undefined);
      const other = told.find(({ id }) => id !== told[0]!.id);
      return other === undefined
        ? judged('DATA-06', exchange)
        : {
            ...failed(
              { exchange },
              sentence('An event of task {0} came in the stream of task {1}.', quoted(other.id), quoted(told[0]!.id)),
            ),
            frame: other.frame.seq,
          };
    }),
};

import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { reportedId } from '../rule/reportedState.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'DATA-06',
  level: 'MUST',
  title: 'Events carry the taskId and the contextId of their task',
  remedy: 'Set taskId and contextId on every event when it is published.',
  clause: '4.2 Streaming Events',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', ({ exchange, events }) => {
        for (const name of ['taskId', 'contextId'] as const) {
          const told = events.map(({ result, frame }) => ({ id: reportedId(result, name), frame })).filter(({ id }) => id !== undefined);
          const first = quoted(told[0]?.id);
          const other = told.find(({ id }) => id !== told[0]!.id);
          if (other === undefined) continue;
          const why =
            name === 'taskId'
              ? sentence('An event of task {0} came in the stream of task {1}.', quoted(other.id), first)
              : sentence('{0} should be {1}, not {2}.', name, first, quoted(other.id));
          return { ...failed({ exchange }, why), frame: other.frame.seq };
        }
        return judged('DATA-06', exchange);
      }),
  },
};

import { sentence } from '../../../protocol/problem.ts';
import { inconclusive, judged, notApplicable } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

/** 0.3 requires `final` and defines it, without a word of RFC 2119; from 1.0 on there is none. */
export const rule: Rule = {
  id: 'STRM-12',
  level: 'tool',
  title: 'The last status update of a stream has final: true, and no other has',
  remedy: 'Set final to true in the last status update, when the task ends or waits, and close the stream after it.',
  clause: '7.2.2 TaskStatusUpdateEvent Object',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['0.3', '0.2'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', ({ exchange, state, leftAt }) => {
        const found = judged('STRM-12', exchange);
        if (found.verdict !== 'pass') return found;
        if (state === undefined) return notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
        return leftAt === undefined
          ? found
          : inconclusive({ exchange }, sentence('No event came after {0}; the stream stayed open and was closed here.', state));
      }),
  },
};

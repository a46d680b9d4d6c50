import { isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, judged, notApplicable } from '../rule/outcome.ts';
import { reportedState } from '../rule/reportedState.ts';
import type { Rule } from '../rule/rule.ts';
import { notReported, withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'STRM-11',
  level: 'MUST',
  title: 'A task ends once, and no error follows',
  remedy: 'Set the terminal state of a task once, and guard the store against later changes.',
  clause: '3.1.2 Send Streaming Message',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', stream => {
        const { exchange, own: events, state: last } = stream;
        const found = judged('STRM-11', exchange);
        if (found.verdict !== 'pass') return found;
        if (last === undefined) return notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
        let end: TaskState | undefined;
        for (const { result, frame } of events) {
          const state = readTaskState(reportedState(result));
          if (state === undefined || !isTerminal(state)) continue;
          if (end !== undefined && state !== end)
            return { ...failed({ exchange }, sentence('The task reached {0} after {1}.', state, end)), frame: frame.seq };
          end = state;
        }
        return end === undefined ? notReported(stream) : found;
      }),
  },
};

import { isTerminal, readTaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, judged, notApplicable } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { graceMs, notReported, withStream } from '../rule/streamed.ts';
import { reportedState } from '../rule/reportedState.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'STRM-03',
  level: 'MUST',
  title: 'Nothing follows a terminal state',
  remedy: 'Close the stream after the event with the terminal state, and drop what the agent publishes later.',
  clause: '3.1.2 Send Streaming Message',
  clause0_3: '7.2.2 TaskStatusUpdateEvent Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  startsWork: true,
  kit: ['CORE-STREAM-003'],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', stream => {
        const { exchange, own: events, state, stayedOpen } = stream;
        const found = judged('STRM-03', exchange);
        if (found.verdict !== 'pass') return found;
        const end = events.findIndex(({ result }) => isEnd(reportedState(result)));
        if (state === undefined) return notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
        if (end === -1) return notReported(stream);
        // The task as it is in the end may come once more (A2A 1.0 §11.7): who says the end again says nothing new.
        const late = events.slice(end + 1).find(({ result, error }) => error === undefined && !isEnd(reportedState(result)));
        // As the agent spells it; a late event may tell another state.
        const ended = reportedState(events[end]?.result) ?? state;
        if (late !== undefined) return { ...failed({ exchange }, sentence('An event came after {0}.', ended)), frame: late.frame.seq };
        return stayedOpen ? failed({ exchange }, sentence('The stream was still open {0} ms after {1}.', graceMs, ended)) : found;
      }),
  },
};

function isEnd(reported: string | undefined): boolean {
  const state = readTaskState(reported);
  return state !== undefined && isTerminal(state);
}

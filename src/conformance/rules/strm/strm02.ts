import { sentence } from '../../../protocol/problem.ts';
import { failed, judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { graceMs, isMessage, withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'STRM-02',
  level: 'MUST',
  title: 'A stream begins with a task, or is one message',
  remedy: 'Publish the task as the first event, before any update of it.',
  clause: '3.1.2 Send Streaming Message',
  versions: ['1.0'],
  whileReading: true,
  startsWork: true,
  kit: ['CORE-STREAM-001', 'CORE-STREAM-002', 'CORE-STREAM-003'],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', ({ exchange, events: [first, second], stayedOpen }) => {
        if (first === undefined || !isMessage(first)) return judged('STRM-02', exchange);
        if (second !== undefined)
          return {
            ...failed({ exchange }, sentence('Another event followed the message, which should be the only one.')),
            frame: second.frame.seq,
          };
        return stayedOpen
          ? failed({ exchange }, sentence('The stream was still open {0} ms after its message.', graceMs))
          : judged('STRM-02', exchange);
      }),
  },
};

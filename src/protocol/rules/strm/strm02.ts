import { judged } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A stream begins with a task, or is one message',
  section: '3.1.2',
  versions: ['1.0'],
  passive: true,
  whileReading: true,
  active: true,
  startsWork: true,
  kit: ['CORE-STREAM-001', 'CORE-STREAM-002', 'CORE-STREAM-003'],
};

export const probe: Probe = {
  unless: unlessStreaming,
  run: port => withStream(port, 'task', ({ exchange }) => judged('STRM-02', exchange)),
};

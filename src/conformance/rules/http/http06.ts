import { judged } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Answers and events stand for themselves, without an envelope',
  section: '11.7',
  section0_3: '3.3.3',
  versions: ['1.0', '0.3'],
  bindings: ['HTTP+JSON'],
  passive: true,
  whileReading: true,
  active: true,
  startsWork: true,
  kit: ['HTTP_JSON-SSE-001'],
};

export const probe: Probe = {
  unless: unlessStreaming,
  run: port => withStream(port, 'task', ({ exchange }) => judged('HTTP-06', exchange)),
};

import { judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'HTTP-06',
  level: 'MUST',
  title: 'Answers and events are bare, without an envelope',
  remedy: 'Write only the object: the JSON-RPC envelope is not for HTTP+JSON.',
  clause: '11.7 Streaming',
  clause0_3: '3.3.3 HTTP+JSON/REST Streaming',
  versions: ['1.0', '0.3'],
  bindings: ['HTTP+JSON'],
  whileReading: true,
  startsWork: true,
  kit: ['HTTP_JSON-SSE-001'],
  probe: {
    unless: unlessStreaming,
    run: port => withStream(port, 'task', ({ exchange }) => judged('HTTP-06', exchange)),
  },
};

import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'STRM-09',
  level: 'tool',
  title: 'The data of an event is one JSON text in one line, and a blank line follows',
  remedy: 'Write each event as one line of data followed by a blank line; let a library write server-sent events.',
  clause: '9.4.2 SendStreamingMessage',
  clause0_3: '3.3.1 JSON-RPC 2.0 Streaming',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};

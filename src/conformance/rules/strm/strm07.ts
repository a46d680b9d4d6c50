import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { checkedJson } from '../rule/answerView.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'STRM-07',
  level: 'MUST',
  title: 'Each event of a JSON-RPC stream has the id of the request',
  remedy: 'Write the id of the request into the envelope of every event.',
  clause: '9.4.2 SendStreamingMessage',
  clause0_3: '7.2.1 SendStreamingMessageResponse Object',
  versions: ['1.0', '0.3'],
  bindings: ['JSONRPC'],
  startsWork: true,
  kit: ['JSONRPC-SSE-001'],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', ({ exchange, events }) => {
        const sent: unknown = JSON.parse(exchange.request.body);
        const id = isObject(sent) ? sent['id'] : undefined;
        for (const { frame } of events) {
          const data = checkedJson(frame.data);
          if (isObject(data) && data['id'] !== id)
            return {
              ...failed({ exchange }, sentence('{0} should be {1}, not {2}.', 'id', quoted(id), quoted(data['id'])), '/id'),
              frame: frame.seq,
            };
        }
        return passed({ exchange }, sentence('{0} events have the id of the request.', events.length));
      }),
  },
};

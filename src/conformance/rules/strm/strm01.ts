import type { Rule } from '../rule/rule.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectRefusedStream } from '../rule/streamed.ts';
import { unlessNotStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'STRM-01',
  level: 'MUST',
  title: 'Streaming methods work where the card promises streaming, and are refused elsewhere',
  remedy: 'Check the capability first, and answer UnsupportedOperationError if the card does not declare streaming.',
  clause: '3.3.4 Capability Validation',
  clause0_3: '11.1.3 Optional Method Implementation',
  versions: ['1.0', '0.3'],
  kit: ['CORE-CAP-002'],
  probe: {
    unless: unlessNotStreaming,
    async run(port) {
      // 0.3 has no error for it but that the method or the operation is not there.
      const codes = port.version === '1.0' ? [-32004] : [-32004, -32601];
      const id = crypto.randomUUID();
      const subscribed = await expectRefusedStream(port, await port.stream('SubscribeToTask', { id }), codes, 'evenLacking');
      if (subscribed.verdict === 'fail') return subscribed;
      const message = fromUser({ taskId: id });
      const sent = await expectRefusedStream(port, await port.stream('SendStreamingMessage', { message }), codes, 'evenLacking');
      return sent.verdict === 'fail' ? sent : subscribed;
    },
  },
};

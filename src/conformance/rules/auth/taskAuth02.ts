import { sentence } from '../../../protocol/problem.ts';
import { unlessMoved, withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, isAside, isRefused, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { notReported, withStream } from '../rule/streamed.ts';
import { unlessStreaming } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'TASK-AUTH-02',
  level: 'SHOULD',
  title: 'While a task waits for authorization, its stream stays open and messages are accepted',
  remedy: 'Keep the stream open while the task waits for authorization, and accept messages for it.',
  clause: '7.6.1 In-Task Authorization Agent Responsibilities',
  versions: ['1.0'],
  startsWork: true,
  kit: ['AUTH-INTASK-005', 'AUTH-INTASK-006'],
  disputed: 'In section 11.7 a stream ends when the task is interrupted; in section 7.6.1 it stays open.',
  probe: {
    unless: unlessStreaming,
    async run(port) {
      const result = await withStream(port, 'auth-required', stream => {
        const { exchange, events, state, stayedOpen } = stream;
        if (state !== 'TASK_STATE_AUTH_REQUIRED') return notReported(stream, 'TASK_STATE_AUTH_REQUIRED');
        return stayedOpen
          ? passed({ exchange }, sentence('The stream stayed open while the task waited.'))
          : {
              verdict: 'disputed',
              why: sentence('The stream ended while the task waited for authorization.'),
              exchangeId: exchange.id,
              frame: events.length - 1,
            };
      });
      if (result.verdict !== 'pass' && result.verdict !== 'disputed') return result;
      return withTask(port, 'auth-required', async ({ taskId, state }) => {
        const answer = await port.call('SendMessage', { message: fromUser({ taskId }) });
        if (!isRefused(answer) || isAside(answer)) return result;
        return (
          (await unlessMoved(port, { taskId, state })) ??
          failed(
            answer,
            sentence('It answered {0} to a message while the task waited for authorization.', said(answer)),
            answer.error?.pointer,
          )
        );
      });
    },
  },
};

import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { unknownPrompt } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { compared, inconclusive, isAside, isRefused, notTestable, nothing, passed, said } from '../rule/outcome.ts';
import type { AnswerView, EventView, PassiveNote } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet } from '../rule/values.ts';

/** Another context in the place of the one that the message named. */
function replaced({ operation, params: { message }, result, pointer }: AnswerView | EventView, note: PassiveNote): void {
  if (!isObject(message) || !isSet(message['contextId']) || !isObject(result) || !operation.startsWith('Send')) return;
  for (const name of ['task', 'message']) {
    const inner = result[name];
    if (!isObject(inner) || !isSet(inner['contextId']) || inner['contextId'] === message['contextId']) continue;
    const [wanted, came] = [quoted(message['contextId']), quoted(inner['contextId'])];
    note(`${pointer}/${name}/contextId`, sentence('{0} should be {1}, not {2}.', 'contextId', wanted, came));
  }
}

export const rule: Rule = {
  id: 'CORE-08',
  level: 'MUST',
  title: 'A contextId the agent does not accept is refused, not replaced',
  remedy: "Use the client's contextId or refuse the message; do not generate another.",
  clause: '3.4.1 Context Identifier Semantics',
  versions: ['1.0'],
  startsWork: true,
  kit: ['CORE-MULTI-002a'],
  disputed: "Section 3.4.1 allows an agent without contexts, and does not say whether it may omit the client's contextId.",
  passive: {
    answer: replaced,
    event: (view, note) => {
      if (view.seq === 0) replaced(view, note);
    },
  },
  probe: {
    async run(port) {
      const parts = port.prompt('task');
      if (parts === undefined) return notTestable(unknownPrompt('task'));
      const contextId = crypto.randomUUID();
      const answer = await port.call('SendMessage', {
        message: fromUser({ parts: [...parts], contextId }),
      });
      if (isAside(answer)) return nothing(answer);
      if (isRefused(answer)) return passed(answer, sentence('It answered {0}, as it should.', said(answer)));
      const result = isObject(answer.result) ? answer.result : {};
      const inner = [result['task'], result['message'], result['msg'], result].find(isObject) ?? {};
      // A message need not name its context.
      if (!isSet(inner['contextId']) && !isObject(inner['status'])) return inconclusive(answer, sentence('The answer names no context.'));
      const verdict = compared(answer, 'contextId', inner['contextId'], contextId);
      // It was put in the place of nothing else.
      return isSet(inner['contextId']) ? verdict : { ...verdict, verdict: 'disputed' };
    },
  },
};

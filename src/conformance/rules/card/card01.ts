import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, inconclusive, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-01',
  level: 'MUST',
  title: 'An agent card is one JSON object',
  remedy:
    'Serve one JSON object with the media type application/json at /.well-known/agent-card.json; web frameworks often answer that path with a page.',
  clause: '8.1 Purpose',
  clause0_3: '5.3 Recommended Location',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: ['CARD-DISC-001'],
  probe: {
    async run(port) {
      const answer = await port.get(port.cardUrl);
      const { status, json } = answer;
      if (status !== 200) return inconclusive(answer, sentence('It answered HTTP {0}, which says nothing about the rule.', status));
      return isObject(json)
        ? passed(answer, sentence('The card is one JSON object.'))
        : failed(answer, sentence('The card should be one JSON object, not {0}.', quoted(json ?? null, 80)), '');
    },
  },
};

import { sentence } from '../../../protocol/problem.ts';
import { failed, isRefused, notTestable, passed, wantsCredentials } from '../rule/outcome.ts';
import type { ProbeAnswer, ProbePort } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessSecured, unlessSiblings } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'EQ-02',
  level: 'MUST',
  title: 'All interfaces have the same security schemes',
  remedy: 'Put the same authentication in front of every binding.',
  clause: '5.1 Functional Equivalence Requirements',
  clause0_3: '3.4.1 Functional Equivalence Requirements',
  versions: ['1.0', '0.3'],
  kit: ['BIND-EQUIV-004'],
  probe: {
    unless: port => unlessSecured(port) ?? unlessSiblings(port),
    async run(port) {
      const lets = async (one: ProbePort): Promise<readonly [ProbeAnswer, boolean] | undefined> => {
        const answer = await one.as('anonymous')?.call('GetTask', { id: crypto.randomUUID() });
        return answer && [answer, wantsCredentials(answer)];
      };
      const own = await lets(port);
      if (own === undefined) return notTestable(sentence('The agent cannot be asked without credentials.'));
      for (const sibling of port.siblings()) {
        const other = await lets(sibling);
        if (other !== undefined && own[1] && !other[1] && (!isRefused(other[0]) || other[0].error?.code === -32001))
          return failed(
            other[0],
            sentence('{0} asks for credentials, and {1} answers without.', port.interface.url, sibling.interface.url),
          );
      }
      return passed(own[0], sentence('All interfaces gave the same answer.'));
    },
  },
};

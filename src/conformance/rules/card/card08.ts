import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, hasReason, notTestable } from '../rule/outcome.ts';
import type { ProbeAnswer } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-08',
  level: 'MUST',
  title: 'Every protocol that the agent supports is in its card',
  remedy: 'List every binding that the server answers in supportedInterfaces.',
  clause: '5.2 Protocol Selection and Negotiation',
  clause0_3: '11.1.1 Transport Support Requirements',
  versions: ['1.0', '0.3'],
  kit: ['BIND-FIELD-001'],
  probe: {
    async run(port) {
      const declared = new Set(port.card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding));
      const id = crypto.randomUUID();
      const asked = port.version === '1.0' ? 'GetTask' : 'tasks/get';
      const tries = [
        { binding: 'JSONRPC', method: 'POST', path: '', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: asked, params: { id } }) },
        { binding: 'HTTP+JSON', method: 'GET', path: `${port.version === '1.0' ? '' : '/v1'}/tasks/${id}` },
      ] as const;
      let last: ProbeAnswer | undefined;
      for (const { binding, ...request } of tries.filter(each => !declared.has(each.binding))) {
        const answer = await port.raw({ ...request, judgedAs: '0.1' });
        if (answer === undefined) continue;
        last = answer;
        const envelope = isObject(answer.json) ? answer.json : {};
        const error = isObject(envelope['error']) ? envelope['error'] : envelope;
        const isSpoken = error['code'] === -32001 || (binding === 'HTTP+JSON' && hasReason(error) && answer.status === 404);
        if (isSpoken) return failed(answer, sentence('It supports {0}, but no interface of the card declares it.', binding));
      }
      // It cannot be shown that a binding is not supported at any address.
      if (last !== undefined) return notTestable(sentence('It does not support another binding at the addresses that were tried.'));
      return notTestable(sentence('There is no other binding that could be tried.'));
    },
  },
};

import { distinct } from '../../../protocol/card/checks/interfaces.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import { failed, isAside, judged, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-18',
  level: 'MUST',
  title: 'preferredTransport is set and matches url, and no address has two transports',
  remedy: 'Set preferredTransport to the transport of url, and give every other transport its own address.',
  clause: '5.6.1 Main URL and Preferred Transport',
  clause0_3: '5.6.1 Main URL and Preferred Transport',
  versions: ['0.3'],
  kit: [],
  disputed: 'Section 5.6.1 of A2A 0.3 requires preferredTransport; the types of that version make it optional.',
  passive: {
    card(view, note) {
      if (view.card['preferredTransport'] === undefined) note('', sentence('{0} is missing.', 'preferredTransport'), { disputed: true });
      noteFaults(view, note, distinct, isOneOf('conflicting-transports'));
    },
  },
  probe: {
    async run(port) {
      const { url, protocolBinding } = port.interface;
      const card = await port.get(port.cardUrl);
      const found = judged('CARD-18', card.exchange);
      const [main] = port.card.supportedInterfaces;
      if (found.verdict !== 'pass' || main?.url !== url || main.protocolBinding !== protocolBinding) return found;
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const { binding, json, status } = answer;
      // Whether it really is the binding is seen by the shape of what is answered.
      const speaks =
        binding === 'GRPC' || (binding === 'JSONRPC' ? isObject(json) && 'jsonrpc' in json : isObject(json) && !('jsonrpc' in json));
      if (speaks) return passed(answer, sentence('It supports {0} {1}.', protocolBinding, port.version));
      return isAside(answer) || status >= 500 || (binding === 'HTTP+JSON' && status === 404)
        ? nothing(answer)
        : failed(answer, sentence('It answered {0}; it should support {1} {2}.', said(answer), protocolBinding, port.version));
    },
  },
};

import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { failed, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-07',
  level: 'MUST',
  title: 'An interface supports the binding and the version it declares',
  remedy: 'Remove interfaces that the server does not have from the card, or register the missing binding or version.',
  clause: '8.3.1 Supported Interfaces Declaration',
  clause0_3: '5.6.1 Main URL and Preferred Transport',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['CARD-PROTO-001'],
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const { binding, status, json, error, headers } = answer;
      const { protocolBinding, protocolVersion } = port.interface;
      // A path or a service that is not there is what CARD-06, HTTP-01 and GRPC-01 are about.
      const isPathLacking =
        binding === 'GRPC'
          ? headers.get('grpc-status') === '12'
          : (status === 404 || status === 405) && (binding === 'JSONRPC' ? error?.code === undefined : !isObject(json));
      if (isAside(answer, [-32009]) || status >= 500 || isPathLacking) return nothing(answer);
      const speaks =
        binding === 'GRPC' || (binding === 'JSONRPC' ? isObject(json) && ('result' in json || 'error' in json) : isObject(json));
      return speaks && error?.code !== -32009
        ? passed(answer, sentence('It supports {0} {1}.', protocolBinding, protocolVersion))
        : failed(
            answer,
            sentence('It answered {0}; it should support {1} {2}.', said(answer), protocolBinding, protocolVersion),
            error?.pointer,
          );
    },
  },
};

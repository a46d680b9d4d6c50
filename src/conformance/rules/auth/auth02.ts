import { sentence } from '../../../protocol/problem.ts';
import { judged, nothing, notTestable, wantsCredentials } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessSecured } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'AUTH-02',
  level: 'SHOULD',
  title: 'An HTTP 401 names the authentication scheme that it requires',
  remedy: 'Answer HTTP 401 with WWW-Authenticate, which names the scheme.',
  clause: '7.4 Server Authentication Responsibilities',
  clause0_3: '4.4 Server Responsibilities for Authentication',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    answer({ status, headers }, note) {
      if (status === 401 && !headers.has('www-authenticate')) note('', sentence('HTTP 401 without WWW-Authenticate.'));
    },
  },
  probe: {
    unless: port =>
      unlessSecured(port) ??
      (port.interface.protocolBinding === 'GRPC' ? sentence('The rule is about HTTP; gRPC has no challenges.') : undefined),
    async run(port) {
      const answer = await port.as('anonymous')?.call('GetTask', { id: crypto.randomUUID() });
      if (answer === undefined) return notTestable(sentence('The agent cannot be asked without credentials.'));
      return wantsCredentials(answer) ? judged('AUTH-02', answer.exchange) : nothing(answer);
    },
  },
};

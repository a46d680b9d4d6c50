import { sentence } from '../../../protocol/problem.ts';
import { judged, nothing, notTestable, wantsCredentials } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessSecured } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'A refusal for lack of credentials says which are wanted',
  section: '7.4',
  section0_3: '4.4',
  versions: ['1.0', '0.3'],
  passive: true,
  active: true,
  kit: [],
};

export const passive: PassiveCheck = {
  answer({ status, headers }, note) {
    if (status === 401 && !headers.has('www-authenticate')) note('', sentence('HTTP 401 came without WWW-Authenticate.'));
  },
};

export const probe: Probe = {
  unless: port =>
    unlessSecured(port) ??
    (port.interface.protocolBinding === 'GRPC' ? sentence('The rule is about HTTP; gRPC has no challenges.') : undefined),
  async run(port) {
    const answer = await port.as('nobody')?.call('GetTask', { id: crypto.randomUUID() });
    if (answer === undefined) return notTestable(sentence('The agent cannot be asked without credentials.'));
    return wantsCredentials(answer) ? judged('AUTH-02', answer.exchange) : nothing(answer);
  },
};

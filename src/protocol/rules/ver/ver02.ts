import { sentence } from '../../problem.ts';
import { failed, hasReason, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A request without A2A-Version counts as one of 0.3',
  section: '3.6.2',
  versions: ['1.0'],
  active: true,
  kit: ['VER-SERVER-003'],
};

export const probe: Probe = {
  async run(port) {
    const answer = await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'A2A-Version': undefined }, judgedAs: '0.3' });
    if (isAside(answer, [-32009])) return nothing(answer);
    // An agent that takes it for a request of 0.3 knows no such method or path there, or no such version.
    return answer.error?.code === -32001 && (answer.binding === 'JSONRPC' || hasReason(answer.error.value))
      ? failed(answer, sentence('It answered {0} without A2A-Version, as it does with 1.0.', said(answer)), answer.error.pointer)
      : passed(answer, sentence('It answered {0}, as it should.', said(answer)));
  },
};

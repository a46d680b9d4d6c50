import { sentence } from '../../../protocol/problem.ts';
import { notTestable } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'SIGN-03',
  level: 'MUST NOT',
  title: 'A card is signed with a key that is expired or revoked',
  remedy: 'Sign again with a key that is valid, and publish it.',
  clause: '8.4.3 Signature Verification',
  versions: ['1.0'],
  kit: ['CARD-SIGN-004'],
  probe: {
    unless: port => ((port.card.signatures ?? []).length > 0 ? undefined : undeclared(port, 'signatures')),
    async run(port): Promise<ProbeResult> {
      const found = await port.signature();
      if (found === undefined) return notTestable(sentence('The signatures of the card cannot be checked here.'));
      const { verdict, message } = found;
      return { verdict: verdict === 'valid' ? 'pass' : verdict === 'expired-key' ? 'fail' : 'inconclusive', why: message };
    },
  },
};

import { sentence } from '../../../protocol/problem.ts';
import { notTestable } from '../rule/outcome.ts';
import type { ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'SIGN-02',
  level: 'MUST',
  title: "The card's signature is valid",
  remedy: 'Sign the card last, over its canonical form (RFC 8785) without signatures; any later change breaks the signature.',
  clause: '8.4.1 Canonicalization Requirements',
  versions: ['1.0'],
  kit: ['CARD-SIGN-001', 'CARD-SIGN-002'],
  disputed:
    'Section 8.4.1 keeps members with default values in certain places; sections 8.4.2 and 8.4.3 remove all of them. A signature over either form counts.',
  probe: {
    unless: port => ((port.card.signatures ?? []).length > 0 ? undefined : undeclared(port, 'signatures')),
    async run(port): Promise<ProbeResult> {
      const found = await port.signature();
      if (found === undefined) return notTestable(sentence('The signatures of the card cannot be checked here.'));
      const { verdict, message } = found;
      return { verdict: verdict === 'valid' ? 'pass' : verdict === 'invalid' ? 'fail' : 'inconclusive', why: message };
    },
  },
};

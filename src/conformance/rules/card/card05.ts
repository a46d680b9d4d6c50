import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Each interface has url, protocolBinding and protocolVersion',
  section: '4.4.6',
  section0_3: '5.5.5',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['CARD-PROTO-002'],
};

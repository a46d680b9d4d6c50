import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-05',
  level: 'MUST',
  title: 'Each interface has url, protocolBinding and protocolVersion',
  remedy: 'Give each interface url, protocolBinding and protocolVersion; protocolVersion is new in 1.0.',
  clause: '4.4.6 AgentInterface',
  clause0_3: '5.5.5 AgentInterface Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['CARD-PROTO-002'],
};

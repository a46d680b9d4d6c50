import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'TEN-01',
  level: 'tool',
  title: 'Requests with the declared tenant work',
  remedy: 'Read the tenant of each request, and route it by that.',
  clause: '8.3.2 Client Protocol Selection',
  versions: ['1.0'],
  kit: [],
  probe: {
    unless: port => ((port.interface.tenant ?? '') === '' ? undeclared(port, 'tenant') : undefined),
    async run(port) {
      return expectError(await port.call('GetTask', { id: crypto.randomUUID() }), [-32001], 'evenLacking');
    },
  },
};

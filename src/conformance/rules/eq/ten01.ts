import { expectError } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'An agent that declares a tenant works when it is named',
  section: '8.3.2',
  versions: ['1.0'],
  active: true,
  kit: [],
};

export const probe: Probe = {
  unless: port => ((port.interface.tenant ?? '') === '' ? undeclared(port, 'tenant') : undefined),
  async run(port) {
    return expectError(await port.call('GetTask', { id: crypto.randomUUID() }), [-32001], 'evenLacking');
  },
};

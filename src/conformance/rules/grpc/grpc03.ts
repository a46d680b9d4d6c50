import { expectError } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Service parameters are read from the metadata',
  section: '10.2',
  versions: ['1.0'],
  bindings: ['GRPC'],
  active: true,
  kit: ['GRPC-META-001'],
};

export const probe: Probe = {
  async run(port) {
    return expectError(await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'a2a-version': '99.0' } }), [-32009]);
  },
};

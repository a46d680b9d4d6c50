import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'GRPC-03',
  level: 'MUST',
  title: 'Service parameters are read from the metadata',
  remedy: 'Read a2a-version and a2a-extensions from the metadata of the call.',
  clause: '10.2 Service Parameter Transmission',
  versions: ['1.0'],
  bindings: ['GRPC'],
  kit: ['GRPC-META-001'],
  probe: {
    async run(port) {
      return expectError(await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'a2a-version': '99.0' } }), [-32009]);
    },
  },
};

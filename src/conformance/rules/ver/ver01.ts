import type { Probe } from '../rule/probe.ts';
import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A version that the agent does not have is refused with VersionNotSupportedError',
  section: '3.6.2',
  versions: ['1.0'],
  active: true,
  kit: ['VER-SERVER-002', 'JSONRPC-SVC-002', 'HTTP_JSON-SVC-002'],
};

export const probe: Probe = {
  async run(port) {
    return expectError(await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'A2A-Version': '99.0' } }), [-32009]);
  },
};

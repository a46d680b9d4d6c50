import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'VER-01',
  level: 'MUST',
  title: 'An unsupported version is refused with VersionNotSupportedError',
  remedy: 'Read A2A-Version before the request, and answer VersionNotSupportedError for a version that is not in the card.',
  clause: '3.6.2 Server Responsibilities',
  versions: ['1.0'],
  kit: ['VER-SERVER-002', 'JSONRPC-SVC-002', 'HTTP_JSON-SVC-002'],
  probe: {
    async run(port) {
      return expectError(await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'A2A-Version': '99.0' } }), [-32009]);
    },
  },
};

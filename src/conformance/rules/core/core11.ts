import { expectError } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CORE-11',
  level: 'MUST',
  title: 'GetTask of an unknown task is answered with TaskNotFoundError',
  remedy: 'Answer TaskNotFoundError if the store has no such task, not null or a general error.',
  clause: '3.1.3 Get Task',
  clause0_3: '7.3 tasks/get',
  versions: ['1.0', '0.3'],
  kit: ['CORE-GET-002', 'GRPC-ERR-001', 'HTTP_JSON-ERR-002', 'JSONRPC-SSE-002'],
  probe: {
    async run(port) {
      return expectError(await port.call('GetTask', { id: crypto.randomUUID() }), [-32001]);
    },
  },
};

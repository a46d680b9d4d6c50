import { errorNames } from '../../../protocol/errors.ts';
import { sentence } from '../../../protocol/problem.ts';
import { isRefused, judged, nothing } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** The status of each error in 1.0.1, and in 1.0.0 where that was another (A2A 1.0 §5.4). */
const statuses: Readonly<Record<number, readonly number[]>> = {
  [-32001]: [404],
  [-32002]: [400, 409],
  [-32003]: [400],
  [-32004]: [400],
  [-32005]: [400, 415],
  [-32006]: [500, 502],
  [-32007]: [400],
  [-32008]: [400],
  [-32009]: [400],
};

export const rule: Rule = {
  id: 'HTTP-05',
  level: 'MUST',
  title: 'The HTTP status matches the error',
  remedy: 'Give each error of A2A its HTTP status from the table of section 5.4.',
  clause: '5.4 Error Code Mappings',
  clause0_3: '8.2 A2A-Specific Errors',
  versions: ['1.0', '0.3'],
  bindings: ['HTTP+JSON'],
  kit: ['HTTP_JSON-STATUS-001'],
  passive: {
    answer({ version, status, error }, note) {
      if (version !== '1.0' || error === undefined) return;
      const { code = 0 } = error;
      const wanted = statuses[code];
      if (wanted !== undefined && !wanted.includes(status))
        note('', sentence('{0} came with HTTP {1}; it should be {2}.', errorNames[code] ?? code, status, wanted.join(' / ')));
      if (wanted === undefined && status < 400) note('', sentence('An error should not come with HTTP {0}.', status));
    },
  },
  probe: {
    unless: ({ version }) => (version === '1.0' ? undefined : sentence('A2A {0} does not define errors over this binding.', version)),
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      return isRefused(answer) ? judged('HTTP-05', answer.exchange) : nothing(answer);
    },
  },
};

import { sentence } from '../../problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectError, expectRefusal, failed, said } from '../rule/outcome.ts';
import type { Fields } from '../rule/passiveCheck.ts';
import { unlessJson } from '../rule/unless.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Parameters are checked before work begins',
  section: '3.3.2',
  section0_3: '10.2',
  versions: ['1.0', '0.3'],
  active: true,
  kit: ['CORE-ERR-001', 'CORE-ERR-002'],
};

/** Members that no message of 1.0 has (§4.1.4, §4.1.6). */
const spoilt: readonly Fields[] = [
  { parts: [] },
  { role: 'ROLE_UNSPECIFIED' },
  { role: 'ROLE_OF_NOBODY' },
  { parts: [{ text: 'x', raw: 'eA==', mediaType: 'text/plain' }] },
];

export const probe: Probe = {
  unless: unlessJson,
  async run(port, mayWork) {
    // Without any message: one that is taken would turn up in the task's history, with whatever it lacks.
    const without = await port.call('SendMessage', { message: fromUser() }, { members: { message: undefined, request: undefined } });
    if (port.version !== '1.0') return expectRefusal(without);
    let last = expectError(without, [-32602, -32600]);
    if (!mayWork) return last;
    for (const members of spoilt) {
      if (last.verdict !== 'pass') return last;
      const message = fromUser();
      const answer = await port.call(
        'SendMessage',
        { message, configuration: { returnImmediately: true } },
        { members: { message: { ...message, ...members } } },
      );
      // Of two contents an agent may look at the one whose media type it does not take.
      last = expectError(answer, [-32602, -32600, -32005]);
      if (last.verdict === 'fail')
        return failed(
          answer,
          sentence('It answered {0} to a message with {1}, which should be refused.', said(answer), JSON.stringify(members)),
        );
    }
    return last;
  },
};

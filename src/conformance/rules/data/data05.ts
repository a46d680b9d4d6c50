import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, isAside, isNeither, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { unlessJson } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'DATA-05',
  level: 'SHOULD',
  title: 'Unknown members of a request are ignored',
  remedy: 'Turn off the strict mode of the JSON reader, so that unknown members are ignored.',
  clause: '5.7 Field Presence and Optionality',
  versions: ['1.0'],
  kit: ['DM-SERIAL-005'],
  probe: {
    unless: unlessJson,
    async run(port) {
      // To a task that does not exist, so that nothing begins.
      const message = fromUser({ taskId: crypto.randomUUID() });
      const unknown = { noSuchMemberOfA2A: 'x' };
      const plain = await port.call('SendMessage', { message });
      const more = await port.call('SendMessage', { message }, { members: { ...unknown, message: { ...message, ...unknown } } });
      const aside = [plain, more].find(each => isAside(each) || isNeither(each));
      if (aside !== undefined) return nothing(aside);
      const [one, other] = [plain, more].map(({ status, error }) => `${status} ${error?.code ?? ''}`.trim());
      return one === other
        ? passed(more, sentence('It answered {0}, as it should.', said(more)))
        : failed(more, sentence('It answered {0}, and {1} with an unknown member.', one ?? '', other ?? ''), more.error?.pointer);
    },
  },
};

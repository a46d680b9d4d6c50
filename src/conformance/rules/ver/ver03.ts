import { sentence } from '../../../protocol/problem.ts';
import { failed, isAside, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'VER-03',
  level: 'MUST NOT',
  title: 'A patch number in A2A-Version changes the answer',
  remedy: 'Compare only the first two numbers of A2A-Version.',
  clause: '3.6 Versioning',
  versions: ['1.0'],
  kit: ['VER-CLIENT-002'],
  probe: {
    async run(port) {
      const id = crypto.randomUUID();
      const plain = await port.call('GetTask', { id });
      const patched = await port.call('GetTask', { id }, { headers: { 'A2A-Version': '1.0.1' } });
      const aside = [plain, patched].find(each => isAside(each, [-32009]));
      if (aside !== undefined) return nothing(aside);
      const [one, other] = [plain, patched].map(({ status, error }) => `${status} ${error?.code ?? ''}`.trim());
      return one === other
        ? passed(patched, sentence('It answered 1.0.1 as it answered 1.0.'))
        : failed(
            patched,
            sentence(
              'With A2A-Version 1.0 it answered {0}, with 1.0.1 it answered {1}. The patch number should make no difference.',
              said(plain),
              said(patched),
            ),
          );
    },
  },
};

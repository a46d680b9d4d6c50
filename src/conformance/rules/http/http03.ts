import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { compared, failed, isAside, notTestable, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'HTTP-03',
  level: 'MUST',
  title: 'Query parameters are camelCase, and an invalid one is answered with 400',
  remedy: 'Read query parameters by their camelCase names, and answer 400 for values that cannot be read.',
  clause: '11.5 Query Parameter Naming for Request Parameters',
  versions: ['1.0'],
  bindings: ['HTTP+JSON'],
  kit: ['HTTP_JSON-QP-001'],
  probe: {
    async run(port) {
      const wrong = await port.raw({ method: 'GET', path: '/tasks?historyLength=-1' })!;
      if (wrong === undefined) return notTestable(sentence('There is no other binding that could be tried.'));
      const { status } = wrong;
      if (isAside(wrong) || status === 404 || status === 405 || status >= 500) return nothing(wrong);
      if (status !== 400)
        return failed(wrong, sentence('It answered {0} with HTTP {1}; it should be {2}.', 'historyLength=-1', status, 400));
      const page = await port.raw({ method: 'GET', path: '/tasks?pageSize=1' })!;
      if (page === undefined || page.status >= 400 || !isObject(page.json))
        return passed(wrong, sentence('It answered {0}, as it should.', said(wrong)));
      return compared(page, 'pageSize', page.json['pageSize'], 1, '/pageSize');
    },
  },
};

import { sentence } from '../../../protocol/problem.ts';
import { failed, isAside, nothing, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'HTTP-01',
  level: 'MUST',
  title: 'Paths and methods are those of the specification',
  remedy: 'Register the paths and methods of the specification, relative to the address in the card.',
  clause: '11.3 URL Patterns and HTTP Methods',
  clause0_3: '3.5.3 HTTP+JSON/REST Method Naming',
  versions: ['1.0', '0.3'],
  bindings: ['HTTP+JSON'],
  kit: ['HTTP_JSON-URL-001', 'HTTP_JSON-URL-002'],
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      const { status, json, exchange } = answer;
      if (isAside(answer) || status >= 500) return nothing(answer);
      return (status === 404 || status === 400 || status === 200) && json !== undefined
        ? passed(
            answer,
            sentence(
              'It answered {0} {1} with HTTP {2} and JSON.',
              exchange.request.method,
              new URL(exchange.request.url).pathname,
              status,
            ),
          )
        : failed(
            answer,
            sentence(
              'It answered {0} {1} with HTTP {2}; an unknown task should be a JSON error.',
              exchange.request.method,
              new URL(exchange.request.url).pathname,
              status,
            ),
          );
    },
  },
};

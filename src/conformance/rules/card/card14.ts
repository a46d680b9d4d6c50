import { sentence } from '../../../protocol/problem.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-14',
  level: 'SHOULD',
  title: 'The card comes with an ETag, and If-None-Match is answered with 304',
  remedy: "Send an ETag computed from the card's bytes, and answer If-None-Match with 304; frameworks have middleware for both.",
  clause: '8.6.1 Server Requirements',
  versions: ['1.0'],
  kit: ['CARD-CACHE-002'],
  probe: {
    async run(port) {
      const first = await port.get(port.cardUrl);
      const etag = first.headers.get('etag');
      if (etag === undefined) return failed(first, sentence('The card was served without an ETag.'));
      const again = await port.get(port.cardUrl, { 'If-None-Match': etag });
      return again.status === 304
        ? passed(again, sentence('It answered If-None-Match with HTTP 304.'))
        : failed(again, sentence('It answered If-None-Match with HTTP {0}; it should be 304.', again.status));
    },
  },
};

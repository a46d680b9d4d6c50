import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'The name of a custom binding is a URI',
  section: '5.8',
  versions: ['1.0'],
  passive: true,
  kit: [],
};

const known = new Set(['JSONRPC', 'HTTP+JSON', 'GRPC']);

export const passive: PassiveCheck = {
  card({ card }, note) {
    for (const [index, { protocolBinding }] of objects(card['supportedInterfaces'])) {
      if (typeof protocolBinding !== 'string' || protocolBinding === '' || known.has(protocolBinding)) continue;
      if (!/^[a-z][a-z\d+.-]*:./i.test(protocolBinding))
        note(
          `/supportedInterfaces/${index}/protocolBinding`,
          sentence('{0} is none of JSONRPC, HTTP+JSON and GRPC, and not a URI.', quoted(protocolBinding)),
        );
    }
  },
};

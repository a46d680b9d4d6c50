import { sentence } from '../../../protocol/problem.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';
import { protectedHeader } from './protectedHeader.ts';

export const rule: Rule = {
  id: 'SIGN-01',
  level: 'MUST',
  title: 'The protected header of a signature has alg and kid',
  remedy: 'Set alg and kid in the protected header when signing.',
  clause: '8.4.2 Signature Format',
  clause0_3: '5.5.6 AgentCardSignature Object',
  versions: ['1.0', '0.3'],
  kit: ['CARD-SIGN-003'],
  passive: {
    card({ card, version }, note) {
      for (const [index, signature] of objects(card['signatures'])) {
        const pointer = `/signatures/${index}`;
        for (const name of ['protected', 'signature']) {
          if (typeof signature[name] !== 'string' || signature[name] === '') note(pointer, sentence('The signature has no {0}.', name));
        }
        const header = protectedHeader(signature['protected']);
        if (typeof signature['protected'] !== 'string') continue;
        if (header === undefined) {
          note(`${pointer}/protected`, sentence('The protected header is not a JSON object in base64url.'));
          continue;
        }
        // 0.3 says which members a signature has, not what is in its header.
        for (const name of version === '1.0' ? ['alg', 'kid'] : []) {
          if (typeof header[name] !== 'string' || header[name] === '')
            note(`${pointer}/protected`, sentence('The protected header has no {0}.', name));
        }
      }
    },
  },
};

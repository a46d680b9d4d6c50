import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet, objects } from '../rule/values.ts';
import { protectedHeader } from './protectedHeader.ts';

export const rule: Rule = {
  id: 'SIGN-04',
  level: 'SHOULD',
  title: 'The type of a signature is JOSE, and its keys are at an https address',
  remedy: 'Set typ to JOSE and jku to an https address.',
  clause: '8.4.2 Signature Format',
  versions: ['1.0'],
  kit: [],
  passive: {
    card({ card }, note) {
      for (const [index, signature] of objects(card['signatures'])) {
        const { typ, jku } = protectedHeader(signature['protected']) ?? {};
        const pointer = `/signatures/${index}/protected`;
        if (isSet(typ) && typ !== 'JOSE') note(pointer, sentence('{0} should be {1}, not {2}.', 'typ', '"JOSE"', quoted(typ)));
        if (isSet(jku) && (typeof jku !== 'string' || !/^https:\/\//i.test(jku)))
          note(pointer, sentence('The keys of the signature should be at an https address, not at {0}.', quoted(jku)));
      }
    },
  },
};

import { oneKind, schemeMembers } from '../../../protocol/card/checks/security.ts';
import { isObject } from '../../../protocol/json.ts';
import { listOf, sentence } from '../../../protocol/problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet, maxItems, step } from '../rule/values.ts';

const kinds0_3 = new Set<unknown>(['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS']);

/** Which members a kind has is noted by the code that reads cards. */
export const rule: Rule = {
  id: 'CARD-11',
  level: 'MUST',
  title: 'Each security scheme has exactly one kind, with its required members',
  remedy: 'Give each scheme one kind with all its required members, such as the token URL of an OAuth flow.',
  clause: '4.5.1 SecurityScheme',
  clause0_3: '5.5.3 SecurityScheme Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, oneKind, isOneOf('no-kind', 'several-kinds'));
      const schemes = view.version === '1.0' ? undefined : view.card['securitySchemes'];
      if (!isObject(schemes)) return;
      for (const [name, scheme] of Object.entries(schemes).slice(0, maxItems)) {
        if (!isObject(scheme)) continue;
        const found = schemeMembers.filter(kind => isSet(scheme[kind]));
        if (found.length === 1 || (found.length === 0 && kinds0_3.has(scheme['type']))) continue;
        note(
          `/securitySchemes${step(name)}`,
          sentence(
            'The security scheme should have exactly one member for its kind; it has {0}.',
            found.length === 0 ? '–' : listOf(found),
          ),
        );
      }
    },
  },
};

import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { maxItems, objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Every security scheme that is required is declared',
  section: '7.3',
  section0_3: '5.5',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
  ofTool: true,
};

export const passive: PassiveCheck = {
  card({ card }, note) {
    const { securitySchemes } = card;
    const declared = isObject(securitySchemes) ? securitySchemes : {};
    const check = (holder: Readonly<Record<string, unknown>>, pointer: string): void => {
      // 1.0 writes securityRequirements in its protocol buffers and security in its text.
      for (const list of ['securityRequirements', 'security']) {
        for (const [index, requirement] of objects(holder[list])) {
          const { schemes } = requirement;
          const named = isObject(schemes) ? schemes : requirement;
          for (const name of Object.keys(named).slice(0, maxItems)) {
            if (!Object.hasOwn(declared, name))
              note(`${pointer}/${list}/${index}`, sentence('The security scheme {0} is required and not declared.', quoted(name)));
          }
        }
      }
    };
    check(card, '');
    for (const [index, skill] of objects(card['skills'])) check(skill, `/skills/${index}`);
  },
};

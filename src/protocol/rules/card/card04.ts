import { sentence } from '../../problem.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Required lists of the card are not empty',
  section: '5.7',
  versions: ['1.0'],
  passive: true,
  kit: ['DM-SERIAL-004', 'CARD-PROTO-001'],
  disputed: 'The sample in section 8.4.1 has an empty list of skills, although section 5.7 wants required lists to have an element.',
};

/** Whether there has to be an element in these is disputed. */
const mayBeEmpty = new Set(['skills', 'tags']);

export const passive: PassiveCheck = {
  card({ card }, note) {
    const check = (holder: Readonly<Record<string, unknown>>, name: string, pointer: string): void => {
      const list = holder[name];
      if (Array.isArray(list) && list.length === 0)
        note(
          `${pointer}/${name}`,
          sentence('The required list {0} is empty.', name),
          mayBeEmpty.has(name) ? { disputed: true } : undefined,
        );
    };
    for (const name of ['supportedInterfaces', 'defaultInputModes', 'defaultOutputModes', 'skills']) check(card, name, '');
    for (const [index, skill] of objects(card['skills'])) check(skill, 'tags', `/skills/${index}`);
  },
};

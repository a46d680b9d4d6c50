import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects, strings } from '../rule/values.ts';

export const rule: Rule = {
  level: 'tool',
  title: 'Ids of skills are unique, and modes are media types',
  section: '4.4.5',
  section0_3: '5.5.4',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
};

const mediaType = /^[\w.+*-]+\/[\w.+*-]+(?:\s*;.*)?$/;
/** Older versions write these words for media types. */
const word = /^[a-z]+$/i;

export const passive: PassiveCheck = {
  card({ card, version }, note) {
    const seen = new Set<string>();
    const checkModes = (holder: Readonly<Record<string, unknown>>, name: string, pointer: string): void => {
      for (const [index, mode] of strings(holder[name])) {
        if (!mediaType.test(mode.slice(0, 300)) && (version === '1.0' || !word.test(mode)))
          note(`${pointer}/${name}/${index}`, sentence('{0} is not a media type.', quoted(mode)));
      }
    };
    for (const name of ['defaultInputModes', 'defaultOutputModes']) checkModes(card, name, '');
    for (const [index, skill] of objects(card['skills'])) {
      const { id } = skill;
      if (typeof id === 'string' && seen.has(id)) note(`/skills/${index}/id`, sentence('Another skill has the id {0} too.', quoted(id)));
      if (typeof id === 'string') seen.add(id);
      for (const name of ['inputModes', 'outputModes']) checkModes(skill, name, `/skills/${index}`);
    }
  },
};

import { mediaTypes, uniqueSkills } from '../../../protocol/card/checks/skills.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-17',
  level: 'tool',
  title: 'Skill ids are unique, and modes are media types',
  remedy: 'Give each skill a unique id, and write modes as media types such as text/plain.',
  clause: '4.4.5 AgentSkill',
  clause0_3: '5.5.4 AgentSkill Object',
  versions: ['1.0', '0.3'],
  kit: [],
  passive: {
    card(view, note) {
      noteFaults(view, note, uniqueSkills, isOneOf('duplicate-skill'));
      // Older versions write words for media types.
      noteFaults(view, note, mediaTypes, view.version === '1.0' ? isOneOf('media-type', 'media-word') : isOneOf('media-type'));
    },
  },
};

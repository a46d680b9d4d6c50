import { emptyMembers } from '../../../protocol/card/checks/emptiness.ts';
import { sentence } from '../../../protocol/problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-04',
  level: 'MUST',
  title: 'Required lists of the card are not empty',
  remedy: 'Put at least one entry into the list, such as one skill or text/plain as a mode.',
  clause: '5.7 Field Presence and Optionality',
  versions: ['1.0'],
  kit: ['DM-SERIAL-004', 'CARD-PROTO-001'],
  disputed: 'The sample in section 8.4.1 has an empty list of skills, although section 5.7 does not allow required lists to be empty.',
  passive: {
    card(view, note) {
      const list = view.card['supportedInterfaces'];
      if (Array.isArray(list) && list.length === 0)
        note('/supportedInterfaces', sentence('The required list {0} is empty.', 'supportedInterfaces'));
      noteFaults(view, note, emptyMembers, isOneOf('empty-list'));
    },
  },
};

import { versionNumbers } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-09',
  level: 'SHOULD',
  title: 'protocolVersion has only a major and a minor number',
  remedy: 'Write protocolVersion as Major.Minor, such as 1.0.',
  clause: '3.6 Versioning',
  versions: ['1.0'],
  kit: ['VER-CLIENT-002'],
  passive: {
    card(view, note) {
      noteFaults(view, note, versionNumbers, isOneOf('version-number'));
    },
  },
};

import { versionNumbers } from '../../../protocol/card/checks/interfaces.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'protocolVersion is major and minor number alone',
  section: '3.6',
  versions: ['1.0'],
  passive: true,
  kit: ['VER-CLIENT-002'],
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, versionNumbers, isOneOf('version-number'));
  },
};

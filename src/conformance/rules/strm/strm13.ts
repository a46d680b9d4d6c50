import type { Rule } from '../rule/rule.ts';

/** Repeated content is not forbidden: the text may be meant. */
export const rule: Rule = {
  id: 'STRM-13',
  level: 'tool',
  title: 'A chunk that is appended does not repeat the text before it',
  remedy: 'Send only new text with append, or the whole text without it; send no summary of all chunks at the end.',
  clause: '4.2.2 TaskArtifactUpdateEvent',
  clause0_3: '7.2.3 TaskArtifactUpdateEvent Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};

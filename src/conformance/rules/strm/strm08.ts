import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'STRM-08',
  level: 'tool',
  title: 'A replaced artifact loses no content',
  remedy: 'Resend whole artifacts, or send chunks with append; never only a last chunk without append. Keep what was streamed in the task.',
  clause: '4.2.2 TaskArtifactUpdateEvent',
  clause0_3: '7.2.3 TaskArtifactUpdateEvent Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: [],
};

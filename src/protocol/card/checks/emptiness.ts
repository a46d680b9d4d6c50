import { sentence } from '../../problem.ts';
import { textIn, withSkills, type CardCheck, type Fields } from './cardFault.ts';

/** Lists that may be empty by some official texts only: section 5.7 forbids it, the sample in section 8.4.1 has an empty one. */
const disputed = new Set(['skills', 'tags']);

/** Smallest content of a list: all agents support texts, and a skill's id is a tag for it. */
export const filling = (name: string, { id }: Fields): readonly string[] =>
  name === 'tags' ? (typeof id === 'string' && id !== '' ? [id] : []) : name === 'skills' ? [] : ['text/plain'];

/** Required texts and lists are not empty (A2A 1.0 §4.4.1, §5.7). An empty list of interfaces is a fault that the schema finds. */
export const emptyMembers: CardCheck = function* (card) {
  for (const [path, holder] of withSkills(card)) {
    for (const name of path.length === 0 ? ['defaultInputModes', 'defaultOutputModes', 'skills'] : ['tags']) {
      const list = holder[name];
      if (!Array.isArray(list) || list.length > 0) continue;
      const isDisputed = disputed.has(name);
      yield {
        code: 'empty-list',
        path: [...path, name],
        severity: card.form === '1.0' && !isDisputed ? 'warning' : 'information',
        ...(isDisputed && { disputed: true }),
        sentence:
          card.form === '0.3' || !isDisputed
            ? sentence('The required list {0} is empty.', name)
            : sentence(
                'The required list {0} is empty. This is disputed: section 5.7 of A2A 1.0 does not allow that, but the sample in section 8.4.1 has an empty one.',
                name,
              ),
        fixes: filling(name, holder).map(text => ({
          title: sentence('Add "{0}"', text),
          edits: [{ path: [...path, name], value: [text] }],
        })),
      };
    }
    for (const name of ['name', 'description']) {
      if (textIn(holder[name])?.trim() !== '') continue;
      const isDisputed = name === 'description';
      yield {
        code: 'empty-text',
        path: [...path, name],
        severity: isDisputed ? 'information' : 'warning',
        ...(isDisputed && { disputed: true }),
        sentence: isDisputed
          ? sentence(
              'The required text {0} is empty. This is disputed: A2A 1.0 requires it, and section 8.4.1 shows it empty. People and models use it to choose.',
              name,
            )
          : sentence('The required text {0} is empty.', name),
        fixes: [],
      };
    }
  }
};

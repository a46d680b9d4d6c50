import { sentence } from '../../problem.ts';
import { partHolders } from '../rule/partHolders.ts';
import type { AnswerView, EventView, PassiveCheck, PassiveNote } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet, objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Each part has exactly one content member',
  section: '4.1.6',
  section0_3: '6.5',
  versions: ['1.0', '0.3'],
  passive: true,
  whileReading: true,
  kit: ['DM-PART-001'],
};

const check = (view: AnswerView | EventView, note: PassiveNote): void => {
  if (view.version !== '1.0') return;
  for (const { holder, pointer } of partHolders(view))
    for (const [index, part] of objects(holder['parts'])) {
      const held = ['text', 'raw', 'url', 'data'].filter(name => isSet(part[name]));
      if (held.length > 1)
        note(`${pointer}/parts/${index}`, sentence('The part should have exactly one content member; it has {0}.', held.join(', ')));
    }
};

export const passive: PassiveCheck = { answer: check, event: check };

import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { answeredTask } from '../rule/answeredTask.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'Tasks, messages, artifacts and events have their required members',
  section: '4.1',
  section0_3: '6.1',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  passive: true,
  whileReading: true,
  kit: ['DM-TASK-001', 'DM-MSG-001', 'DM-ART-001', 'DM-STATUS-001', 'DM-SERIAL-004'],
};

/**
 * `final` of a status event is required in 0.3 (§7.2.2), and nothing is read of it. Protocol buffers, whose JSON leaves false out, are the form
 * of the other bindings.
 */
export const passive: PassiveCheck = {
  // Of chunks in a stream nothing is said: the last one may have nothing to add.
  answer(view, note) {
    const [task, pointer] = answeredTask(view) ?? [{}, ''];
    for (const [index, { parts }] of objects(task['artifacts']))
      if (Array.isArray(parts) && parts.length === 0)
        note(`${pointer}/artifacts/${index}/parts`, sentence('The artifact has no parts; it should have at least one.'));
  },
  event({ version, binding, result, pointer }, note) {
    if (version !== '0.3' || binding !== 'JSONRPC' || !isObject(result) || result['kind'] !== 'status-update') return;
    if (result['final'] === undefined) note(`${pointer}/final`, sentence('{0} is missing.', 'final'));
  },
};

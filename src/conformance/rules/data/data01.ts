import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { partHolders, tasksIn } from '../rule/partHolders.ts';
import type { AnswerView, EventView, PassiveNote } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet } from '../rule/values.ts';

const noParts = {
  message: sentence('The message has no parts; it should have at least one.'),
  artifact: sentence('The artifact has no parts; it should have at least one.'),
  // Of pieces nothing is said: the last one may have nothing to add.
  piece: undefined,
};

const check = (view: AnswerView | EventView, note: PassiveNote): void => {
  for (const [{ artifacts, history, metadata }, pointer] of tasksIn(view)) {
    for (const [name, list] of Object.entries({ artifacts, history }))
      if (isSet(list) && !Array.isArray(list)) note(`${pointer}/${name}`, sentence('{0} should be a list, not {1}.', name, quoted(list)));
    if (isSet(metadata) && !isObject(metadata))
      note(`${pointer}/metadata`, sentence('{0} should be an object, not {1}.', 'metadata', quoted(metadata)));
  }
  for (const { kind, holder, pointer } of partHolders(view)) {
    const { parts } = holder;
    // Those of a message are missed by its reader.
    const isEmpty = Array.isArray(parts) ? parts.length === 0 : kind === 'artifact' && !isSet(parts);
    if (isEmpty && noParts[kind] !== undefined) note(`${pointer}/parts`, noParts[kind]);
  }
};

/**
 * `final` of a status event is required in 0.3 (§7.2.2), and nothing is read of it. Protocol buffers, whose JSON leaves false out, are the form
 * of the other bindings.
 */
export const rule: Rule = {
  id: 'DATA-01',
  level: 'MUST',
  title: 'Tasks, messages, artifacts and events have their required members',
  remedy: 'Build answers with the types of an SDK, so that required members cannot be left out.',
  clause: '4.1 Core Objects',
  clause0_3: '6.1 Task Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  whileReading: true,
  kit: ['DM-TASK-001', 'DM-MSG-001', 'DM-ART-001', 'DM-STATUS-001', 'DM-SERIAL-004'],
  passive: {
    answer: check,
    event(view, note) {
      check(view, note);
      const { version, binding, result, pointer } = view;
      if (version !== '0.3' || binding !== 'JSONRPC' || !isObject(result) || result['kind'] !== 'status-update') return;
      if (result['final'] === undefined) note(`${pointer}/final`, sentence('{0} is missing.', 'final'));
    },
  },
};

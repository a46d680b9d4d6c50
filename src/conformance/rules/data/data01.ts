import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { answeredTask } from '../rule/answeredTask.ts';
import type { AnswerView, EventView, Fields, PassiveNote } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { isSet, objects } from '../rule/values.ts';

/** A message or an artifact of an agent, or a piece of an artifact, and where it is. */
interface PartHolder {
  readonly kind: 'message' | 'artifact' | 'piece';
  readonly holder: Fields;
  readonly pointer: string;
}

/** A message of the agent. One of a client may be what the agent should have refused, which is another rule's. */
const messageIn = (holder: unknown, pointer: string): readonly PartHolder[] =>
  isObject(holder) && holder['role'] === 'ROLE_AGENT' ? [{ kind: 'message', holder, pointer }] : [];

const inTask = ({ artifacts, history, status }: Fields, pointer: string): readonly PartHolder[] => [
  ...objects(artifacts).map(([index, holder]) => ({ kind: 'artifact', holder, pointer: `${pointer}/artifacts/${index}` }) as const),
  ...objects(history).flatMap(([index, message]) => messageIn(message, `${pointer}/history/${index}`)),
  ...(isObject(status) ? messageIn(status['message'], `${pointer}/status/message`) : []),
];

/** The tasks in an answer or an event, and where they are. */
function tasksIn(view: AnswerView | EventView): readonly (readonly [task: Fields, pointer: string])[] {
  const { operation, result, pointer } = view;
  const task = answeredTask(view);
  if (task !== undefined) return [task];
  if (operation !== 'ListTasks' || !isObject(result)) return [];
  return objects(result['tasks']).map(([index, listed]) => [listed, `${pointer}/tasks/${index}`]);
}

/** The messages and artifacts of an answer or an event, whose parts are as 1.0 writes them. */
function partHolders(view: AnswerView | EventView): readonly PartHolder[] {
  const { result, pointer } = view;
  const { message, statusUpdate, artifactUpdate } = isObject(result) ? result : {};
  const piece = isObject(artifactUpdate) ? artifactUpdate['artifact'] : undefined;
  return [
    ...tasksIn(view).flatMap(([task, at]) => inTask(task, at)),
    ...messageIn(message, `${pointer}/message`),
    ...(isObject(statusUpdate) ? inTask({ status: statusUpdate['status'] }, `${pointer}/statusUpdate`) : []),
    ...(isObject(piece) ? ([{ kind: 'piece', holder: piece, pointer: `${pointer}/artifactUpdate/artifact` }] as const) : []),
  ];
}

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

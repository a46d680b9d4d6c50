import { isObject } from '../../../protocol/json.ts';
import { answeredTask } from './answeredTask.ts';
import type { AnswerView, EventView, Fields } from './passiveCheck.ts';
import { objects } from './values.ts';

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
export function tasksIn(view: AnswerView | EventView): readonly (readonly [task: Fields, pointer: string])[] {
  const { operation, result, pointer } = view;
  const task = answeredTask(view);
  if (task !== undefined) return [task];
  if (operation !== 'ListTasks' || !isObject(result)) return [];
  return objects(result['tasks']).map(([index, listed]) => [listed, `${pointer}/tasks/${index}`]);
}

/** The messages and artifacts of an answer or an event, whose parts are as 1.0 writes them. */
export function partHolders(view: AnswerView | EventView): readonly PartHolder[] {
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

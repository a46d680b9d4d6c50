import type { ShownLine, ShownTask } from '../host/taskGraphMessages.ts';
import { stateWord } from '../text/statePresentation.ts';
import { localizedList, t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { type DrawnNode, isOwn } from '../panel/contextTasks.ts';

/** The number of a task in the conversation; undefined where it has none. */
export type NumberOf = (taskId: string) => number | undefined;

type Named = Pick<DrawnNode, 'tasks' | 'taskId'>;

/** Maximum length of a title in the picture and in copied text. */
const maxTitleLength = 120;

/** The name of a node, with its number where it has one. */
export function nodeName({ tasks: [task, ...others], taskId }: Named, numberOf: NumberOf): string {
  const number = numberOf(taskId);
  if (others.length > 0) return t('{0} finished tasks', others.length + 1);
  if (task === undefined) return t('Unknown task');
  if (!isOwn(task)) return t('Task in another context');
  return number === undefined ? t('Task') : t('Task {0}', number);
}

/** The title: the text that began the task, or its id where that is unknown. */
export function nodeTitle({ tasks: [task, ...others], taskId }: Named): string {
  const last = others.at(-1);
  return last === undefined ? titleOf(task, taskId, maxTitleLength) : `${titleOf(task, taskId, 40)} … ${titleOf(last, last.taskId, 40)}`;
}

const titleOf = (task: ShownTask | undefined, taskId: string, limit: number): string =>
  visibleName(task?.title ?? '', limit) || visibleName(taskId, limit);

/** State and number of artifacts. */
export function nodeFacts({ tasks }: Named): readonly string[] {
  if (tasks.length === 0) return [t('not in the history')];
  const artifacts = tasks.reduce((sum, each) => sum + each.artifacts, 0);
  const states = countsByState(tasks);
  return [
    states.length === 1 ? stateWord(tasks[0]?.state ?? 'TASK_STATE_UNSPECIFIED') : localizedList(states),
    ...(artifacts === 0 ? [] : [artifacts === 1 ? t('1 artifact') : t('{0} artifacts', artifacts)]),
  ];
}

/** Number of tasks per state. */
export const countsByState = (tasks: readonly ShownTask[]): readonly string[] =>
  [...Map.groupBy(tasks, ({ state }) => state)].map(([state, those]) => `${those.length} ${stateWord(state)}`);

/** Dependencies of a node, in words; undefined where it has none. */
export function nodeDependency(
  nodes: readonly Named[],
  lines: readonly Pick<ShownLine, 'from' | 'to'>[],
  place: number,
  numberOf: NumberOf,
): string | undefined {
  const grounds = lines.flatMap(({ from, to }) => (to === place ? (nodes[from] ?? []) : []));
  return grounds.length === 0 ? undefined : t('refers to {0}', localizedList(grounds.map(node => nodeName(node, numberOf))));
}

import type { ShownTask } from '../messages.ts';
import { stateWord } from '../stateLooks.ts';
import { t } from '../strings.ts';
import { visibleName } from '../visible.ts';
import type { NetNode, TaskNet } from './taskNet.ts';

/** What a task is called in the conversation; undefined where it has no number. */
export type NumberOf = (taskId: string) => number | undefined;

/** Characters of a title in the picture and in what is copied. */
const longestTitle = 120;

/** How others call the node: by its number, where it has one. */
export function nodeName({ tasks, taskId }: NetNode, numberOf: NumberOf): string {
  const number = numberOf(taskId);
  if (tasks.length > 1) return t('{0} finished tasks', tasks.length);
  if (tasks.length === 0) return t('Unknown task');
  if (tasks[0]?.elsewhere === true) return t('Task of another context');
  return number === undefined ? t('Task') : t('Task {0}', number);
}

/** What it is about: the words that began it, or its id where nobody knows them. */
export function nodeTitle({ tasks: [task, ...others], taskId }: NetNode): string {
  if (task === undefined) return visibleName(taskId, longestTitle);
  const last = others.at(-1);
  return last === undefined ? taskTitle(task) : t('{0} … {1}', taskTitle(task, 40), taskTitle(last, 40));
}

/** State and artifacts. */
export function nodeFacts({ tasks }: NetNode): readonly string[] {
  const [task] = tasks;
  if (task === undefined) return [t('not in the history')];
  const artifacts = tasks.reduce((sum, each) => sum + each.artifacts, 0);
  const states = new Set(tasks.map(({ state }) => state));
  return [
    states.size === 1 ? stateWord(task.state) : [...states].map(state => `${tasks.filter(each => each.state === state).length} ${stateWord(state)}`).join(', '),
    ...(artifacts === 0 ? [] : [artifacts === 1 ? t('1 artifact') : t('{0} artifacts', artifacts)]),
  ];
}

/** What the node rests on, in words; undefined where that is nothing. */
export function nodeGround(net: TaskNet, place: number, numberOf: NumberOf): string | undefined {
  const grounds = net.edges.flatMap(({ from, to }) => (to === place ? [net.nodes[from]] : [])).filter(node => node !== undefined);
  return grounds.length === 0 ? undefined : t('refers to {0}', grounds.map(node => nodeName(node, numberOf)).join(', '));
}

/** The net as lines of text, one a task, with the ids of the tasks. */
export function netText(net: TaskNet, numberOf: NumberOf): string {
  return net.nodes.map((node, place) => {
    const facts = [...nodeFacts(node), nodeGround(net, place, numberOf)].filter(fact => fact !== undefined);
    return `${nodeName(node, numberOf)}: ${nodeTitle(node)} (${facts.join('; ')}) [${visibleName(node.taskId, 1000)}]\n`;
  }).join('');
}

/** The net as a flow chart in Mermaid's language. Whatever means something there is written as an entity. */
export function netMermaid(net: TaskNet, numberOf: NumberOf): string {
  const label = (node: NetNode): string => [`${nodeName(node, numberOf)}: ${nodeTitle(node)}`, nodeFacts(node).join(', ')].map(escaped).join('<br>');
  return [
    'flowchart LR',
    ...net.nodes.map((node, place) => `  t${place + 1}["${label(node)}"]`),
    ...net.edges.map(({ from, to }) => `  t${from + 1} --> t${to + 1}`),
    '',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N} .,:;…()/-]/gu, character => `#${character.codePointAt(0) ?? 0};`);

function taskTitle({ title, taskId }: ShownTask, limit = longestTitle): string {
  const words = visibleName(title, limit);
  return words === '' ? visibleName(taskId, limit) : words;
}

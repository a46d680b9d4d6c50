import type { ShownTask } from '../host/taskGraphMessages.ts';
import { visibleName } from '../text/visible.ts';
import { nodeFacts, nodeDependency, nodeName, nodeTitle, type NumberOf } from './taskWords.ts';

/** All tasks, unknown ones last, and the references between them. */
function wholeOf(tasks: readonly ShownTask[]) {
  const ids = [...new Set([...tasks.map(({ taskId }) => taskId), ...tasks.flatMap(({ references }) => references)])];
  return {
    nodes: ids.map((taskId, number) => ({ taskId, tasks: tasks.slice(number, number + 1) })),
    lines: tasks.flatMap(({ references }, to) => [...new Set(references)].map(id => ({ from: ids.indexOf(id), to }))),
  };
}

/** The tasks as text with their ids, one per line. */
export function tasksText(tasks: readonly ShownTask[], numberOf: NumberOf): string {
  const { nodes, lines } = wholeOf(tasks);
  return nodes
    .map((node, place) => {
      const facts = [...nodeFacts(node), nodeDependency(nodes, lines, place, numberOf)].filter(Boolean).join('; ');
      return `${nodeName(node, numberOf)}: ${nodeTitle(node)} (${facts}) [${visibleName(node.taskId, 1000)}]\n`;
    })
    .join('');
}

/** The tasks as a Mermaid flow chart. Characters with a meaning in Mermaid are written as entities. */
export function tasksMermaid(tasks: readonly ShownTask[], numberOf: NumberOf): string {
  const { nodes, lines } = wholeOf(tasks);
  return [
    'flowchart LR',
    ...nodes.map(
      (node, place) =>
        `  t${place + 1}["${[`${nodeName(node, numberOf)}: ${nodeTitle(node)}`, nodeFacts(node).join(', ')].map(escaped).join('<br>')}"]`,
    ),
    ...lines.map(({ from, to }) => `  t${from + 1} --> t${to + 1}`),
    '',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N} .,:;…()/-]/gu, character => `#${character.codePointAt(0) ?? 0};`);

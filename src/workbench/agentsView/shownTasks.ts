import type { ShownTask, ShownTasks } from '../../chat/host/taskGraphMessages.ts';
import { foldedGraph } from '../../model/taskGraph/foldedGraph.ts';
import { pictureOf } from '../../model/taskGraph/layout.ts';
import { graphOf } from '../../model/taskGraph/taskGraph.ts';
import type { LinkedTasks } from '../../store/lists/taskLinks.ts';

const maxTitleLength = 300;
/** Above this number of tasks, finished ones are folded into groups. */
const maxDrawn = 40;

/** The tasks of a context as its panel draws them; those in `unfolded` and those of other contexts are never folded. */
export function panelTasks({ tasks, older }: LinkedTasks, context: string, unfolded: ReadonlySet<string>): ShownTasks {
  const net = foldedGraph(graphOf(tasks), maxDrawn, task => task.context !== context || unfolded.has(task.taskId));
  const { places, lines, width, height } = pictureOf(net);
  const numbers = new Map(tasks.map(({ taskId }, number) => [taskId, number]));
  return {
    older,
    lines,
    width,
    height,
    left: net.left,
    tasks: tasks.map(
      ({ context: key, title, seq, ...task }): ShownTask => ({
        ...task,
        title: title.slice(0, maxTitleLength),
        ...(key === context ? seq !== undefined && { seq } : { elsewhere: true as const }),
      }),
    ),
    nodes: net.nodes.map(({ key, taskId, tasks: those }, place) => ({
      key,
      taskId,
      tasks: those.map(task => numbers.get(task.taskId) ?? 0),
      x: places[place]?.x ?? 0,
      y: places[place]?.y ?? 0,
    })),
  };
}

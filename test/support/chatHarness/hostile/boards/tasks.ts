import type { ShownTask, ShownTasks } from '../../../../../src/chat/host/taskGraphMessages.ts';
import type { TaskState } from '../../../../../src/protocol/message/taskState.ts';
import { snapshotOf, storyStart } from '../../story.ts';
import { type Attack, type Board, eachSink } from '../board.ts';

const facts: Readonly<Record<string, (text: string) => Partial<ShownTask>>> = {
  'net: task': taskId => ({ taskId }),
  'net: title': title => ({ title }),
  'net: state': state => ({ state: state as TaskState }),
  'net: reference': text => ({ references: [text] }),
};

/** The picture of tasks. */
export const tasks: Board = {
  page: 'chat',
  batch: 10,
  steps: 60,
  sinks: [...Object.keys(facts), 'net: unknown task'],
  answers: { ready: { result: snapshotOf([]) } },
  show(attacks, first) {
    return { answers: { tasks: { result: pictureOf(attacks, first) } }, messages: [], presses: ['#tab-chat', '#tab-tasks'] };
  },
};

function pictureOf(attacks: readonly Attack[], first: number): ShownTasks {
  const shown = attacks.flatMap((attack, index) =>
    eachSink(facts, attack).map(
      (fact, place): ShownTask => ({
        taskId: `t-${first + index}-${place}`,
        state: 'TASK_STATE_WORKING',
        title: 'x',
        createdAt: storyStart,
        artifacts: 1,
        references: [],
        states: [{ state: 'TASK_STATE_WORKING', at: storyStart }],
        seq: 1,
        ...fact,
      }),
    ),
  );
  const known = shown.map(({ taskId }, index) => ({ key: `k-${first}-${index}`, taskId, tasks: [index], x: 8, y: index * 60 }));
  const unknown = attacks.map((attack, index) => ({
    key: `u-${first}-${index}`,
    taskId: attack('net: unknown task'),
    tasks: [],
    x: 300,
    y: index * 60,
  }));
  return {
    tasks: shown,
    older: 3,
    nodes: [...known, ...unknown],
    lines: unknown.map((_, index) => ({ from: index, to: known.length + index, d: 'M0 0L9 9', backward: index % 2 === 0 })),
    left: 1,
    width: 600,
    height: shown.length * 60,
  };
}

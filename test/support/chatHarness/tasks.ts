import type { ChatSnapshot } from '../../../src/chat/host/messages.ts';
import type { ShownTasks } from '../../../src/chat/host/taskGraphMessages.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { LinkedTask } from '../../../src/store/lists/taskLinks.ts';
import { panelTasks } from '../../../src/workbench/agentsView/shownTasks.ts';
import { snapshotOf, Story, storyStart, task } from './story.ts';

function shown(
  taskId: string,
  state: TaskState,
  title: string,
  seconds: number,
  references: readonly string[] = [],
  facts: Partial<LinkedTask> = {},
): LinkedTask {
  return {
    taskId,
    context: 'context-1',
    state,
    title,
    createdAt: storyStart + seconds * 1000,
    artifacts: state === 'TASK_STATE_COMPLETED' ? 1 : 0,
    references,
    states: [
      { state: 'TASK_STATE_WORKING', at: storyStart + seconds * 1000 + 200 },
      ...(state === 'TASK_STATE_WORKING' ? [] : [{ state, at: storyStart + seconds * 1000 + 4_000 }]),
    ],
    ...facts,
  };
}

/** A journey to Helsinki: hotel and snowmobile rest on the flight, the spa rests on the hotel. */
export function journey(): ChatSnapshot {
  const story = new Story()
    .user(0, 'Book a flight to Helsinki', { taskId: 't-1' })
    .status(2, 't-1', 'TASK_STATE_COMPLETED', 'Your flight is booked: HEL-0001.')
    .user(10, 'Book a hotel', { taskId: 't-2' })
    .user(11, 'Book a snowmobile', { taskId: 't-3' })
    .status(12, 't-3', 'TASK_STATE_WORKING', 'Checking the snow…')
    .status(13, 't-2', 'TASK_STATE_COMPLETED', 'Your hotel is booked: HEL-0002.')
    .user(20, 'Add a spa reservation to my hotel', { taskId: 't-4' })
    .status(21, 't-4', 'TASK_STATE_INPUT_REQUIRED', 'At what time?');
  return snapshotOf(story.entries, {
    agent: 'Helsinki',
    title: 'Book a flight to Helsinki',
    contextId: 'ctx-1',
    running: true,
    waitingTaskId: 't-4',
    tasks: journeyTasks()
      .tasks.map(({ taskId, state, title, createdAt = storyStart }) => task(taskId, state, title, createdAt - storyStart))
      .reverse(),
  });
}

/** As the host draws them. */
const drawn = (tasks: readonly LinkedTask[], older = 0, unfolded: readonly string[] = []): ShownTasks =>
  panelTasks({ tasks, older }, 'context-1', new Set(unfolded));

export function journeyTasks(more: readonly LinkedTask[] = []): ShownTasks {
  return drawn([...bookings, ...more]);
}

const bookings = [
  shown('t-1', 'TASK_STATE_COMPLETED', 'Book a flight to Helsinki', 0, [], { seq: 1 }),
  shown('t-2', 'TASK_STATE_COMPLETED', 'Book a hotel', 10, ['t-1'], { seq: 3 }),
  shown('t-3', 'TASK_STATE_WORKING', 'Book a snowmobile', 11, ['t-1'], { seq: 4 }),
  shown('t-4', 'TASK_STATE_INPUT_REQUIRED', 'Add a spa reservation to my hotel', 20, ['t-2'], { seq: 7 }),
];

/** It rests on two of the others. */
export const sauna = shown('t-5', 'TASK_STATE_SUBMITTED', 'Book a sauna', 30, ['t-3', 't-4']);

/** Everything that can stand in the picture: rows, circles, tasks of other contexts and unknown ones, and more than are drawn one by one. */
export function manyTasks(count = 120, unfolded: readonly string[] = []): ShownTasks {
  const states: readonly TaskState[] = [
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELED',
    'TASK_STATE_REJECTED',
    'TASK_STATE_AUTH_REQUIRED',
    'TASK_STATE_SUBMITTED',
  ];
  return drawn(
    [
      ...bookings,
      shown('r-1', 'TASK_STATE_COMPLETED', 'Round and round', 30, ['r-2', 'far', 'nobody-knows-this-one'], { seq: 8 }),
      shown('r-2', 'TASK_STATE_WORKING', 'And back again', 31, ['r-1']),
      ...states.map((state, index) =>
        shown(`s-${index}`, state, `A task of its own, with a title that is longer than its box ${index}`, 40 + index),
      ),
      ...Array.from({ length: count }, (_, index) =>
        shown(`c-${index}`, 'TASK_STATE_COMPLETED', `Refinement ${index + 1}`, 60 + index, index === 0 ? [] : [`c-${index - 1}`]),
      ),
      shown('far', 'TASK_STATE_COMPLETED', 'A talk of last week', -1000, [], { context: 'context-2' }),
    ],
    17,
    unfolded,
  );
}

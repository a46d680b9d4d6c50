import { A2AError } from '../../protocol/errors.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ComparedRun, TurnOutcome } from '../../recording/compare/comparedRun.ts';
import type { Recording } from '../../recording/recording.ts';
import { saidMessages } from '../../recording/saidMessage.ts';
import { conversationsIn, type RecordedTurn } from '../../recording/turns.ts';
import { StreamReducer } from '../fold/streamReducer.ts';
import { TaskReducer } from '../fold/taskReducer.ts';

/** The conversations of a recording as they went. @param name for people */
export function recordedRuns(recording: Recording, name: string): readonly ComparedRun[] {
  return conversationsIn(recording).conversations.map(turns => {
    const tasks = new Map<string, TaskReducer>();
    const load = (id: string): TaskReducer => {
      const known = tasks.get(id) ?? new TaskReducer(id);
      tasks.set(id, known);
      return known;
    };
    const outcomes = turns.map(turn => outcomeOf(turn, recording, load));
    const taskIds = outcomes.map(({ task }) => (task === undefined ? [] : [task.id]));
    const said = saidMessages(turns.map(({ message }, index) => ({ message, taskIds: taskIds[index]! })));
    return { name, turns: said.map((message, index) => ({ said: message, outcome: outcomes[index]! })) };
  });
}

function outcomeOf(
  { number, message: said, answer, later, end }: RecordedTurn,
  { exchanges }: Recording,
  load: (taskId: string) => TaskReducer,
): TurnOutcome {
  const { startedAt, endedAt = startedAt, findings } = exchanges[number - 1]!.exchange;
  if (said.taskId !== undefined) load(said.taskId).beginTurn();
  const folded = new StreamReducer(load, said.taskId);
  const events = [...answer, ...later];
  folded.apply(
    events.map(({ event }) => event),
    true,
  );
  const task = folded.task?.isKnown === true ? folded.task.task : undefined;
  const { message } = folded;
  const [first] = events;
  const last = events.at(-1);
  return {
    ...(task !== undefined && { task }),
    ...(message !== undefined && { message }),
    ...(end !== undefined && { problem: problemOf(end) }),
    findings,
    startedAt,
    ...(first !== undefined && { firstEventAt: startedAt + first.after }),
    endedAt: last === undefined ? endedAt : startedAt + last.after,
  };
}

function problemOf(end: NonNullable<RecordedTurn['end']>): Problem {
  if (end === 'broken') return new Problem('stream-ended', sentence('The connection ended before the answer was complete.'));
  if ('error' in end) return new A2AError(end.error.code, end.error.message, end.error.data);
  const status = 'grpc' in end ? `gRPC ${end.grpc}` : `HTTP ${end.status}`;
  return new Problem('http-error', sentence('The agent answered with {0}.', status));
}

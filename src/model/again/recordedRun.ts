import { A2AError } from '../../protocol/errors.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ComparedRun, TurnOutcome } from '../../recording/compare/comparedRun.ts';
import type { RecordedExchange, Recording } from '../../recording/recording.ts';
import { saidMessages } from '../../recording/saidMessage.ts';
import { conversationsIn, type RecordedTurn } from '../../recording/turns.ts';
import { StreamReducer } from '../fold/streamReducer.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import { afterEnd } from '../requests/requestFollowing.ts';

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

/** The turn as following it live reads it: what comes longer than `afterEnd` after its end does not count. */
function outcomeOf(
  { number, message: said, answer, followed, end }: RecordedTurn,
  { exchanges }: Recording,
  load: (taskId: string) => TaskReducer,
): TurnOutcome {
  const { startedAt, endedAt = startedAt } = exchanges[number - 1]!.exchange;
  if (said.taskId !== undefined) load(said.taskId).beginTurn();
  const folded = new StreamReducer(load, said.taskId);
  const events = [...answer.map(event => ({ ...event, number, isAsked: false })), ...followed];
  const found: Finding[] = [];
  let over: number | undefined;
  let last: number | undefined;
  for (const [index, { event, after, isAsked }] of events.entries()) {
    if (over !== undefined && after > over + afterEnd) continue;
    const changes = isAsked && 'task' in event ? asked(folded, event.task, load) : folded.apply([event], index === 0);
    for (const change of changes) if (change.kind === 'finding') found.push(change.finding);
    last = after;
    if (over === undefined && hasEnded(folded)) over = after;
  }
  const until = over === undefined ? Infinity : startedAt + over + afterEnd;
  const noted = [...new Set(events.map(event => event.number)), number].flatMap(each => findingsIn(exchanges[each - 1]!, until));
  const [first] = events;
  const { task, message } = folded;
  return {
    ...(task?.isKnown === true && { task: task.task }),
    ...(message !== undefined && { message }),
    ...(end !== undefined && { problem: problemOf(end) }),
    findings: onceEach([...noted, ...found]),
    startedAt,
    ...(first !== undefined && { firstEventAt: startedAt + first.after }),
    endedAt: last === undefined ? endedAt : startedAt + (over ?? last),
  };
}

/** Takes in a task that was asked for: by the agent's id, or as the one that a message alone was the answer for. */
function asked(folded: StreamReducer, task: Task, load: (taskId: string) => TaskReducer): TaskChange[] {
  const own = folded.task ?? folded.adopt(task.id);
  return (task.id === folded.agentId ? own : load(task.id)).merge(task);
}

/** See `isOver`; a task is not put together for each of its events. */
const hasEnded = ({ task, message }: StreamReducer): boolean => (task?.isKnown === true ? isTerminal(task.state) : message !== undefined);

/** Some recordings have what was found in the fold of a task, others have not. */
const onceEach = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map(finding => [JSON.stringify([finding.rule, finding.pointer, finding.message]), finding])).values(),
];

/** Findings that are about what came until then: those of a stream by its events, others by the end of the answer. */
const findingsIn = ({ exchange, frames }: RecordedExchange, until: number): readonly Finding[] =>
  exchange.findings.filter(({ frame }) => {
    const at = frame === undefined ? (exchange.response?.body === undefined ? undefined : exchange.endedAt) : frames[frame]?.at;
    return (at ?? exchange.startedAt) <= until;
  });

function problemOf(end: NonNullable<RecordedTurn['end']>): Problem {
  if (end === 'broken') return new Problem('stream-ended', sentence('The connection ended before the answer was complete.'));
  if ('error' in end) return new A2AError(end.error.code, end.error.message, end.error.data);
  const status = 'grpc' in end ? `gRPC ${end.grpc}` : `HTTP ${end.status}`;
  return new Problem('http-error', sentence('The agent answered with {0}.', status));
}

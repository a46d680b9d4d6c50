import type { Message } from '../../protocol/message/message.ts';
import { mediaTypeOf, textOf } from '../../protocol/message/part.ts';
import { taskStates, type ShownState } from '../../protocol/message/taskState.ts';
import type { ArtifactEntry, Entry, MessageEntry } from '../../protocol/message/transcript.ts';
import { messageOf, Template, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** A conversation as requests with expectations. */
interface Recording {
  readonly requests: readonly RequestJson[];
  /** Messages that were left out, since the agent did not take them or it is unknown whether it did. */
  readonly left: number;
}

/** The outcome of one message of the user. */
interface Turn {
  readonly entry: MessageEntry;
  readonly answers: Entry[];
}

/**
 * The messages of a conversation, each after the one that it answers or follows, with what came of it as expectations: the state at the end
 * of the turn, and the artifacts by name and media type. A turn that is not over yet has none of a state. A task that was stopped is canceled
 * by a request of its own.
 * @param entries oldest first
 */
export function recordingOf(entries: readonly Entry[], agent: string): Recording {
  const turns = turnsOf(entries);
  const sent = turns.filter(({ entry }) => (entry.delivery ?? 'sent') === 'sent' && entry.message.parts.length > 0);
  const names = new Set<string>();
  let last: string | undefined;
  /** Name of the newest request of each task. */
  const nameOf = new Map<string, string>();
  const requests = sent.flatMap(({ entry, answers }): readonly RequestJson[] => {
    const { message, taskId } = entry;
    const after = (taskId === undefined ? undefined : nameOf.get(taskId)) ?? last;
    const name = nameFor(textOf(message.parts), names);
    names.add(name);
    last = name;
    const references = message.referenceTaskIds?.flatMap(id => nameOf.get(id) ?? []) ?? [];
    if (taskId !== undefined) nameOf.set(taskId, name);
    const request = { name, agent, ...(after !== undefined && { after }), ...contentOf(message, references) };
    const before = stoppedIn(answers);
    if (before === undefined) return [{ ...request, expect: expectationsOf(answers) }];
    const stop = nameFor(`stop ${name}`, names);
    names.add(stop);
    const params = { id: new Template(`{{${name}.task.id}}`) };
    return [
      { ...request, waitFor: before },
      { name: stop, agent, method: 'CancelTask', params, expect: { state: 'canceled' } },
    ];
  });
  return { requests, left: turns.length - sent.length };
}

/** Ids of tasks are new with each run, so a reference becomes one to the request that made the task. */
function contentOf({ parts }: Message, references: readonly string[]): Pick<RequestJson, 'message' | 'params'> {
  const message = messageOf(parts);
  if (references.length === 0) return { message };
  return {
    params: {
      message: {
        parts: typeof message === 'string' ? [{ text: message }] : message.map(part => (typeof part === 'string' ? { text: part } : part)),
        referenceTaskIds: references.map(name => new Template(`{{${name}.task.id}}`)),
      },
    },
  };
}

function turnsOf(entries: readonly Entry[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) {
    if (entry.kind === 'message' && entry.message.role === 'ROLE_USER') turns.push({ entry, answers: [] });
    // Of tasks side by side each has its own turn; what belongs to no task is of the newest message.
    else turns.findLast(turn => entry.taskId === undefined || turn.entry.taskId === entry.taskId)?.answers.push(entry);
  }
  return turns;
}

const passing: readonly (ShownState | undefined)[] = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_UNSPECIFIED', 'LOST'];

/** The state in which a task was stopped; undefined where it was not. */
function stoppedIn(answers: readonly Entry[]): string | undefined {
  const states = answers.flatMap(entry => (entry.kind === 'status' ? [entry.state] : []));
  const before = states.findLast(state => state === 'TASK_STATE_SUBMITTED' || state === 'TASK_STATE_WORKING');
  return states.at(-1) === 'TASK_STATE_CANCELED' && before !== undefined ? taskStates[before].label : undefined;
}

function expectationsOf(answers: readonly Entry[]): Readonly<Record<string, unknown>> {
  const statuses = answers.filter(entry => entry.kind === 'status');
  const state = statuses.at(-1)?.state;
  const artifacts = answers.filter(entry => entry.kind === 'artifact');
  const words = answers.some(entry => entry.kind === 'message');
  const expected = {
    ...(state !== undefined && state !== 'LOST' && !passing.includes(state) && { state: taskStates[state].label }),
    ...(artifacts.length > 0 && { artifacts: wantedOf(artifacts) }),
    ...(state === undefined && artifacts.length === 0 && words && { text: { matches: '\\S' } }),
  };
  // What has brought nothing yet is a test all the same.
  return Object.keys(expected).length > 0 ? expected : { findings: [] };
}

/** Alike artifacts are counted. */
function wantedOf(artifacts: readonly ArtifactEntry[]): readonly Readonly<Record<string, unknown>>[] {
  const alike = Map.groupBy(artifacts, ({ artifact: { name, parts } }) =>
    JSON.stringify([name ?? null, parts[0] === undefined ? null : mediaTypeOf(parts[0])]),
  );
  return [...alike].map(([key, those]) => {
    const [name, mediaType] = JSON.parse(key) as [string | null, string | null];
    return {
      ...(name !== null && { name }),
      ...(mediaType !== null && { mediaType }),
      ...(those.length > 1 && { count: those.length }),
    };
  });
}

import { randomUUID } from 'node:crypto';
import type { Part } from '../protocol/message/part.ts';
import { contextIdOf, taskIdOf, type StreamResponse, type TaskArtifactUpdateEvent } from '../protocol/message/streamResponse.ts';
import { isInterrupted, isTerminal, type TaskState } from '../protocol/message/taskState.ts';
import type { ReceivedRequest, Step } from './script.ts';

/** One answer to a message that a fault changes. */
interface Answering {
  readonly request: ReceivedRequest;
  /** The number of the fault, in its unit. */
  readonly value: number;
  readonly memory: FaultMemory;
  /** Bytes or text of a step on the wire; undefined for one that has no content. */
  readonly content: (step: Step) => string | Uint8Array | undefined;
}

/** Consequences that outlast an answer, until another fault is chosen. */
export interface FaultMemory {
  /** Ids of tasks that the agent no longer has. */
  readonly lost: Set<string>;
  /** Values of `Authorization` that are accepted no more. */
  readonly expired: Set<string>;
}

/** Makes other steps of the steps of an answer. */
export type Alteration = (steps: AsyncIterable<Step>, answering: Answering) => AsyncIterable<Step>;

/** The connection is closed once the events before have left. */
const broken: readonly Step[] = [{ delay: 1 }, { close: true }];

/** The steps to the event of this number, which may be 0. Gives true where there is one. */
async function* upTo(steps: AsyncIterable<Step>, count: number): AsyncGenerator<Step, boolean> {
  let seen = 0;
  for await (const step of steps) {
    // The message arrived, and its work has begun.
    if (count === 0) return true;
    yield step;
    if ('event' in step && ++seen === count) return true;
  }
  return false;
}

/** Events by their number, from 1; all other steps as they are. */
async function* perEvent(
  steps: AsyncIterable<Step>,
  change: (event: StreamResponse, number: number) => Iterable<Step>,
): AsyncGenerator<Step> {
  let seen = 0;
  for await (const step of steps) {
    if ('event' in step) yield* change(step.event, ++seen);
    else yield step;
  }
}

const stateIn = (event: StreamResponse): TaskState | undefined =>
  'task' in event ? event.task.status.state : 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;

function ends(event: StreamResponse): boolean {
  const state = stateIn(event);
  return state !== undefined && isTerminal(state);
}

export const cut: Alteration = async function* (steps, { value }) {
  if (yield* upTo(steps, value)) yield* broken;
};

export const delay: Alteration = async function* (steps, { value }) {
  yield { delay: value * 1_000 };
  yield* steps;
};

export const pause: Alteration = (steps, { value }) =>
  perEvent(steps, (event, number) => [{ event }, ...(number === 1 ? [{ delay: value * 1_000 }] : [])]);

/** Milliseconds between pieces. */
const dripMs = 100;

export const drip: Alteration = async function* (steps, { value, content }) {
  for await (const step of steps) {
    const whole = content(step);
    if (whole === undefined) yield step;
    else {
      const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole;
      for (let at = 0; at < bytes.length; at += value) yield* [{ raw: bytes.subarray(at, at + value) }, { delay: dripMs }];
    }
  }
};

export const duplicate: Alteration = (steps, { value }) =>
  perEvent(steps, (event, number) => (number === value ? [{ event }, { event }] : [{ event }]));

export const reorder: Alteration = async function* (steps, { value }) {
  let held: StreamResponse | undefined;
  yield* perEvent(steps, function* (event, number) {
    if (number === value) held = event;
    else yield { event };
    if (number !== value && held !== undefined) {
      yield { event: held };
      held = undefined;
    }
  });
  if (held !== undefined) yield { event: held };
};

export const halfFrame: Alteration = async function* (steps, { value, content }) {
  let seen = 0;
  for await (const step of steps) {
    const whole = 'answer' in step || ('event' in step && ++seen === value) ? content(step) : undefined;
    if (whole === undefined) yield step;
    else return yield* [{ raw: whole.slice(0, whole.length / 2) }, ...broken];
  }
};

export const contentType: Alteration = async function* (steps) {
  yield { status: 200, headers: { 'content-type': 'text/html' } };
  yield* steps;
};

export const endTwice: Alteration = steps =>
  perEvent(steps, function* (event) {
    yield { event };
    if (!ends(event)) return;
    const state = stateIn(event) === 'TASK_STATE_COMPLETED' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED';
    yield { event: { statusUpdate: { taskId: taskIdOf(event) ?? '', contextId: contextIdOf(event) ?? '', status: { state } } } };
  });

export const noEnd: Alteration = async function* (steps) {
  for await (const step of steps) {
    if ('answer' in step || ('event' in step && ends(step.event))) yield { stall: true };
    yield step;
  }
};

export const restart: Alteration = async function* (steps, { value, memory }) {
  const noted = perEvent(steps, function* (event) {
    const id = taskIdOf(event);
    if (id !== undefined) memory.lost.add(id);
    yield { event };
  });
  const begun = new Set(memory.lost);
  if (yield* upTo(noted, value)) return yield* broken;
  // The answer was over before.
  for (const id of memory.lost) if (!begun.has(id)) memory.lost.delete(id);
};

/** The last update of an artifact is known once something else follows it, so each is held back until then. */
export const lastChunkReplaces: Alteration = async function* (steps) {
  let held: TaskArtifactUpdateEvent | undefined;
  for await (const step of steps) {
    const isOver = 'event' in step && ends(step.event);
    if (held !== undefined) yield { event: { artifactUpdate: isOver ? { ...held, append: false, lastChunk: true } : held } };
    held = 'event' in step && 'artifactUpdate' in step.event ? step.event.artifactUpdate : undefined;
    if (held === undefined) yield step;
  }
  if (held !== undefined) yield { event: { artifactUpdate: held } };
};

export const repeatText: Alteration = steps => {
  const artifacts = new Map<string, { readonly update: TaskArtifactUpdateEvent; readonly parts: readonly Part[] }>();
  return perEvent(steps, function* (event) {
    if ('artifactUpdate' in event) {
      const { lastChunk: _, ...update } = event.artifactUpdate;
      const { artifactId, parts } = update.artifact;
      const before = update.append === true ? (artifacts.get(artifactId)?.parts ?? []) : [];
      artifacts.set(artifactId, { update, parts: [...before, ...parts] });
      return yield { event: { artifactUpdate: update } };
    }
    if (ends(event))
      for (const { update, parts } of artifacts.values()) {
        const text = parts.map(part => ('text' in part ? part.text : '')).join('');
        const artifact = { artifactId: update.artifact.artifactId, parts: [{ text }] };
        yield { event: { artifactUpdate: { ...update, artifact, append: true, lastChunk: true } } };
      }
    yield { event };
  });
};

export const otherTask: Alteration = (steps, { value }) => {
  const taskId = randomUUID();
  return perEvent(steps, (event, number) => [{ event: number < value ? event : underTask(event, taskId) }]);
};

function underTask(event: StreamResponse, taskId: string): StreamResponse {
  if ('task' in event) return { task: { ...event.task, id: taskId } };
  if ('statusUpdate' in event) return { statusUpdate: { ...event.statusUpdate, taskId } };
  if ('artifactUpdate' in event) return { artifactUpdate: { ...event.artifactUpdate, taskId } };
  return { message: { ...event.message, taskId } };
}

export const openAfterQuestion: Alteration = async function* (steps) {
  let state: TaskState | undefined;
  yield* perEvent(steps, event => {
    state = stateIn(event) ?? state;
    return [{ event }];
  });
  if (state !== undefined && isInterrupted(state)) yield { stall: true };
};

export const expiredToken: Alteration = async function* (steps, { value, memory, request }) {
  if (!(yield* upTo(steps, value))) return;
  memory.expired.add(request.headers.authorization ?? '');
  yield* broken;
};

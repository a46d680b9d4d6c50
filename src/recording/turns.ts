import { ignoreFindings } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import type { Message } from '../protocol/message/message.ts';
import type { Operation, OperationParams } from '../protocol/message/operations.ts';
import { textOf, type Part } from '../protocol/message/part.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Task } from '../protocol/message/task.ts';
import { Problem } from '../protocol/problem.ts';
import { readResult, readStreamResponses, versionFor } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { endOf, jsonIn, type RecordedEnd } from './recordedEnd.ts';
import type { RecordedExchange, Recording } from './recording.ts';

/** An event of an answer, in core shape. */
interface RecordedEvent {
  readonly event: StreamResponse;
  /** Milliseconds since its message was sent. */
  readonly after: number;
}

/** An event that came after the answer. */
interface LaterEvent extends RecordedEvent {
  /** The number of its request in the recording, from 1. */
  readonly number: number;
  /** The task was asked for: it is whole, and no event of a stream. */
  readonly isAsked: boolean;
}

/** One message and all that the agent did for it. */
export interface RecordedTurn {
  /** Number of its request in the recording, from 1. */
  readonly number: number;
  readonly message: Message;
  readonly isStreamed: boolean;
  /** The events of the answer itself. */
  readonly answer: readonly RecordedEvent[];
  /** Later events of its tasks: from subscriptions, and in the place of a task that was asked for those that lead to it. */
  readonly later: readonly RecordedEvent[];
  /** The same as they came. */
  readonly followed: readonly LaterEvent[];
  readonly end?: RecordedEnd;
}

/** The turns of one context, in order. */
export type Conversation = readonly RecordedTurn[];

interface OpenTurn extends RecordedTurn {
  readonly answer: RecordedEvent[];
  readonly later: RecordedEvent[];
  readonly followed: LaterEvent[];
  end?: RecordedEnd;
  readonly sentAt: number;
}

/** The conversations of a recording, and the numbers of requests whose message cannot be read. */
export function conversationsIn({ exchanges }: Recording): {
  readonly conversations: readonly Conversation[];
  readonly unread: readonly number[];
} {
  const reader = new TurnReader();
  const unread: number[] = [];
  for (const [index, recorded] of exchanges.entries()) if (!reader.read(recorded, index + 1)) unread.push(index + 1);
  return { conversations: reader.conversations, unread };
}

/** Most turns that conversations begin with and that are those of others, in all of a recording. */
const maxShared = 1_000_000;

/** Puts what followed a message together, whatever it came by. */
class TurnReader {
  /** By context; a turn of no context is alone. */
  readonly #conversations = new Map<string, OpenTurn[]>();
  /** The turn that a task's events belong to: the last one that said something of it. */
  readonly #turnOf = new Map<string, OpenTurn>();
  readonly #tasks = new Map<string, KnownTask>();
  /** By the number of a turn's request. */
  readonly #places = new Map<number, { readonly context: string; readonly turns: readonly OpenTurn[]; readonly index: number }>();
  #shared = 0;

  get conversations(): readonly Conversation[] {
    return [...this.#conversations.values()];
  }

  /** False where it sends a message that cannot be read. */
  read(recorded: RecordedExchange, number: number): boolean {
    const { exchange } = recorded;
    const version = versionFor(exchange);
    const { operation } = exchange;
    if (operation === 'SendMessage' || operation === 'SendStreamingMessage') {
      const message = version && sentMessage(recorded, version);
      if (version === undefined || message === undefined) return false;
      this.#turn(recorded, version, message, number);
    } else if (version !== undefined && operation === 'SubscribeToTask') {
      for (const { event, at } of eventsOf(recorded, version)) this.#later(event, at, { number, isAsked: false });
    } else if (version !== undefined && (operation === 'GetTask' || operation === 'CancelTask')) {
      const task = resultOf<Task>(recorded, result => readResult(operation, result, version, ignoreFindings));
      if (task !== undefined) this.#later({ task }, exchange.endedAt ?? exchange.startedAt, { number, isAsked: true });
    }
    return true;
  }

  #turn(recorded: RecordedExchange, version: Version, message: Message, number: number): void {
    const { exchange } = recorded;
    const { response, startedAt } = exchange;
    const isStreamed = exchange.operation === 'SendStreamingMessage' && response?.body === undefined;
    const unary = isStreamed ? undefined : resultOf(recorded, result => readResult('SendMessage', result, version, ignoreFindings));
    const came = isStreamed
      ? eventsOf(recorded, version)
      : unary === undefined
        ? []
        : [{ event: unary, at: exchange.endedAt ?? startedAt }];
    const end = endOf(recorded);
    const turn: OpenTurn = {
      number,
      message,
      isStreamed,
      answer: came.map(({ event, at }) => ({ event, after: at - startedAt })),
      later: [],
      followed: [],
      sentAt: startedAt,
      ...(end !== undefined && { end }),
    };
    for (const { event } of came) this.#took(event, turn);
    const context =
      came.map(({ event }) => contextIdOf(event)).find(id => id !== undefined) ??
      message.contextId ??
      this.#contextOf(message.taskId) ??
      `request ${number}`;
    const turns = this.#conversations.get(context) ?? this.#until(recorded.after);
    this.#conversations.set(context, turns);
    this.#places.set(number, { context, turns, index: turns.length });
    turns.push(turn);
  }

  /** The context of a task: a message that is refused may name its task alone. */
  #contextOf(taskId: string | undefined): string | undefined {
    const turn = taskId === undefined ? undefined : this.#turnOf.get(taskId);
    return turn && this.#places.get(turn.number)?.context;
  }

  /** The turns of a conversation up to that of a request; none where it has no such, or where so many are shared already. */
  #until(number: number | undefined): OpenTurn[] {
    const { turns = [], index = -1 } = (number === undefined ? undefined : this.#places.get(number)) ?? {};
    if (this.#shared + index >= maxShared) return [];
    this.#shared += index + 1;
    return turns.slice(0, index + 1);
  }

  /** Notes what an event came after its answer: of a snapshot, what in it is new. */
  #later(event: StreamResponse, at: number, how: Pick<LaterEvent, 'number' | 'isAsked'>): void {
    const taskId = taskIdOf(event);
    const turn = taskId === undefined ? undefined : this.#turnOf.get(taskId);
    if (turn === undefined) return;
    turn.followed.push({ event, after: at - turn.sentAt, ...how });
    for (const one of 'task' in event ? newIn(event.task, this.#tasks.get(event.task.id)) : [event]) {
      turn.later.push({ event: one, after: at - turn.sentAt });
      this.#took(one, turn);
    }
  }

  #took(event: StreamResponse, turn: OpenTurn): void {
    const taskId = taskIdOf(event);
    if (taskId === undefined) return;
    this.#turnOf.set(taskId, turn);
    const known: KnownTask = this.#tasks.get(taskId) ?? { artifacts: new Map(), messages: new Set() };
    this.#tasks.set(taskId, known);
    if ('task' in event) {
      const { status, artifacts = [], history = [] } = event.task;
      known.status = status;
      known.artifacts = new Map(artifacts.map(({ artifactId, parts }) => [artifactId, [...parts]]));
      for (const { messageId } of history) known.messages.add(messageId);
    } else if ('statusUpdate' in event) {
      known.status = event.statusUpdate.status;
    } else if ('artifactUpdate' in event) {
      const { artifact, append } = event.artifactUpdate;
      const parts = append === true ? known.artifacts.get(artifact.artifactId) : undefined;
      if (parts === undefined) known.artifacts.set(artifact.artifactId, [...artifact.parts]);
      else parts.push(...artifact.parts);
    }
  }
}

/** A task as the events so far made it. */
interface KnownTask {
  status?: Task['status'];
  artifacts: Map<string, Part[]>;
  readonly messages: Set<string>;
}

/** The events that lead from what was known of a task to a snapshot of it: itself, where its history has more. */
function newIn(task: Task, known: KnownTask | undefined): StreamResponse[] {
  if (task.history?.some(({ role, messageId }) => role === 'ROLE_AGENT' && known?.messages.has(messageId) !== true) === true)
    return [{ task }];
  const { id: taskId, contextId, status, artifacts = [] } = task;
  const ids = { taskId, ...(contextId !== undefined && { contextId }) };
  const joined = (value: unknown): string => JSON.stringify(value) ?? '';
  return [
    ...artifacts
      .filter(({ artifactId, parts }) => !isSame(known?.artifacts.get(artifactId), parts))
      .map(artifact => ({ artifactUpdate: { ...ids, artifact } })),
    ...(known?.status?.state === status.state && joined(known.status.message) === joined(status.message)
      ? []
      : [{ statusUpdate: { ...ids, status } }]),
  ];
}

/** True for parts with the same content, in whatever pieces their text came. */
function isSame(before: readonly Part[] | undefined, now: readonly Part[]): boolean {
  if (before === undefined) return false;
  const isText = (parts: readonly Part[]): boolean => parts.every(part => 'text' in part);
  return isText(before) && isText(now) ? textOf(before) === textOf(now) : JSON.stringify(before) === JSON.stringify(now);
}

/** The message of a send; undefined where it cannot be read. */
export const sentMessage = (recorded: RecordedExchange, version: Version): Message | undefined =>
  sentParams(recorded, 'SendMessage', version)?.message;

/** The parameters in the body of a request; undefined where they cannot be read. */
export function sentParams<O extends Operation>(
  { exchange }: RecordedExchange,
  operation: O,
  version: Version,
): OperationParams[O] | undefined {
  const body = jsonIn(exchange.request.body);
  const params = exchange.protocolBinding === 'JSONRPC' && isObject(body) ? body['params'] : body;
  return unlessUnreadable(() => version.readParams(operation, params, ignoreFindings));
}

function eventsOf({ exchange, frames }: RecordedExchange, version: Version): { readonly event: StreamResponse; readonly at: number }[] {
  return frames.flatMap(({ data, at }) => {
    const result = resultIn(jsonIn(data), exchange.protocolBinding);
    return result === undefined
      ? []
      : (unlessUnreadable(() => readStreamResponses(result, version, ignoreFindings)) ?? []).map(event => ({ event, at }));
  });
}

function resultOf<T>({ exchange }: RecordedExchange, read: (result: unknown) => T): T | undefined {
  const { response, protocolBinding } = exchange;
  if (response?.body === undefined || response.status >= 400) return undefined;
  const result = resultIn(jsonIn(response.body), protocolBinding);
  return result === undefined ? undefined : unlessUnreadable(() => read(result));
}

const resultIn = (value: unknown, binding: string): unknown => (binding === 'JSONRPC' && isObject(value) ? value['result'] : value);

/** The result of reading, or undefined where an agent's text cannot be read: such a text is not played. */
function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

import { A2AError } from '../../protocol/errors.ts';
import type { Note } from '../../protocol/finding.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../../protocol/message/operations.ts';
import type { Task } from '../../protocol/message/task.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { readResult } from '../../protocol/versions/index.ts';
import type { Route } from '../../protocol/versions/shared/version.ts';
import { notInVersion } from '../../protocol/versions/shared/unreadable.ts';
import { inContext, namedContext, withNames } from '../transport/clientNames.ts';
import { cancelled } from '../http/connectionProblem.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { isTaskRest, taskRestBinding } from './binding.ts';
import { answerOf, request } from './exchange.ts';
import { checkedTask } from './input.ts';
import { taskUpdates, type ReceivedTask } from './taskUpdates.ts';
import { taskRestTiming, PollIntervals, type TaskRestTiming } from './timing.ts';
import { openTaskSocket } from './taskSocket.ts';
import type { Answer, CallOptions, Endpoint, RawBatch, StreamBatch, Transport } from '../transport/transport.ts';
import { sentence } from '../../protocol/problem.ts';

type Send = { readonly operation: 'SendMessage' | 'SendStreamingMessage'; readonly params: SendMessageParams };

/**
 * The route of an operation.
 * @throws Problem `operation-not-in-version`
 */
function routeOf({ version }: Endpoint, operation: Operation): Route {
  const route = version.taskRoutes?.[operation];
  if (route === undefined) throw notInVersion(version.protocolVersion, operation);
  return route;
}

/** Reads a task from an answer; an answer without a task id, or an empty one, is about the requested task. */
async function receivedTask(response: HttpResponse, endpoint: Endpoint, id: string, aboutTask: boolean): Promise<ReceivedTask> {
  const { record } = response;
  try {
    const value = await answerOf(response, aboutTask);
    const task = value === undefined ? justAccepted(id, record.note) : readResult('GetTask', value, endpoint.version, record.note);
    record.end();
    return { task: task.id === '' ? { ...task, id } : task, exchangeId: record.id, findings: record.findings };
  } catch (error) {
    record.end(error);
    throw error;
  }
}

function justAccepted(id: string, note: Note): Task {
  note('DATA-01', '', sentence('The answer should be the task, not nothing.'));
  return { id, status: { state: 'TASK_STATE_SUBMITTED' } };
}

/** Posts a task once. It is never repeated automatically, although the same task id would make that harmless. */
async function submit(endpoint: Endpoint, { operation, params }: Send, options: CallOptions): Promise<ReceivedTask> {
  const body = JSON.stringify(endpoint.version.writeParams(operation, params));
  return receivedTask(await request(endpoint, operation, routeOf(endpoint, operation), { body }, options), endpoint, nameOf(params), false);
}

const nameOf = ({ message }: SendMessageParams): string => message.taskId ?? message.messageId;

async function getTask(endpoint: Endpoint, id: string, options: CallOptions): Promise<ReceivedTask> {
  return receivedTask(await request(endpoint, 'GetTask', routeOf(endpoint, 'GetTask'), { id }, options), endpoint, id, true);
}

/** Routes for canceling a task, most likely first: none is documented. */
const cancelRoutes: readonly Route[] = [
  { method: 'POST', path: '/task/{id}/cancel' },
  { method: 'DELETE', path: '/task/{id}' },
];
const unknownRoute = [404, 405, 501];

/** @throws A2AError `TaskNotCancelableError` where the agent has none of the routes, `TaskNotFoundError` where it does not have the task */
async function cancelTask(endpoint: Endpoint, id: string, options: CallOptions): Promise<ReceivedTask> {
  const refused: string[] = [];
  for (const route of cancelRoutes) {
    const response = await request(
      endpoint,
      'CancelTask',
      route,
      { id },
      refused.length === 0 ? options : { ...options, exchangeId: undefined },
    );
    const { record, status } = response;
    try {
      const value = await answerOf(response, false);
      const later = { ...options, exchangeId: undefined };
      if (value !== undefined && typeof value === 'object' && value !== null && 'status' in value) {
        const task = readResult('CancelTask', value, endpoint.version, record.note);
        return { task: task.id === '' ? { ...task, id } : task, exchangeId: record.id, findings: record.findings };
      }
      return await getTask(endpoint, id, later);
    } catch (error) {
      if (!unknownRoute.includes(status)) throw error;
      refused.push(`${route.method} ${route.path}: HTTP ${status}`);
    } finally {
      record.end(response.ok ? undefined : `HTTP ${status}`);
    }
  }
  // A 404 may be about the task rather than the route: this request then throws TaskNotFoundError.
  await getTask(endpoint, id, { ...options, exchangeId: undefined });
  throw new A2AError(-32002, `The agent does not offer to cancel tasks (${refused.join(', ')}).`);
}

const notOffered =
  (operation: UnaryOperation) =>
  ({ version }: Endpoint): Promise<never> =>
    Promise.reject(notInVersion(version.protocolVersion, operation));

/** Options for several requests of one call: the first has the caller's exchange id, and all together have the caller's time limit. */
function shared(options: CallOptions): () => CallOptions {
  const until = options.timeoutMs === undefined ? undefined : performance.now() + options.timeoutMs;
  let first = true;
  return () => {
    const mine = {
      ...options,
      exchangeId: first ? options.exchangeId : undefined,
      timeoutMs: until === undefined ? undefined : Math.max(1, Math.ceil(until - performance.now())),
    };
    first = false;
    return mine;
  };
}

/**
 * The task API of early articles, over HTTP and WebSocket (`vTaskRest`). A task is posted once and polled until it ends; a streaming call
 * also listens to the WebSocket at the interface's own address.
 */
export function taskRestTransport(timing: TaskRestTiming = taskRestTiming): Transport {
  /** A send that waits for the end: posts the task, then polls with growing intervals. Returns the exchange with the final task. */
  async function sendAndWait(endpoint: Endpoint, params: SendMessageParams, options: CallOptions): Promise<ReceivedTask> {
    const next = shared(options);
    const signal = options.signal ?? new AbortController().signal;
    let received = await submit(endpoint, { operation: 'SendMessage', params }, next());
    const waits = new PollIntervals(timing);
    while (params.configuration?.returnImmediately !== true && !isTerminal(received.task.status.state)) {
      await timing.sleep(waits.next(), signal);
      received = await getTask(endpoint, received.task.id, next());
    }
    return received;
  }

  const callers: {
    readonly [O in UnaryOperation]: (
      endpoint: Endpoint,
      params: OperationParams[O],
      options: CallOptions,
    ) => Promise<Answer<UnaryResults[O]>>;
  } = {
    SendMessage: async (endpoint, params, options) => {
      const named = checkedTask(withNames('SendMessage', params, endpoint.version), endpoint.card, options.unchecked);
      const { task, ...rest } = await sendAndWait(endpoint, named, options);
      return { ...rest, result: inContext({ task }, namedContext(named, endpoint.version)) as UnaryResults['SendMessage'] };
    },
    GetTask: async (endpoint, { id }, options) => answered(await getTask(endpoint, id, options)),
    CancelTask: async (endpoint, { id }, options) => answered(await cancelTask(endpoint, id, options)),
    ListTasks: notOffered('ListTasks'),
    CreateTaskPushNotificationConfig: notOffered('CreateTaskPushNotificationConfig'),
    GetTaskPushNotificationConfig: notOffered('GetTaskPushNotificationConfig'),
    ListTaskPushNotificationConfigs: notOffered('ListTaskPushNotificationConfigs'),
    DeleteTaskPushNotificationConfig: notOffered('DeleteTaskPushNotificationConfig'),
  };
  const answered = ({ task, ...rest }: ReceivedTask): Answer<Task> => ({ ...rest, result: task });

  async function* stream(
    endpoint: Endpoint,
    operation: Operation,
    params: OperationParams[Operation],
    options: CallOptions,
  ): AsyncGenerator<StreamBatch> {
    const { version } = endpoint;
    const send =
      operation === 'SendStreamingMessage' && 'message' in params
        ? checkedTask(withNames('SendStreamingMessage', params, version), endpoint.card, options.unchecked)
        : undefined;
    const taskId = send === undefined ? (params as OperationParams['SubscribeToTask']).id : nameOf(send);
    const contextId = send === undefined ? undefined : namedContext(send, version);
    const left = new AbortController();
    const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
    const next = shared({ ...options, signal });
    // Opens the WebSocket before the task is posted, so that no update is missed.
    const subject = { operation: 'SubscribeToTask', protocolBinding: taskRestBinding, protocolVersion: version.protocolVersion };
    const socket = await openTaskSocket(endpoint, subject, timing, { ...options, signal });
    try {
      if (signal.aborted) throw cancelled('no', signal.reason);
      const ask = (): Promise<ReceivedTask> => getTask(endpoint, taskId, next());
      const answer = send === undefined ? ask() : submit(endpoint, { operation: 'SendStreamingMessage', params: send }, next());
      answer.catch(() => {});
      for await (const batch of taskUpdates({ taskId, version, socket, answer, ask, timing, signal })) {
        yield { ...batch, events: batch.events.map(event => inContext(event, contextId)) };
      }
    } finally {
      socket?.close();
      left.abort();
    }
  }

  /** Sends a raw body to the route for posting tasks. */
  async function* sendRaw(endpoint: Endpoint, body: string, options: CallOptions): AsyncGenerator<RawBatch> {
    const response = await request(endpoint, 'SendMessage', routeOf(endpoint, 'SendMessage'), { body }, options);
    const { record } = response;
    try {
      const value = await answerOf(response, false);
      const events = value === undefined ? [] : [readResult('SendMessage', value, endpoint.version, record.note)];
      record.end();
      yield { exchangeId: record.id, events, results: [value ?? null], frames: [], findings: record.findings };
    } catch (error) {
      record.end(error);
      throw error;
    }
  }

  return {
    protocolBinding: taskRestBinding,
    aliases: [],
    supports: isTaskRest,
    call: (endpoint, operation, params, options) => callers[operation](endpoint, params, options),
    stream,
    sendRaw,
  };
}

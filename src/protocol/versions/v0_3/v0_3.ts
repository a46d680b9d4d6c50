import { errorNames0_3 } from '../../errors.ts';
import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import { quoted } from '../../quoted.ts';
import type { StreamResponse } from '../../message/streamResponse.ts';
import { taskStates } from '../../message/taskState.ts';
import { AgentCard0_3 } from '../shared/agentCard0_3.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { readCard0_3 } from './readCard0_3.ts';
import { readParamsWith } from '../shared/readParams.ts';
import { pushNotificationReaders } from '../shared/readPushNotifications.ts';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask, type ReadStyle } from '../shared/readTask.ts';
import { isTaskLike, readListTasks } from '../shared/readWrapped.ts';
import { noEvent, unexpectedUpdate } from '../shared/unreadable.ts';
import { protoForm } from './v0_3proto.ts';
import type { Version } from '../shared/version.ts';
import { writeMessage, writeStreamResponse, writeTask } from './write0_3.ts';
import { writeConfiguration } from '../shared/writeConfiguration.ts';
import { wrappedPushNotifications } from '../shared/writePushNotifications.ts';
import { sentence } from '../../problem.ts';

const style: ReadStyle = {
  parts: 'kind',
  stateSpelling: state => state === state.toLowerCase() && !state.includes('_') && state !== 'cancelled',
  userRole: 'user',
  agentRole: 'agent',
  messageIds: true,
  zonedTimestamps: false,
};

type Fields = Readonly<Record<string, unknown>>;

const kinds: { readonly [kind: string]: (value: Fields, note: Note) => StreamResponse } = {
  task: (value, note) => ({ task: readTask(value, '', note, style) }),
  message: (value, note) => ({ message: readMessage(value, '', note, style, 'ROLE_AGENT') }),
  'status-update': (value, note) => ({ statusUpdate: readStatusUpdate(value, '', note, style) }),
  'artifact-update': (value, note) => ({ artifactUpdate: readArtifactUpdate(value, '', note, style) }),
};

/** Reads an event by its `kind`; a missing or unknown `kind` is noted and the shape decides. */
function readStreamResponse(answer: unknown, note: Note): StreamResponse {
  const event = unwrapped(answer, note);
  if (isObject(event)) {
    const kind = event['kind'];
    if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kinds[kind]!(event, note);
    const shape = kindByShape(event);
    if (shape !== undefined) {
      note('DATA-01', '/kind', sentence('{0} should be {1}, not {2}.', 'kind', JSON.stringify(shape), quoted(kind)));
      return kinds[shape]!(event, note);
    }
  }
  throw noEvent(answer);
}

/** Some agents wrap objects that already have a `kind`. */
function unwrapped(answer: unknown, note: Note): unknown {
  if (!isObject(answer) || 'kind' in answer || 'status' in answer) return answer;
  const inner = [answer['task'], answer['message'], answer['msg']].find(value => isObject(value) && typeof value['kind'] === 'string');
  if (inner === undefined) return answer;
  note('DATA-01', '', sentence('The answer should be bare, not inside a member.'));
  return inner;
}

function kindByShape(event: Fields): string | undefined {
  if (isObject(event['artifact'])) return 'artifact-update';
  if (isObject(event['status'])) return isTaskLike(event) ? 'task' : 'status-update';
  return Array.isArray(event['parts']) ? 'message' : undefined;
}

function readSendResult(result: unknown, note: Note): UnaryResults['SendMessage'] {
  const answer = readStreamResponse(result, note);
  if ('task' in answer || 'message' in answer) return answer;
  throw unexpectedUpdate();
}

function writeSend({ message, configuration, metadata }: SendMessageParams): Fields {
  return withoutUndefined({
    message: writeMessage(message),
    configuration: configuration === undefined ? undefined : writeConfiguration(configuration),
    metadata,
  });
}

/** The codec that 0.2 and 0.3 share, in the form used over JSON-RPC. */
export function createVersion0_2Or0_3(protocolVersion: '0.2' | '0.3'): Version {
  const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
    SendMessage: readSendResult,
    GetTask: (result, note) => readTask(unwrapped(result, note), '', note, style),
    CancelTask: (result, note) => readTask(unwrapped(result, note), '', note, style),
    ListTasks: (result, note) => readListTasks(result, note, style),
    ...pushNotificationReaders,
  };
  const writers: { readonly [O in Operation]: (params: OperationParams[O]) => unknown } = {
    SendMessage: writeSend,
    SendStreamingMessage: writeSend,
    GetTask: ({ id, historyLength }) => withoutUndefined({ id, historyLength }),
    CancelTask: ({ id, metadata }) => withoutUndefined({ id, metadata }),
    SubscribeToTask: ({ id }) => ({ id }),
    ListTasks: params => (params.status === undefined ? params : { ...params, status: taskStates[params.status].label }),
    ...wrappedPushNotifications.params,
  };
  const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
    SendMessage: writeStreamResponse,
    GetTask: writeTask,
    CancelTask: writeTask,
    ListTasks: page => ({ ...page, tasks: page.tasks.map(writeTask) }),
    ...wrappedPushNotifications.results,
  };
  return {
    protocolVersion,
    header: undefined,
    extensionsHeader: 'X-A2A-Extensions',
    methods: {
      SendMessage: 'message/send',
      SendStreamingMessage: 'message/stream',
      GetTask: 'tasks/get',
      CancelTask: 'tasks/cancel',
      SubscribeToTask: 'tasks/resubscribe',
      // Not in the specification of these versions, but in some of their servers (from October 2025 on).
      ListTasks: 'tasks/list',
      CreateTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
      GetTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
      ListTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
      DeleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
    },
    routes: {
      SendMessage: { method: 'POST', path: '/v1/message:send' },
      SendStreamingMessage: { method: 'POST', path: '/v1/message:stream' },
      GetTask: { method: 'GET', path: '/v1/tasks/{id}' },
      CancelTask: { method: 'POST', path: '/v1/tasks/{id}:cancel' },
      SubscribeToTask: { method: 'POST', path: '/v1/tasks/{id}:subscribe' },
      ListTasks: { method: 'GET', path: '/v1/tasks' },
      CreateTaskPushNotificationConfig: { method: 'POST', path: '/v1/tasks/{taskId}/pushNotificationConfigs' },
      GetTaskPushNotificationConfig: { method: 'GET', path: '/v1/tasks/{taskId}/pushNotificationConfigs/{id}' },
      ListTaskPushNotificationConfigs: { method: 'GET', path: '/v1/tasks/{taskId}/pushNotificationConfigs' },
      DeleteTaskPushNotificationConfig: { method: 'DELETE', path: '/v1/tasks/{taskId}/pushNotificationConfigs/{id}' },
    },
    extendedCard: { methods: ['agent/getAuthenticatedExtendedCard', 'agent/authenticatedExtendedCard'], path: '/v1/card' },
    unspecifiedOperations: ['ListTasks'],
    errorNames: errorNames0_3,
    unsupported: ['tenant', 'part-media-type', 'empty-metadata', 'no-context', 'config-pages'],
    clientAssignsIds: false,
    cardPath: '/.well-known/agent-card.json',
    writeParams: (operation, params) => writers[operation](params),
    readResult: (operation, result, note) => readers[operation](result, note),
    readStreamResponse,
    finalIn(event) {
      const { kind, final } = isObject(event) ? event : {};
      return kind === 'status-update' && typeof final === 'boolean' ? final : undefined;
    },
    readParams: (operation, params, note) => readParamsWith(operation, params, note, style),
    writeResult: (operation, result) => resultWriters[operation](result),
    writeStreamResponse,
    readCard: (card, note) => readCard0_3(card, note, AgentCard0_3, '0.3'),
  };
}

const codec = createVersion0_2Or0_3('0.3');

/** A2A 0.3: method names with a slash, `kind` members and lower-case enums over JSON-RPC; protocol buffers over the other bindings. */
export const v0_3: Version = { ...codec, protoForm: { ...codec, ...protoForm } };

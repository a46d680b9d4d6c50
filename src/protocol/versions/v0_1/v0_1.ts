import { errorNames0_1 } from '../../errors.ts';
import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import { requireShallow } from '../../json/nesting.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import { optionalObject, optionalString, optionalStrings, withoutUndefined } from '../shared/fields.ts';
import { readSend0_1, readStreamResponse0_1, readTask0_1, style0_1 } from './read0_1.ts';
import { readCard0_1 } from './readCard0_1.ts';
import { count, missing, readTaskParams } from '../shared/readParams.ts';
import { pushNotificationParams, pushNotificationReaders, readPushNotificationConfig } from '../shared/readPushNotifications.ts';
import { readMessage } from '../shared/readTask.ts';
import { notInVersion } from '../shared/unreadable.ts';
import type { Version } from '../shared/version.ts';
import { singlePushNotifications, writePushNotificationConfig } from '../shared/writePushNotifications.ts';
import { writeMessage0_1, writeSendResult0_1, writeStreamResponse0_1, writeTask0_1 } from './write0_1.ts';

type Fields = Readonly<Record<string, unknown>>;

const noList = (): never => {
  throw notInVersion('0.1', 'ListTasks');
};

/** The client assigns the task id (0.1 §7.1): for a new task without one, the message id is used, which is unique as well. */
function writeSend({ message, configuration, metadata }: SendMessageParams): Fields {
  const config = configuration?.taskPushNotificationConfig;
  return withoutUndefined({
    id: message.taskId ?? message.messageId,
    sessionId: message.contextId,
    message: writeMessage0_1(message),
    pushNotification: config && writePushNotificationConfig({ ...config, id: undefined }),
    historyLength: configuration?.historyLength,
    metadata,
  });
}

/** Task and session are members of the request; in core they are members of the message. */
function readSend(params: Fields, note: Note): SendMessageParams {
  const { message } = params;
  if (!isObject(message)) throw missing('message');
  const { id } = readTaskParams(params, note);
  const read = readMessage(message, '/message', note, style0_1);
  if (read.parts.length === 0) throw missing('message.parts');
  const historyLength = count(params, 'historyLength');
  const acceptedOutputModes = optionalStrings(params, 'acceptedOutputModes');
  const { pushNotification } = params;
  const taskPushNotificationConfig = isObject(pushNotification)
    ? readPushNotificationConfig(pushNotification, '/pushNotification', note)
    : undefined;
  return withoutUndefined({
    message: withoutUndefined({ ...read, taskId: id, contextId: optionalString(params, 'sessionId', '', note) || undefined }),
    configuration:
      historyLength === undefined && acceptedOutputModes === undefined && taskPushNotificationConfig === undefined
        ? undefined
        : withoutUndefined({ acceptedOutputModes, historyLength, taskPushNotificationConfig }),
    metadata: optionalObject(params, 'metadata'),
  });
}

const paramsReaders: { readonly [O in Operation]: (params: Fields, note: Note) => OperationParams[O] } = {
  SendMessage: readSend,
  SendStreamingMessage: readSend,
  GetTask: readTaskParams,
  CancelTask: readTaskParams,
  SubscribeToTask: readTaskParams,
  ListTasks: noList,
  ...pushNotificationParams,
};

const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  SendMessage: readSend0_1,
  GetTask: readTask0_1,
  CancelTask: readTask0_1,
  ListTasks: noList,
  ...pushNotificationReaders,
};

const writers: { readonly [O in Operation]: (params: OperationParams[O]) => unknown } = {
  SendMessage: writeSend,
  SendStreamingMessage: writeSend,
  GetTask: ({ id, historyLength }) => withoutUndefined({ id, historyLength }),
  CancelTask: ({ id, metadata }) => withoutUndefined({ id, metadata }),
  SubscribeToTask: ({ id }) => ({ id }),
  ListTasks: noList,
  ...singlePushNotifications.params,
};

const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
  SendMessage: writeSendResult0_1,
  GetTask: writeTask0_1,
  CancelTask: writeTask0_1,
  ListTasks: noList,
  ...singlePushNotifications.results,
};

/**
 * A2A 0.1 and the samples before it (April and May 2025): `tasks/send`, ids of tasks and sessions from the client, parts with `type`,
 * artifacts with `index`, and only tasks as answers.
 */
export const v0_1: Version = {
  protocolVersion: '0.1',
  header: undefined,
  methods: {
    SendMessage: 'tasks/send',
    SendStreamingMessage: 'tasks/sendSubscribe',
    GetTask: 'tasks/get',
    CancelTask: 'tasks/cancel',
    SubscribeToTask: 'tasks/resubscribe',
    CreateTaskPushNotificationConfig: 'tasks/pushNotification/set',
    GetTaskPushNotificationConfig: 'tasks/pushNotification/get',
  },
  errorNames: errorNames0_1,
  unsupported: [
    'tenant',
    'part-media-type',
    'empty-metadata',
    'output-modes',
    'return-immediately',
    'message-id',
    'new-task',
    'references',
    'extensions',
    'artifact-id',
    'event-context',
    'message-answer',
    'task-event',
    'rejected',
    'auth-required',
    'history-alone',
    'config-id',
  ],
  clientAssignsIds: true,
  cardPath: '/.well-known/agent.json',
  writeParams: (operation, params) => writers[operation](params),
  readResult: (operation, result, note) => readers[operation](result, note),
  readStreamResponse: readStreamResponse0_1,
  readParams(operation, params, note) {
    requireShallow(params);
    return paramsReaders[operation](isObject(params) ? params : {}, note);
  },
  writeResult: (operation, result) => resultWriters[operation](result),
  writeStreamResponse: writeStreamResponse0_1,
  readCard: readCard0_1,
};

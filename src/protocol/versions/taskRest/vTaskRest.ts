import { errorNames } from '../../errors.ts';
import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import { requireShallow } from '../../json/nesting.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import { optionalString, withoutUndefined } from '../shared/fields.ts';
import { missing } from '../shared/readParams.ts';
import { syntheticIdPrefix } from '../shared/readTask.ts';
import { readTaskRestCard } from './readTaskRestCard.ts';
import { readTaskRestEvent, readTaskRestTask } from './readTaskRest.ts';
import { notInVersion } from '../shared/unreadable.ts';
import type { Route, Version } from '../shared/version.ts';
import { noPushNotifications } from '../shared/writePushNotifications.ts';
import { taskOfMessage } from '../v0_1/write0_1.ts';
import { writeTaskRestEvent, writeTaskRestSend, writeTaskRestTask } from './writeTaskRest.ts';

type Fields = Readonly<Record<string, unknown>>;

const protocolVersion = 'task-rest';

const noList = (): never => {
  throw notInVersion(protocolVersion, 'ListTasks');
};

const noPush = noPushNotifications(protocolVersion);

function readTaskId(params: Fields, note: Note): string {
  const id = optionalString(params, 'taskId', '', note);
  if (id === undefined || id === '') throw missing('taskId');
  return id;
}

/** The message is the task's input. This API has no message ids: one is made from the task's id. */
function readSend(params: Fields, note: Note): SendMessageParams {
  const taskId = readTaskId(params, note);
  const { data } = params;
  if (!isObject(data)) throw missing('data');
  const type = optionalString(params, 'type', '', note);
  return {
    message: withoutUndefined({
      messageId: `${syntheticIdPrefix}${taskId}`,
      role: 'ROLE_USER' as const,
      parts: [{ data }],
      taskId,
      metadata: type === undefined ? undefined : { type },
    }),
  };
}

const readAsk = (params: Fields, note: Note): { id: string } => ({ id: readTaskId(params, note) });

const paramsReaders: { readonly [O in Operation]: (params: Fields, note: Note) => OperationParams[O] } = {
  SendMessage: readSend,
  SendStreamingMessage: readSend,
  GetTask: readAsk,
  CancelTask: readAsk,
  SubscribeToTask: readAsk,
  ListTasks: noList,
  ...noPush,
};

const writeAsk = ({ id }: { readonly id: string }): Fields => ({ taskId: id });

const writers: { readonly [O in Operation]: (params: OperationParams[O]) => unknown } = {
  SendMessage: writeTaskRestSend,
  SendStreamingMessage: writeTaskRestSend,
  GetTask: writeAsk,
  CancelTask: writeAsk,
  SubscribeToTask: writeAsk,
  ListTasks: noList,
  ...noPush,
};

const resultReaders: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  SendMessage: (result, note) => ({ task: readTaskRestTask(result, note) }),
  GetTask: readTaskRestTask,
  CancelTask: readTaskRestTask,
  ListTasks: noList,
  ...noPush,
};

const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
  SendMessage: result => writeTaskRestTask('task' in result ? result.task : taskOfMessage(result.message)),
  GetTask: writeTaskRestTask,
  CancelTask: writeTaskRestTask,
  ListTasks: noList,
  ...noPush,
};

const submit: Route = { method: 'POST', path: '/task' };
const task: Route = { method: 'GET', path: '/task/{id}' };

/**
 * The task API that articles of April 2025 described as A2A and some agents use. It is not a release of A2A and not JSON-RPC. The client
 * assigns the id of a task, posts it with an object of data, gets it by id, and receives updates over a WebSocket. The articles do not
 * describe canceling: the client tries likely routes.
 */
export const vTaskRest: Version = {
  protocolVersion,
  header: undefined,
  methods: {},
  taskRoutes: {
    SendMessage: submit,
    SendStreamingMessage: submit,
    GetTask: task,
    SubscribeToTask: task,
    CancelTask: { method: 'POST', path: '/task/{id}/cancel' },
  },
  errorNames,
  unsupported: [
    'tenant',
    'output-modes',
    'return-immediately',
    'history-length',
    'request-metadata',
    'message-id',
    'new-task',
    'references',
    'extensions',
    'message-metadata',
    'input-alone',
    'contexts',
    'message-answer',
    'task-event',
    'artifact-event',
    'result-alone',
    'status-message',
    'timestamp',
    'history',
    'task-metadata',
    'event-metadata',
    'five-states',
    'push-config',
  ],
  clientAssignsIds: true,
  cardPath: '/.well-known/agent.json',
  writeParams: (operation, params) => writers[operation](params),
  readResult(operation, result, note) {
    requireShallow(result);
    return resultReaders[operation](result, note);
  },
  readStreamResponse(event, note) {
    requireShallow(event);
    return readTaskRestEvent(event, note);
  },
  readParams(operation, params, note) {
    requireShallow(params);
    return paramsReaders[operation](isObject(params) ? params : {}, note);
  },
  writeResult: (operation, result) => resultWriters[operation](result),
  writeStreamResponse: writeTaskRestEvent,
  readCard: readTaskRestCard,
};

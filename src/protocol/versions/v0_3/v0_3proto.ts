import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import { requireShallow } from '../../json/nesting.ts';
import type { Message } from '../../message/message.ts';
import type { Operation, OperationParams, SendMessageParams, UnaryOperation, UnaryResults } from '../../message/operations.ts';
import type { Part } from '../../message/part.ts';
import type { TaskState } from '../../message/taskState.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { nestedWriters } from '../shared/nestedWriters.ts';
import { readParamsWith } from '../shared/readParams.ts';
import { pushNotificationReaders } from '../shared/readPushNotifications.ts';
import type { ReadStyle } from '../shared/readTask.ts';
import { readBareTask, readListTasks, readWrapped, readWrappedSend } from '../shared/readWrapped.ts';
import type { Version } from '../shared/version.ts';
import { writeNestedPart } from '../shared/writeNestedPart.ts';
import { resourcePushNotifications, writePushNotificationConfig } from '../shared/writePushNotifications.ts';

type Fields = Readonly<Record<string, unknown>>;

/** ProtoJSON omits members with default values: empty texts and lists, and false. */
const withoutDefaults = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

const part = (value: Part): Fields => writeNestedPart(value, 'mimeType');

/** A message (`a2a.v1.Message`): its parts are called `content`. References to other tasks are lost. */
const writeMessage = ({ referenceTaskIds: _, parts, ...rest }: Message): Fields => withoutDefaults({ ...rest, content: parts.map(part) });

/** The default of the enum is omitted; CANCELLED has two l here. */
const states: { readonly [S in TaskState]?: string } = { TASK_STATE_UNSPECIFIED: '', TASK_STATE_CANCELED: 'TASK_STATE_CANCELLED' };

/** A task (`a2a.v1.Task`), and one event or the answer to a send in its wrapper (`a2a.v1.StreamResponse`). */
const { writeTask, writeStreamResponse } = nestedWriters({
  message: writeMessage,
  part,
  state: state => states[state] ?? state,
  omitDefaults: withoutDefaults,
});

const style: ReadStyle = {
  parts: 'nested',
  stateSpelling: state => state.startsWith('TASK_STATE_') && state !== 'TASK_STATE_CANCELED',
  userRole: 'ROLE_USER',
  agentRole: 'ROLE_AGENT',
  messageIds: true,
  zonedTimestamps: true,
  proto: true,
};

/** Tasks have resource names: `tasks/{id}`. */
const prefix = 'tasks/';

/**
 * `configuration` is always written: without it, `blocking` has its default false, and the agent would not wait. In core, waiting is the
 * default.
 */
function writeSend({ message, configuration, metadata }: SendMessageParams): Fields {
  return withoutUndefined({
    message: writeMessage(message),
    configuration:
      configuration === undefined
        ? undefined
        : withoutUndefined({
            acceptedOutputModes: configuration.acceptedOutputModes,
            historyLength: configuration.historyLength,
            blocking: configuration.returnImmediately !== true,
            pushNotification:
              configuration.taskPushNotificationConfig && writePushNotificationConfig(configuration.taskPushNotificationConfig),
          }),
    metadata,
  });
}

/** The message may be called `request`, as the proto field is (0.2.2 to 0.2.6). Default values that were left out are restored. */
function restored(params: Fields): Fields {
  const { message = params['request'], configuration, name, id = name } = params;
  return {
    ...params,
    message,
    id: typeof id === 'string' && id.startsWith(prefix) && !id.includes('/', prefix.length) ? id.slice(prefix.length) : id,
    configuration: isObject(configuration) ? { blocking: false, ...configuration } : configuration,
  };
}

/** The members of `Version` that differ in the protobuf form. */
type ProtoForm = Pick<
  Version,
  'unsupported' | 'writeParams' | 'readResult' | 'readStreamResponse' | 'readParams' | 'writeResult' | 'writeStreamResponse'
>;

/**
 * A2A 0.3, and 0.2 from 0.2.2 on, over HTTP+JSON and gRPC: ProtoJSON of the package `a2a.v1` (0.3 §3.2.2, §3.2.3). A part's `metadata` and
 * a file's `name` were added to the package after 0.3.0 and are written where present.
 */
export const protoForm: ProtoForm = (() => {
  const writers: { readonly [O in Operation]: (params: OperationParams[O]) => unknown } = {
    SendMessage: writeSend,
    SendStreamingMessage: writeSend,
    GetTask: ({ id, historyLength }) => withoutUndefined({ name: prefix + id, historyLength }),
    CancelTask: ({ id }) => ({ name: prefix + id }),
    SubscribeToTask: ({ id }) => ({ name: prefix + id }),
    ListTasks: params => params,
    ...resourcePushNotifications.params,
  };
  const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
    SendMessage: (result, note) => readWrappedSend(result, note, style, false),
    GetTask: (result, note) => readBareTask(result, note, style),
    CancelTask: (result, note) => readBareTask(result, note, style),
    // An array of all tasks, without pages (0.3 §3.5.6).
    ListTasks: (result, note) => readListTasks(Array.isArray(result) ? { tasks: result } : result, note, style),
    ...pushNotificationReaders,
  };
  const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
    SendMessage: writeStreamResponse,
    GetTask: writeTask,
    CancelTask: writeTask,
    ListTasks: page => ({ ...page, tasks: page.tasks.map(writeTask) }),
    ...resourcePushNotifications.results,
  };
  return {
    unsupported: ['tenant', 'part-media-type', 'empty-metadata', 'no-context', 'references', 'cancel-metadata', 'open-waiting', 'defaults'],
    writeParams: (operation, params) => writers[operation](params),
    readResult: (operation, result, note) => readers[operation](result, note),
    readStreamResponse: (event, note) => readWrapped(event, note, style, false),
    // ProtoJSON leaves false out.
    finalIn: (event: unknown) => (isObject(event) && isObject(event['statusUpdate']) ? event['statusUpdate']['final'] === true : undefined),
    readParams(operation, params, note) {
      requireShallow(params);
      return readParamsWith(operation, isObject(params) ? restored(params) : params, note, style);
    },
    writeResult: (operation, result) => resultWriters[operation](result),
    writeStreamResponse,
  };
})();

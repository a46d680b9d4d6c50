import { AgentCard } from '../card/agentCard.ts';
import { errorNames } from '../errors.ts';
import type { Note } from '../finding.ts';
import { isObject } from '../json.ts';
import type { Message } from '../message/message.ts';
import type { Operation, OperationParams, UnaryOperation, UnaryResults } from '../message/operations.ts';
import type { Part } from '../message/part.ts';
import { taskStates, type TaskState } from '../message/taskState.ts';
import { withoutUndefined } from './shared/fields.ts';
import { nestedWriters } from './shared/nestedWriters.ts';
import { normalizeCard } from './shared/normalizeCard.ts';
import { readParamsWith } from './shared/readParams.ts';
import { pushNotificationReaders } from './shared/readPushNotifications.ts';
import { readSecurity } from './shared/readSecurity.ts';
import type { ReadStyle } from './shared/readTask.ts';
import { readBareTask, readListTasks, readWrapped, readWrappedSend } from './shared/readWrapped.ts';
import type { Version } from './shared/version.ts';
import { writeConfiguration } from './shared/writeConfiguration.ts';
import { writeNestedPart } from './shared/writeNestedPart.ts';
import { wrappedPushNotifications } from './shared/writePushNotifications.ts';

type Fields = Readonly<Record<string, unknown>>;

const part = (value: Part): Fields => writeNestedPart(value, 'mediaType');

/** The lower-case states of 0.3. */
const writeState = (state: TaskState): string => taskStates[state].label;

const writeMessage = (message: Message): Fields => ({
  ...message,
  role: message.role === 'ROLE_USER' ? 'user' : 'agent',
  parts: message.parts.map(part),
});

/** A task, and one event in its wrapper. The drafts still have `final`. */
const { writeTask, writeStreamResponse } = nestedWriters({
  message: writeMessage,
  part,
  state: writeState,
  omitDefaults: withoutUndefined,
});

const style: ReadStyle = {
  parts: 'nested',
  stateSpelling: state => state === state.toLowerCase() && !state.includes('_') && state !== 'cancelled',
  userRole: 'user',
  agentRole: 'agent',
  messageIds: true,
  zonedTimestamps: false,
};

const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  SendMessage: (result, note) => readWrappedSend(result, note, style, true),
  GetTask: (result, note) => readBareTask(result, note, style),
  ListTasks: (result, note) => readListTasks(result, note, style),
  CancelTask: (result, note) => readBareTask(result, note, style),
  ...pushNotificationReaders,
};

const writeSend = (params: OperationParams['SendMessage']): object =>
  withoutUndefined({
    ...params,
    message: writeMessage(params.message),
    configuration: params.configuration === undefined ? undefined : writeConfiguration(params.configuration),
  });

const writers: { readonly [O in Operation]: (params: OperationParams[O]) => unknown } = {
  SendMessage: writeSend,
  SendStreamingMessage: writeSend,
  GetTask: params => params,
  ListTasks: params => (params.status === undefined ? params : { ...params, status: writeState(params.status) }),
  CancelTask: params => params,
  SubscribeToTask: params => params,
  ...wrappedPushNotifications.params,
};

const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
  SendMessage: result => ('task' in result ? writeTask(result.task) : writeMessage(result.message)),
  GetTask: writeTask,
  ListTasks: page => ({ ...page, tasks: page.tasks.map(writeTask) }),
  CancelTask: writeTask,
  ...wrappedPushNotifications.results,
};

/**
 * The drafts between 0.3 and 1.0 (September 2025 to January 2026), as in the protocol's documents of December 2025: `message.send`, answers
 * without `kind` and without a wrapper, `fileWithBytes` with `mediaType`, lower-case enums. Drafts differ: reading accepts the shapes of
 * all, writing uses that of the documents. Stream events must be wrapped, since nothing else distinguishes them.
 */
export const v1_0draft: Version = {
  protocolVersion: '1.0-draft',
  header: undefined,
  extensionsHeader: 'A2A-Extensions',
  methods: {
    SendMessage: 'message.send',
    SendStreamingMessage: 'message.stream',
    GetTask: 'tasks/get',
    ListTasks: 'tasks/list',
    CancelTask: 'tasks/cancel',
    SubscribeToTask: 'tasks/resubscribe',
    CreateTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
    GetTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
    ListTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
    DeleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  },
  extendedCard: { methods: ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'] },
  errorNames,
  unsupported: ['part-media-type', 'empty-metadata', 'no-context', 'config-pages', 'config-tenant'],
  clientAssignsIds: false,
  cardPath: '/.well-known/agent-card.json',
  writeParams: (operation, params) => writers[operation](params),
  readResult: (operation, result, note) => readers[operation](result, note),
  readStreamResponse: (event, note) => readWrapped(event, note, style, true),
  readParams: (operation, params, note) => readParamsWith(operation, params, note, style),
  writeResult: (operation, result) => resultWriters[operation](result),
  writeStreamResponse,
  readCard(card, note) {
    const interfaces = Array.isArray(card['supportedInterfaces']) ? (card['supportedInterfaces'] as readonly unknown[]) : [];
    // In drafts the version is a member of the card, not of its interfaces, so a missing one is not a deviation.
    const complete = {
      ...card,
      supportedInterfaces: interfaces.map(entry => (isObject(entry) ? { protocolVersion: '1.0-draft', ...entry } : entry)),
    };
    const strict = AgentCard.safeParse(complete);
    return strict.success
      ? { ...complete, ...strict.data, ...readSecurity(card) }
      : normalizeCard(complete, strict.error, note, '1.0-draft');
  },
};

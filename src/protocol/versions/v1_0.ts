import { AgentCard } from '../card/agentCard.ts';
import { errorNames } from '../errors.ts';
import type { Note } from '../finding.ts';
import type { UnaryOperation, UnaryResults } from '../message/operations.ts';
import { normalizeCard } from './shared/normalizeCard.ts';
import { readParamsWith } from './shared/readParams.ts';
import { pushNotificationReaders } from './shared/readPushNotifications.ts';
import { readSecurity } from './shared/readSecurity.ts';
import type { ReadStyle } from './shared/readTask.ts';
import { readBareTask, readListTasks, readWrapped, readWrappedSend } from './shared/readWrapped.ts';
import type { Version } from './shared/version.ts';

const style: ReadStyle = {
  parts: 'member',
  stateSpelling: state => state.startsWith('TASK_STATE_') && state !== 'TASK_STATE_CANCELLED',
  userRole: 'ROLE_USER',
  agentRole: 'ROLE_AGENT',
  messageIds: true,
  zonedTimestamps: true,
};

const readers: { readonly [O in UnaryOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  SendMessage: (result, note) => readWrappedSend(result, note, style, false),
  GetTask: (result, note) => readBareTask(result, note, style),
  ListTasks: (result, note) => readListTasks(result, note, style),
  CancelTask: (result, note) => readBareTask(result, note, style),
  ...pushNotificationReaders,
};

/** A2A 1.0: PascalCase methods, wrapped answers, flat parts, `TASK_STATE_*`. Core shape is the shape of 1.0. */
export const v1_0: Version = {
  protocolVersion: '1.0',
  header: '1.0',
  extensionsHeader: 'A2A-Extensions',
  methods: {
    SendMessage: 'SendMessage',
    SendStreamingMessage: 'SendStreamingMessage',
    GetTask: 'GetTask',
    ListTasks: 'ListTasks',
    CancelTask: 'CancelTask',
    SubscribeToTask: 'SubscribeToTask',
    CreateTaskPushNotificationConfig: 'CreateTaskPushNotificationConfig',
    GetTaskPushNotificationConfig: 'GetTaskPushNotificationConfig',
    ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfigs',
    DeleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfig',
  },
  extendedCard: { methods: ['GetExtendedAgentCard'], path: '/extendedAgentCard' },
  routes: {
    SendMessage: { method: 'POST', path: '/message:send' },
    SendStreamingMessage: { method: 'POST', path: '/message:stream' },
    GetTask: { method: 'GET', path: '/tasks/{id}' },
    ListTasks: { method: 'GET', path: '/tasks' },
    CancelTask: { method: 'POST', path: '/tasks/{id}:cancel' },
    SubscribeToTask: { method: 'POST', path: '/tasks/{id}:subscribe' },
    CreateTaskPushNotificationConfig: { method: 'POST', path: '/tasks/{taskId}/pushNotificationConfigs' },
    GetTaskPushNotificationConfig: { method: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
    ListTaskPushNotificationConfigs: { method: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs' },
    DeleteTaskPushNotificationConfig: { method: 'DELETE', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  },
  errorNames,
  unsupported: [],
  clientAssignsIds: false,
  announcesTasks: true,
  cardPath: '/.well-known/agent-card.json',
  writeParams: (_operation, params) => params,
  readResult: (operation, result, note) => readers[operation](result, note),
  readStreamResponse: (event, note) => readWrapped(event, note, style, false),
  readParams: (operation, params, note) => readParamsWith(operation, params, note, style),
  writeResult: (_operation, result) => result,
  writeStreamResponse: event => event,
  readCard(card, note) {
    const strict = AgentCard.safeParse(card);
    if (strict.success) return { ...card, ...strict.data, ...readSecurity(card) };
    return normalizeCard(card, strict.error, note, '1.0');
  },
};

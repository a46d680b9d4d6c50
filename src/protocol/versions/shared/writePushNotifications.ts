import type { OperationParams, PushNotificationOperation, UnaryResults } from '../../message/operations.ts';
import type { PushNotificationConfig, TaskPushNotificationConfig } from '../../message/pushNotificationConfig.ts';
import { withoutUndefined } from './fields.ts';
import { notInVersion } from './unreadable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a version writes the operations on configurations of push notifications. */
interface PushNotificationWriters {
  readonly params: { readonly [O in PushNotificationOperation]: (params: OperationParams[O]) => unknown };
  readonly results: { readonly [O in PushNotificationOperation]: (result: UnaryResults[O]) => unknown };
}

const writersOf = (
  params: PushNotificationWriters['params'],
  config: (config: TaskPushNotificationConfig) => unknown,
  list: PushNotificationWriters['results']['ListTaskPushNotificationConfigs'],
  deleted: null | object = null,
): PushNotificationWriters => ({
  params,
  results: {
    CreateTaskPushNotificationConfig: config,
    GetTaskPushNotificationConfig: config,
    ListTaskPushNotificationConfigs: list,
    DeleteTaskPushNotificationConfig: () => deleted,
  },
});

/** A configuration alone, as messages hold it before 1.0, with a list of schemes (0.3 §6.8, §6.9). */
export const writePushNotificationConfig = ({ id, url, token, authentication }: PushNotificationConfig): Fields =>
  withoutUndefined({
    id,
    url,
    token,
    authentication:
      authentication === undefined
        ? undefined
        : withoutUndefined({ schemes: [authentication.scheme], credentials: authentication.credentials }),
  });

const inWrapper = (config: TaskPushNotificationConfig): Fields => ({
  taskId: config.taskId,
  pushNotificationConfig: writePushNotificationConfig(config),
});
const pairOfTask = ({ taskId, id }: OperationParams['GetTaskPushNotificationConfig']): Fields => ({
  id: taskId,
  pushNotificationConfigId: id,
});

/** 0.2, 0.3 and the drafts of 1.0 over JSON-RPC (0.3 §7.5 to §7.8). */
export const wrappedPushNotifications = writersOf(
  {
    CreateTaskPushNotificationConfig: inWrapper,
    GetTaskPushNotificationConfig: pairOfTask,
    ListTaskPushNotificationConfigs: ({ taskId }) => ({ id: taskId }),
    DeleteTaskPushNotificationConfig: pairOfTask,
  },
  inWrapper,
  ({ configs }) => configs.map(inWrapper),
);

const nameOf = (taskId: string, id: string): string => `tasks/${taskId}/pushNotificationConfigs/${id}`;
const inResource = (config: TaskPushNotificationConfig): Fields => ({
  name: nameOf(config.taskId, config.id ?? ''),
  pushNotificationConfig: writePushNotificationConfig(config),
});
const resource = ({ taskId, id }: OperationParams['GetTaskPushNotificationConfig']): Fields => ({ name: nameOf(taskId, id) });

/** The protocol buffers of 0.2 and 0.3, whose configurations have resource names. */
export const resourcePushNotifications = writersOf(
  {
    CreateTaskPushNotificationConfig: config => ({
      parent: `tasks/${config.taskId}`,
      ...(config.id !== undefined && { configId: config.id }),
      config: config.id === undefined ? { pushNotificationConfig: writePushNotificationConfig(config) } : inResource(config),
    }),
    GetTaskPushNotificationConfig: resource,
    ListTaskPushNotificationConfigs: ({ taskId, pageSize, pageToken }) =>
      withoutUndefined({ parent: `tasks/${taskId}`, pageSize, pageToken }),
    DeleteTaskPushNotificationConfig: resource,
  },
  inResource,
  ({ configs, nextPageToken }) => ({ configs: configs.map(inResource), nextPageToken }),
  {},
);

const ofTask = (config: TaskPushNotificationConfig): Fields => {
  const { id: _, ...rest } = writePushNotificationConfig(config);
  return { id: config.taskId, pushNotificationConfig: rest };
};
const never0_1 = (operation: PushNotificationOperation) => (): never => {
  throw notInVersion('0.1', operation);
};

/** 0.1, where a task has one configuration that is neither listed nor deleted (0.1 §7.5, §7.6). */
export const singlePushNotifications = writersOf(
  {
    CreateTaskPushNotificationConfig: ofTask,
    GetTaskPushNotificationConfig: ({ taskId }) => ({ id: taskId }),
    ListTaskPushNotificationConfigs: never0_1('ListTaskPushNotificationConfigs'),
    DeleteTaskPushNotificationConfig: never0_1('DeleteTaskPushNotificationConfig'),
  },
  ofTask,
  never0_1('ListTaskPushNotificationConfigs'),
);

/** A configuration in the release candidate of 1.0: already with one scheme, still in a wrapper. */
export const writeCandidateConfig = ({ id, url, token, authentication }: PushNotificationConfig): Fields =>
  withoutUndefined({ id, url, token, authentication });
const inCandidate = (config: TaskPushNotificationConfig): Fields =>
  withoutUndefined({
    tenant: config.tenant,
    id: config.id,
    taskId: config.taskId,
    pushNotificationConfig: writeCandidateConfig(config),
  });

/** The release candidate of 1.0. */
export const candidatePushNotifications = writersOf(
  {
    CreateTaskPushNotificationConfig: config =>
      withoutUndefined({ tenant: config.tenant, taskId: config.taskId, configId: config.id, config: writeCandidateConfig(config) }),
    GetTaskPushNotificationConfig: params => params,
    ListTaskPushNotificationConfigs: params => params,
    DeleteTaskPushNotificationConfig: params => params,
  },
  inCandidate,
  ({ configs, nextPageToken }) => ({ configs: configs.map(inCandidate), nextPageToken }),
);

/** For a protocol version without push notifications. */
export function noPushNotifications(protocolVersion: string): { readonly [O in PushNotificationOperation]: () => never } {
  const never = (operation: PushNotificationOperation) => (): never => {
    throw notInVersion(protocolVersion, operation);
  };
  return {
    CreateTaskPushNotificationConfig: never('CreateTaskPushNotificationConfig'),
    GetTaskPushNotificationConfig: never('GetTaskPushNotificationConfig'),
    ListTaskPushNotificationConfigs: never('ListTaskPushNotificationConfigs'),
    DeleteTaskPushNotificationConfig: never('DeleteTaskPushNotificationConfig'),
  };
}

import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { OperationParams, PushNotificationOperation, UnaryResults } from '../../message/operations.ts';
import type { PushNotificationConfig, TaskPushNotificationConfig } from '../../message/pushNotificationConfig.ts';
import { Problem, sentence } from '../../problem.ts';
import { listIn, mapObjects, optionalString, optionalStrings, requiredString, withoutUndefined } from './fields.ts';
import { unreadable } from './unreadable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Task and configuration in the resource name of 0.3's protocol buffers: `tasks/{task}/pushNotificationConfigs/{id}`. */
function named({ name, parent }: Fields): { readonly taskId?: string; readonly id?: string } {
  const path = [name, parent].find(each => typeof each === 'string');
  const [, taskId, id] = /^tasks\/([^/]+)(?:\/pushNotificationConfigs(?:\/([^/]+))?)?$/.exec(path ?? '') ?? [];
  return { taskId, id };
}

/** The configuration inside the wrapper that every version before 1.0 has; `config` is that of a request to create one. */
function unwrapped(value: Fields): Fields {
  const { config, pushNotificationConfig } = value;
  const inner = [pushNotificationConfig, isObject(config) ? (config['pushNotificationConfig'] ?? config) : undefined].find(isObject);
  return inner ?? value;
}

/** Reads a configuration without its wrapper, in any version: a scheme was a list of schemes before the candidate of 1.0. */
export function readPushNotificationConfig(config: Fields, pointer: string, note: Note): PushNotificationConfig {
  const { authentication } = config;
  const text = (name: string): string | undefined => optionalString(config, name, pointer, note) || undefined;
  return withoutUndefined({
    id: text('id'),
    url: requiredString(config, 'url', pointer, note, () => ''),
    token: text('token'),
    authentication: isObject(authentication)
      ? withoutUndefined({
          scheme:
            optionalString(authentication, 'scheme', `${pointer}/authentication`, note) ??
            optionalStrings(authentication, 'schemes')?.[0] ??
            '',
          credentials: optionalString(authentication, 'credentials', `${pointer}/authentication`, note) || undefined,
        })
      : undefined,
  });
}

/** Reads a configuration of a task: flat in 1.0, before that in a wrapper that names the task. In 0.1 the wrapper's `id` is the task's. */
function readTaskConfig(value: unknown, pointer: string, note: Note): TaskPushNotificationConfig {
  if (!isObject(value)) throw unreadable('TaskPushNotificationConfig', pointer);
  const inner = unwrapped(value);
  const wrapped = inner !== value;
  const name = named(value);
  const text = (member: string): string | undefined => optionalString(value, member, pointer, note) || undefined;
  const own = wrapped ? text('taskId') : undefined;
  const {
    taskId: _,
    id = name.id,
    ...config
  } = readPushNotificationConfig(inner, inner === value ? pointer : `${pointer}/pushNotificationConfig`, note);
  const taskId = own ?? name.taskId ?? (wrapped ? text('id') : text('taskId'));
  if (taskId === undefined && id === undefined && config.url === '') throw unreadable('TaskPushNotificationConfig', pointer);
  if (taskId === undefined) note('DATA-01', `${pointer}/taskId`, sentence('{0} is missing.', 'taskId'));
  return withoutUndefined({
    ...config,
    tenant: text('tenant'),
    id: id ?? text('configId') ?? (own !== undefined ? text('id') : undefined),
    taskId: taskId ?? '',
  });
}

/** Reads the answers to operations on configurations, in any version. A list is an array in 0.2 and 0.3. */
export const pushNotificationReaders: { readonly [O in PushNotificationOperation]: (result: unknown, note: Note) => UnaryResults[O] } = {
  CreateTaskPushNotificationConfig: (result, note) => readTaskConfig(result, '', note),
  GetTaskPushNotificationConfig: (result, note) => readTaskConfig(result, '', note),
  ListTaskPushNotificationConfigs(result, note) {
    const page: Fields = isObject(result) ? result : { configs: result };
    const pointer = page === result ? '/configs' : '';
    const list = listIn(page, 'configs');
    if (list === undefined) throw unreadable(sentence('list of configurations'), '');
    return withoutUndefined({
      configs: mapObjects(list, pointer, note, (config, at) => readTaskConfig(config, at, note)),
      nextPageToken: optionalString(page, 'nextPageToken', '', note),
    });
  },
  DeleteTaskPushNotificationConfig: () => ({}),
};

/** The task is `taskId`, `id` before 1.0, or in a resource name. Before 0.2.5 a task has one configuration, which has the task's id here. */
function readPair(params: Fields, note: Note): OperationParams['GetTaskPushNotificationConfig'] {
  const text = (name: string): string | undefined => optionalString(params, name, '', note) || undefined;
  const name = named(params);
  const own = text('taskId');
  const taskId = own ?? name.taskId ?? text('id');
  if (taskId === undefined) throw lacking('taskId');
  const id = own === undefined ? (name.id ?? text('pushNotificationConfigId')) : text('id');
  return withoutUndefined({ tenant: text('tenant'), taskId, id: id ?? taskId });
}

/**
 * Reads the parameters of operations on configurations, in any version.
 * @throws Problem `invalid-params`
 */
export const pushNotificationParams: {
  readonly [O in PushNotificationOperation]: (params: Fields, note: Note) => OperationParams[O];
} = {
  CreateTaskPushNotificationConfig(params, note) {
    const config = readTaskConfig(params, '', note);
    if (config.taskId === '') throw lacking('taskId');
    if (config.url === '') throw lacking('url');
    return config;
  },
  GetTaskPushNotificationConfig: readPair,
  ListTaskPushNotificationConfigs(params, note) {
    const { pageSize } = params;
    const { id: _, ...task } = readPair(params, note);
    return withoutUndefined({
      ...task,
      pageSize: Number.isInteger(pageSize) ? (pageSize as number) : undefined,
      pageToken: optionalString(params, 'pageToken', '', note) || undefined,
    });
  },
  DeleteTaskPushNotificationConfig: readPair,
};

const lacking = (name: string): Problem => new Problem('invalid-params', sentence('The request lacks {0}.', name));

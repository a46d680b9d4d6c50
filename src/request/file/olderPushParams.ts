import { isObject } from '../../protocol/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The methods of push notifications before 1.0 (A2A 0.3 §7.5 to §7.8, 0.1 §7). */
export const isOlderPushMethod = (method: string): boolean => method.startsWith('tasks/pushNotification');

/** Parameters of such a method in 1.0 shape, in which the configuration is not wrapped and the task is `taskId`; others as they are. */
export function newerPushParams(method: string, params: Fields): Fields {
  if (!isOlderPushMethod(method) || (params['taskId'] !== undefined && params['pushNotificationConfig'] === undefined)) return params;
  const { id, taskId = id, pushNotificationConfig: config, pushNotificationConfigId: configId, ...rest } = params;
  if (!isObject(config)) return { ...rest, taskId, ...(!method.endsWith('/list') && { id: configId ?? taskId }) };
  const { authentication, ...own } = config;
  const { schemes, ...credentials } = isObject(authentication) ? authentication : {};
  const scheme: unknown = Array.isArray(schemes) ? schemes[0] : schemes;
  return {
    ...rest,
    ...own,
    taskId,
    ...(authentication !== undefined && { authentication: { ...(scheme !== undefined && { scheme }), ...credentials } }),
  };
}

import { randomUUID } from 'node:crypto';
import type { PushNotificationConfig, TaskPushNotificationConfig } from '../../protocol/message/pushNotificationConfig.ts';
import type { OperationParams } from '../../protocol/message/operations.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { AgentContext } from '../contexts/agentContext.ts';
import { saysUnsupported } from '../unsupported.ts';

/** Most pages of configurations that are read of one task. */
const maxPages = 10;

/** Agents of versions with one configuration a task give it no id: the task's id is used. */
export const configId = ({ id, taskId }: TaskPushNotificationConfig): string => id ?? taskId;

/** True if the card declares push notifications; undefined without a card. */
export const saysItNotifies = ({ agent }: AgentContext): boolean | undefined =>
  agent?.card === undefined ? undefined : agent.card.capabilities.pushNotifications === true;

/** Creates a configuration at the agent (A2A 1.0 §3.1.7). Rejects with a `Problem`. */
export async function createConfig(
  context: AgentContext,
  taskId: string,
  config: PushNotificationConfig,
  signal?: AbortSignal,
): Promise<TaskPushNotificationConfig> {
  const { result } = await context.call('CreateTaskPushNotificationConfig', { id: randomUUID(), ...config, taskId }, signal);
  return result;
}

/** True unless the agent's answer names another task or another address than it was asked to notify (A2A 1.0 §3.1.7). */
export function confirms({ taskId, url }: TaskPushNotificationConfig, asked: { readonly taskId: string; readonly url: string }): boolean {
  const sameUrl = url === '' || (URL.canParse(url) && new URL(url).href === new URL(asked.url).href);
  return sameUrl && (taskId === '' || taskId === asked.taskId);
}

/** All configurations of a task (A2A 1.0 §3.1.9), of older agents the one that it has. Rejects with a `Problem`. */
export async function configsOf(
  context: AgentContext,
  taskId: string,
  signal?: AbortSignal,
): Promise<readonly TaskPushNotificationConfig[]> {
  const configs: TaskPushNotificationConfig[] = [];
  try {
    let pageToken: string | undefined;
    for (let page = 0; page < maxPages && pageToken !== ''; page++) {
      const { result } = await context.call('ListTaskPushNotificationConfigs', withoutUndefined({ taskId, pageToken }), signal);
      configs.push(...result.configs);
      pageToken = result.nextPageToken ?? '';
    }
    return configs;
  } catch (error) {
    if (!saysUnsupported(error) || configs.length > 0) throw error;
    const { result } = await context.call('GetTaskPushNotificationConfig', { taskId, id: taskId }, signal);
    return [result];
  }
}

/** Deletes a configuration (A2A 1.0 §3.1.10). Rejects with a `Problem`. */
export async function deleteConfig(
  context: AgentContext,
  params: OperationParams['DeleteTaskPushNotificationConfig'],
  signal?: AbortSignal,
): Promise<void> {
  await context.call('DeleteTaskPushNotificationConfig', params, signal);
}

import { isOfPushNotifications, type UnaryOperation, type UnaryResults } from '../message/operations.ts';
import type { StreamResponse } from '../message/streamResponse.ts';
import type { Task } from '../message/task.ts';
import { withoutUndefined } from './shared/fields.ts';
import { candidatePushNotifications, writeCandidateConfig } from './shared/writePushNotifications.ts';
import { v1_0 } from './v1_0.ts';
import type { Version } from './shared/version.ts';

/** The candidate still requires a `contextId` for tasks: without one, the task's id is used. */
const writeTask = (task: Task): Task => (task.contextId === undefined ? { ...task, contextId: task.id } : task);

function writeStreamResponse(event: StreamResponse): StreamResponse {
  if ('task' in event) return { ...event, task: writeTask(event.task) };
  if ('message' in event) return event;
  if ('statusUpdate' in event)
    return { statusUpdate: { ...event.statusUpdate, contextId: event.statusUpdate.contextId ?? event.statusUpdate.taskId } };
  return { artifactUpdate: { ...event.artifactUpdate, contextId: event.artifactUpdate.contextId ?? event.artifactUpdate.taskId } };
}

const resultWriters: { readonly [O in UnaryOperation]: (result: UnaryResults[O]) => unknown } = {
  SendMessage: writeStreamResponse,
  GetTask: writeTask,
  ListTasks: page => ({ ...page, tasks: page.tasks.map(writeTask) }),
  CancelTask: writeTask,
  ...candidatePushNotifications.results,
};

/**
 * The release candidate of 1.0 (v1.0.0-rc, January to March 2026): as 1.0, except for `blocking` instead of `returnImmediately`, the
 * required `contextId`, and webhooks nested one level deeper. Its answers differ from those of 1.0 in webhooks only.
 */
export const v1_0rc: Version = {
  ...v1_0,
  protocolVersion: '1.0-rc',
  methods: { ...v1_0.methods, ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfig' },
  unsupported: ['no-context'],
  writeParams(operation, params) {
    if (isOfPushNotifications(operation)) return candidatePushNotifications.params[operation](params as never);
    if (!('configuration' in params) || params.configuration === undefined) return params;
    const { returnImmediately, taskPushNotificationConfig: config, ...rest } = params.configuration;
    return {
      ...params,
      configuration: withoutUndefined({
        ...rest,
        blocking: returnImmediately === undefined ? undefined : !returnImmediately,
        pushNotificationConfig: config && writeCandidateConfig(config),
      }),
    };
  },
  writeResult: (operation, result) => resultWriters[operation](result),
  writeStreamResponse,
};

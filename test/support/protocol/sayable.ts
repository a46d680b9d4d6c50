import type { Message } from '../../../src/protocol/message/message.ts';
import {
  isSend,
  type Operation,
  type OperationParams,
  type SendMessageParams,
  type UnaryOperation,
  type UnaryResults,
} from '../../../src/protocol/message/operations.ts';
import { partKind, textOf, type Part } from '../../../src/protocol/message/part.ts';
import type {
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '../../../src/protocol/message/pushNotificationConfig.ts';
import type { StreamResponse, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../../../src/protocol/message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { withoutUndefined } from '../../../src/protocol/versions/shared/fields.ts';
import { taskInputOf } from '../../../src/protocol/versions/taskRest/readTaskRest.ts';
import type { UnsupportedField } from '../../../src/protocol/versions/shared/unsupportedFields.ts';

/** What becomes of core values where a generation cannot say something. Doing it twice is doing it once. */
interface Loss {
  readonly params?: (params: OperationParams[Operation]) => OperationParams[Operation];
  /** Of a message that is sent. */
  readonly sent?: (message: Message) => Message;
  /** Of any other message. */
  readonly message?: (message: Message) => Message;
  readonly part?: (part: Part) => Part;
  readonly status?: (status: TaskStatus) => TaskStatus;
  readonly artifact?: (artifact: Artifact) => Artifact;
  readonly task?: (task: Task) => Task;
  readonly statusUpdate?: (event: TaskStatusUpdateEvent) => TaskStatusUpdateEvent;
  readonly artifactUpdate?: (event: TaskArtifactUpdateEvent) => TaskArtifactUpdateEvent;
  readonly event?: (event: StreamResponse) => StreamResponse;
  readonly config?: (config: TaskPushNotificationConfig) => TaskPushNotificationConfig;
  readonly configs?: (page: ListTaskPushNotificationConfigsResponse) => ListTaskPushNotificationConfigsResponse;
  readonly answer?: (answer: UnaryResults['SendMessage']) => UnaryResults['SendMessage'];
}

const without = <T extends object>(value: T, ...names: readonly string[]): T =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as T;

const becomes = (from: TaskState, to: TaskState): Loss => ({
  status: status => (status.state === from ? { ...status, state: to } : status),
});

const configured = (change: (configuration: NonNullable<SendMessageParams['configuration']>) => object): Loss => ({
  params: params =>
    'configuration' in params && params.configuration !== undefined ? { ...params, configuration: change(params.configuration) } : params,
});

const unconfigured = (name: string): Loss => ({
  params: params => {
    if (!('configuration' in params) || params.configuration === undefined) return params;
    const configuration = without(params.configuration, name);
    return Object.keys(configuration).length === 0 ? without(params, 'configuration') : { ...params, configuration };
  },
});

const withoutDefaults = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== '' && member !== false && !(Array.isArray(member) && member.length === 0)),
  ) as T;

const spoken = (message: Message): Task =>
  withoutUndefined({
    id: message.taskId ?? message.messageId,
    contextId: message.contextId,
    status: { state: 'TASK_STATE_COMPLETED', message },
  });
const asStatus = ({ id, status, metadata }: Task): StreamResponse => ({ statusUpdate: withoutUndefined({ taskId: id, status, metadata }) });

const inContext = <T extends { readonly taskId: string; readonly contextId?: string }>(event: T): T => ({
  ...event,
  contextId: event.contextId ?? event.taskId,
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The one object that a completed task results in. */
function alone(task: Task): Task {
  if (task.status.state !== 'TASK_STATE_COMPLETED') return without(task, 'artifacts');
  const made = (task.artifacts ?? []).flatMap(({ parts }) => parts);
  const parts = made.length > 0 ? made : (task.status.message?.parts ?? []);
  const object = parts.flatMap(part => ('data' in part && isObject(part.data) ? [part.data] : []))[0];
  const data = object ?? (textOf(parts) === '' ? undefined : { text: textOf(parts) });
  return withoutUndefined({ ...task, artifacts: data === undefined ? undefined : [{ artifactId: 'result', parts: [{ data }] }] });
}

/** The words of a failure: a text with a code. */
function failure(status: TaskStatus): TaskStatus {
  const { message } = status;
  if (message === undefined || status.state !== 'TASK_STATE_FAILED') return without(status, 'message');
  const code = message.metadata?.['code'];
  const coded = typeof code === 'string' || typeof code === 'number';
  const text = textOf(message.parts) || (coded ? String(code) : '');
  return text === ''
    ? without(status, 'message')
    : {
        ...status,
        message: withoutUndefined({
          messageId: '',
          role: 'ROLE_AGENT' as const,
          parts: [{ text }],
          metadata: coded ? { code } : undefined,
        }),
      };
}

const only = (metadata: Readonly<Record<string, unknown>> | undefined, ...wanted: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([name]) => wanted.includes(name)));

/** A task's type where it is a text, its input where that is an object. */
function typed(metadata: Task['metadata']): Record<string, unknown> {
  const { type, data } = only(metadata, 'type', 'data');
  return withoutUndefined({ type: typeof type === 'string' ? type : 'task', data: isObject(data) ? data : undefined });
}

const progress = (metadata: TaskStatusUpdateEvent['metadata']): { progress: unknown } | undefined =>
  typeof metadata?.['progress'] === 'number' ? { progress: metadata['progress'] } : undefined;

/** Those that look at ids come before the one that takes ids away. */
const losses: { readonly [U in UnsupportedField]: Loss } = {
  'message-answer': {
    event: event => ('message' in event ? asStatus(spoken(event.message)) : event),
    answer: answer => ('message' in answer ? { task: spoken(answer.message) } : answer),
  },
  'task-event': { event: event => ('task' in event ? asStatus(event.task) : event) },
  'new-task': { sent: message => ({ ...message, taskId: message.taskId ?? message.messageId }) },
  'message-id': {
    sent: message => ({ ...message, messageId: '' }),
    message: message => ({ ...without(message, 'contextId', 'taskId'), messageId: '' }),
  },
  'artifact-event': {
    event: event =>
      'artifactUpdate' in event
        ? {
            statusUpdate: {
              ...without(event.artifactUpdate, 'artifact', 'append', 'lastChunk', 'metadata'),
              status: { state: 'TASK_STATE_WORKING' },
            },
          }
        : event,
  },
  'result-alone': { task: alone },
  'status-message': {
    task: task => ({ ...task, status: failure(task.status) }),
    statusUpdate: event => ({ ...event, status: without(event.status, 'message') }),
  },
  contexts: {
    sent: message => without(message, 'contextId'),
    task: task => without(task, 'contextId'),
    statusUpdate: event => without(event, 'contextId'),
    artifactUpdate: event => without(event, 'contextId'),
  },
  history: { task: task => without(task, 'history') },
  'history-alone': {
    task: ({ history, ...task }) => {
      const { message } = task.status;
      const last = history?.at(-1);
      if (history === undefined || last === undefined || message === undefined) return withoutUndefined({ ...task, history });
      const ends = last.role === message.role && JSON.stringify(last.parts) === JSON.stringify(message.parts);
      return { ...task, history: ends ? history : [...history, message] };
    },
  },
  timestamp: { status: status => without(status, 'timestamp') },
  'task-metadata': { task: task => ({ ...task, metadata: typed(task.metadata) }) },
  'event-metadata': { statusUpdate: event => withoutUndefined({ ...event, metadata: progress(event.metadata) }) },
  'message-metadata': { sent: message => ({ ...message, metadata: without(typed(message.metadata), 'data') }) },
  'input-alone': {
    sent: message => ({ ...message, parts: [taskInputOf(message)].flatMap(data => (data === undefined ? [] : [{ data }])) }),
  },
  'request-metadata': { params: params => without(params, 'metadata') },
  'five-states': {
    status: status => {
      const known = ['SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED'].some(word => status.state === `TASK_STATE_${word}`);
      if (known) return status;
      return { ...status, state: status.state === 'TASK_STATE_REJECTED' ? 'TASK_STATE_FAILED' : 'TASK_STATE_WORKING' };
    },
  },
  tenant: { params: params => without(params, 'tenant') },
  'part-media-type': { part: part => (['text', 'data'].includes(partKind(part)) ? without(part, 'mediaType', 'filename') : part) },
  'empty-metadata': {
    part: part =>
      'data' in part && part.metadata !== undefined && Object.keys(part.metadata).length === 0 ? without(part, 'metadata') : part,
  },
  'no-context': { task: task => ({ ...task, contextId: task.contextId ?? task.id }), statusUpdate: inContext, artifactUpdate: inContext },
  'no-output-modes': configured(configuration => ({ acceptedOutputModes: [], ...configuration })),
  'output-modes': unconfigured('acceptedOutputModes'),
  'return-immediately': unconfigured('returnImmediately'),
  'history-length': {
    params: params => without(unconfigured('historyLength').params!(params), 'historyLength'),
  },
  references: { sent: message => without(message, 'referenceTaskIds'), message: message => without(message, 'referenceTaskIds') },
  extensions: {
    sent: message => without(message, 'extensions'),
    message: message => without(message, 'extensions'),
    artifact: artifact => without(artifact, 'extensions'),
  },
  'cancel-metadata': { params: params => ('id' in params ? without(params, 'metadata') : params) },
  'open-waiting': configured(configuration => ({ returnImmediately: false, ...configuration })),
  defaults: {
    task: task => ({ ...withoutDefaults(task), status: task.status }),
    artifact: artifact => ({ ...withoutDefaults(artifact), parts: artifact.parts }),
    artifactUpdate: withoutDefaults,
  },
  'artifact-id': {
    task: task => (task.artifacts === undefined ? task : { ...task, artifacts: renamed(task.artifacts) }),
    artifactUpdate: event => ({ ...event, artifact: { ...event.artifact, artifactId: '0' } }),
  },
  'event-context': { statusUpdate: event => without(event, 'contextId'), artifactUpdate: event => without(event, 'contextId') },
  rejected: becomes('TASK_STATE_REJECTED', 'TASK_STATE_FAILED'),
  'auth-required': becomes('TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_INPUT_REQUIRED'),
  'config-id': {
    params: params => {
      const config = 'configuration' in params ? params.configuration?.taskPushNotificationConfig : undefined;
      if (config !== undefined && 'configuration' in params)
        return { ...params, configuration: { ...params.configuration, taskPushNotificationConfig: without(config, 'id') } };
      if ('url' in params) return without(params, 'id');
      return 'taskId' in params ? { ...params, id: params.taskId } : params;
    },
    config: config => without(config, 'id'),
  },
  'config-pages': {
    params: params => ('taskId' in params ? without(params, 'pageSize', 'pageToken') : params),
    configs: page => ({ ...page, nextPageToken: '' }),
  },
  'config-tenant': { params: params => ('taskId' in params ? without(params, 'tenant') : params) },
  'push-config': unconfigured('taskPushNotificationConfig'),
};

/** Ids by order of appearance: which artifacts are one and which are not stays. */
function renamed(artifacts: readonly Artifact[]): Artifact[] {
  const ids = [...new Set(artifacts.map(({ artifactId }) => artifactId))];
  return artifacts.map(artifact => ({ ...artifact, artifactId: String(ids.indexOf(artifact.artifactId)) }));
}

/** Core values as far as a generation can say them. */
export class Sayable {
  readonly #losses: readonly Loss[];

  constructor(cannotSay: readonly UnsupportedField[]) {
    this.#losses = (Object.keys(losses) as UnsupportedField[]).filter(name => cannotSay.includes(name)).map(name => losses[name]);
  }

  #each<N extends keyof Loss, T>(name: N, value: T): T {
    return this.#losses.reduce((made, loss) => {
      const change = loss[name] as ((value: T) => T) | undefined;
      return change === undefined ? made : change(made);
    }, value);
  }

  params<O extends Operation>(operation: O, params: OperationParams[O]): OperationParams[O] {
    const made = this.#each('params', params);
    if (!isSend(operation) || !('message' in made)) return made;
    const { message } = made;
    return { ...made, message: this.#each('sent', { ...message, parts: message.parts.map(part => this.#each('part', part)) }) };
  }

  event(event: StreamResponse): StreamResponse {
    const made = this.#each('event', event);
    if ('task' in made) return { task: this.#task(made.task) };
    if ('message' in made) return { message: this.#message(made.message) };
    if ('statusUpdate' in made)
      return { statusUpdate: this.#each('statusUpdate', { ...made.statusUpdate, status: this.#status(made.statusUpdate.status) }) };
    return {
      artifactUpdate: this.#each('artifactUpdate', { ...made.artifactUpdate, artifact: this.#artifact(made.artifactUpdate.artifact) }),
    };
  }

  result<O extends UnaryOperation>(operation: O, result: UnaryResults[O]): UnaryResults[O];
  result(operation: UnaryOperation, result: UnaryResults[UnaryOperation]): unknown {
    if (operation === 'SendMessage') {
      const answer = this.#each('answer', result as UnaryResults['SendMessage']);
      return 'task' in answer ? { task: this.#task(answer.task) } : { message: this.#message(answer.message) };
    }
    if ('tasks' in result) return { ...result, tasks: result.tasks.map(task => this.#task(task)) };
    if ('configs' in result)
      return this.#each('configs', { ...result, configs: result.configs.map(config => this.#each('config', config)) });
    if ('url' in result) return this.#each('config', result);
    return 'status' in result ? this.#task(result) : result;
  }

  #task(task: Task): Task {
    return this.#each(
      'task',
      withoutUndefined({
        ...task,
        status: this.#status(task.status),
        artifacts: task.artifacts?.map(artifact => this.#artifact(artifact)),
        history: task.history?.map(message => this.#message(message)),
      }),
    );
  }

  #message(message: Message): Message {
    return this.#each('message', { ...message, parts: message.parts.map(part => this.#each('part', part)) });
  }

  #status(status: TaskStatus): TaskStatus {
    return this.#each(
      'status',
      withoutUndefined({ ...status, message: status.message === undefined ? undefined : this.#message(status.message) }),
    );
  }

  #artifact(artifact: Artifact): Artifact {
    return this.#each('artifact', { ...artifact, parts: artifact.parts.map(part => this.#each('part', part)) });
  }
}

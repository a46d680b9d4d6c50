import type { Message } from '../../../src/protocol/message/message.ts';
import type { OperationParams, SendMessageParams, UnaryResults } from '../../../src/protocol/message/operations.ts';
import type { TaskPushNotificationConfig } from '../../../src/protocol/message/pushNotificationConfig.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Artifact, Task, TaskStatus } from '../../../src/protocol/message/task.ts';
import { TaskState } from '../../../src/protocol/message/taskState.ts';
import { withoutUndefined } from '../../../src/protocol/versions/shared/fields.ts';
import type { Random } from './random.ts';

const texts = ['', 'hi', 'grüße 🚢', '{"a":1}', 'line\nline', '\u2028', 'kind', 'TASK_STATE_WORKING', '0', 'constructor'];

/** Random values in core shape: everything that core has words for, and nothing else. */
export class CoreValues {
  readonly #random: Random;
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  #id(): string {
    return `${this.#random.pick(['t', 'index-', 'ctx ', 'ü', '{id}'])}${this.#ids++}`;
  }

  #json(depth = 0): unknown {
    const random = this.#random;
    const leaf = [null, true, false, 0, -1.5, 2 ** 53, random.pick(texts)][random.below(7)];
    if (depth > 2 || random.next() < 0.4) return leaf;
    return random.next() < 0.5 ? random.list(3, () => this.#json(depth + 1)) : this.#object(depth + 1);
  }

  #object(depth = 0): Record<string, unknown> {
    const names = ['a', 'data', 'value', 'kind', 'parts', 'toString', 'urn:x/y', 'text', 'type', 'code', 'progress'];
    return Object.fromEntries(this.#random.list(3, () => [this.#random.pick(names), this.#json(depth)]));
  }

  #part(): Part {
    const random = this.#random;
    const common = {
      mediaType: random.maybe(() => random.pick(['text/plain', 'image/png'])),
      filename: random.maybe(() => random.pick(['a.png', 'ß'])),
      metadata: random.maybe(() => this.#object()),
    };
    const content = [
      { text: random.pick(texts) },
      { raw: Buffer.from(random.pick(texts)).toString('base64') },
      { url: 'https://a/b?c' },
      { data: this.#json() },
    ];
    return withoutUndefined({ ...random.pick(content), ...common }) as Part;
  }

  message(role: Message['role'] = this.#random.pick(['ROLE_USER', 'ROLE_AGENT'])): Message {
    const random = this.#random;
    return withoutUndefined({
      messageId: this.#id(),
      role,
      parts: random.list(3, () => this.#part(), 1),
      contextId: random.maybe(() => this.#id()),
      taskId: random.maybe(() => this.#id()),
      referenceTaskIds: random.maybe(() => random.list(2, () => this.#id())),
      extensions: random.maybe(() => ['urn:x']),
      metadata: random.maybe(() => this.#object()),
    });
  }

  #status(): TaskStatus {
    const random = this.#random;
    return withoutUndefined({
      state: random.pick(TaskState.options),
      message: random.maybe(() => this.message('ROLE_AGENT')),
      timestamp: random.maybe(() => '2026-01-02T03:04:05.678Z'),
    });
  }

  #artifact(): Artifact {
    const random = this.#random;
    return withoutUndefined({
      artifactId: this.#id(),
      name: random.maybe(() => random.pick(texts)),
      description: random.maybe(() => random.pick(texts)),
      parts: random.list(3, () => this.#part()),
      metadata: random.maybe(() => this.#object()),
      extensions: random.maybe(() => ['urn:y']),
    });
  }

  task(): Task {
    const random = this.#random;
    return withoutUndefined({
      id: this.#id(),
      contextId: random.maybe(() => this.#id()),
      status: this.#status(),
      artifacts: random.maybe(() => random.list(3, () => this.#artifact())),
      history: random.maybe(() => random.list(3, () => this.message())),
      metadata: random.maybe(() => this.#object()),
    });
  }

  event(): StreamResponse {
    const random = this.#random;
    const update = { taskId: this.#id(), contextId: random.maybe(() => this.#id()), metadata: random.maybe(() => this.#object()) };
    switch (random.below(4)) {
      case 0:
        return { task: this.task() };
      case 1:
        return { message: this.message('ROLE_AGENT') };
      case 2:
        return { statusUpdate: withoutUndefined({ ...update, status: this.#status() }) };
      default:
        return {
          artifactUpdate: withoutUndefined({
            ...update,
            artifact: this.#artifact(),
            append: random.maybe(() => random.next() < 0.5),
            lastChunk: random.maybe(() => random.next() < 0.5),
          }),
        };
    }
  }

  results(): UnaryResults {
    const tasks = this.#random.list(2, () => this.task());
    return {
      SendMessage: this.#random.next() < 0.5 ? { task: this.task() } : { message: this.message('ROLE_AGENT') },
      GetTask: this.task(),
      CancelTask: this.task(),
      ListTasks: { tasks, nextPageToken: this.#random.pick(['', 'more']), pageSize: 2, totalSize: 7 },
      CreateTaskPushNotificationConfig: this.#config(this.#id()),
      GetTaskPushNotificationConfig: this.#config(this.#id()),
      ListTaskPushNotificationConfigs: {
        configs: this.#random.list(2, () => this.#config(this.#id())),
        nextPageToken: this.#random.pick(['', 'more']),
      },
      DeleteTaskPushNotificationConfig: {},
    };
  }

  #config(id: string | undefined): TaskPushNotificationConfig {
    const random = this.#random;
    return withoutUndefined({
      id,
      taskId: this.#id(),
      url: 'https://a/b?c',
      token: random.maybe(() => 'one-time'),
      authentication: random.maybe(() => withoutUndefined({ scheme: 'Bearer', credentials: random.maybe(() => 'abc') })),
    });
  }

  #send(): SendMessageParams {
    const random = this.#random;
    return withoutUndefined({
      tenant: random.maybe(() => 'acme'),
      message: this.message('ROLE_USER'),
      configuration: random.maybe(() =>
        withoutUndefined({
          acceptedOutputModes: random.maybe(() => ['text/plain']),
          historyLength: random.maybe(() => random.below(3)),
          returnImmediately: random.maybe(() => random.next() < 0.5),
          taskPushNotificationConfig: random.maybe(() => {
            const { taskId: _, ...config } = this.#config(random.maybe(() => this.#id()));
            return config;
          }),
        }),
      ),
      metadata: random.maybe(() => this.#object()),
    });
  }

  params(): OperationParams {
    const random = this.#random;
    const tenant = random.maybe(() => 'acme');
    return {
      SendMessage: this.#send(),
      SendStreamingMessage: this.#send(),
      GetTask: withoutUndefined({ tenant, id: this.#id(), historyLength: random.maybe(() => random.below(5)) }),
      CancelTask: withoutUndefined({ tenant, id: this.#id(), metadata: random.maybe(() => this.#object()) }),
      SubscribeToTask: withoutUndefined({ tenant, id: this.#id() }),
      ListTasks: withoutUndefined({
        tenant,
        contextId: random.maybe(() => this.#id()),
        status: random.maybe(() => random.pick(TaskState.options)),
        pageSize: random.maybe(() => 5),
        pageToken: random.maybe(() => 'p'),
        historyLength: random.maybe(() => 0),
        statusTimestampAfter: random.maybe(() => '2026-01-02T03:04:05Z'),
        includeArtifacts: random.maybe(() => true),
      }),
      CreateTaskPushNotificationConfig: withoutUndefined({ tenant, ...this.#config(random.maybe(() => this.#id())) }),
      GetTaskPushNotificationConfig: withoutUndefined({ tenant, taskId: this.#id(), id: this.#id() }),
      ListTaskPushNotificationConfigs: withoutUndefined({
        tenant,
        taskId: this.#id(),
        pageSize: random.maybe(() => 5),
        pageToken: random.maybe(() => 'p'),
      }),
      DeleteTaskPushNotificationConfig: withoutUndefined({ tenant, taskId: this.#id(), id: this.#id() }),
    };
  }
}

import { randomUUID } from 'node:crypto';
import type { OperationParams, UnaryResults } from '../protocol/message/operations.ts';
import type { PushNotificationConfig, TaskPushNotificationConfig } from '../protocol/message/pushNotificationConfig.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Task } from '../protocol/message/task.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { request, type ClientRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** Most configurations of one task. */
const maxConfigs = 20;
/** Longest configuration as JSON, in UTF-16 code units. */
const maxLength = 16_384;
/** Webhooks of a scripted agent are on this machine only. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Where a task server notifies of its tasks, and what it sends there (A2A 1.0 §3.1.7 to §3.1.10, §4.3.3). */
export class Notifications {
  readonly #version: Version;
  readonly #configs = new Map<string, readonly TaskPushNotificationConfig[]>();
  /** The last notification of each task: they are sent one after another. */
  readonly #last = new Map<string, Promise<void>>();
  #stopped = new AbortController();

  constructor(version: Version) {
    this.#version = version;
  }

  /** Gives up what is not delivered yet. */
  stop(): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
  }

  /** The stored configuration; a sentence where it cannot be one. */
  create(
    taskId: string,
    { url, token, authentication, id = this.#version.clientAssignsIds ? undefined : randomUUID() }: PushNotificationConfig,
  ): TaskPushNotificationConfig | string {
    if (!URL.canParse(url)) return 'url is not an address';
    const { protocol, hostname } = new URL(url);
    if (!/^https?:$/.test(protocol) || !loopback.test(hostname)) return 'This agent notifies this machine alone';
    const config: TaskPushNotificationConfig = {
      ...(id !== undefined && { id }),
      taskId,
      url,
      ...(token !== undefined && { token }),
      ...(authentication !== undefined && { authentication }),
    };
    if (JSON.stringify(config).length > maxLength) return `A configuration has at most ${maxLength} characters`;
    const others = (this.#configs.get(taskId) ?? []).filter(other => other.id !== id);
    if (others.length >= maxConfigs) return `A task has at most ${maxConfigs} configurations`;
    this.#configs.set(taskId, [...others, config]);
    return config;
  }

  /** The configuration with this id, or the only one in versions in which a task has one. */
  get({ taskId, id }: OperationParams['GetTaskPushNotificationConfig']): TaskPushNotificationConfig | undefined {
    const configs = this.#configs.get(taskId) ?? [];
    return this.#version.clientAssignsIds ? configs[0] : configs.find(config => config.id === id);
  }

  list(taskId: string): UnaryResults['ListTaskPushNotificationConfigs'] {
    return { configs: this.#configs.get(taskId) ?? [], nextPageToken: '' };
  }

  delete({ taskId, id }: OperationParams['DeleteTaskPushNotificationConfig']): void {
    this.#configs.set(
      taskId,
      (this.#configs.get(taskId) ?? []).filter(config => config.id !== id),
    );
  }

  forget(taskId: string): void {
    this.#configs.delete(taskId);
  }

  /**
   * Notifies of an event of a task: of the event in 1.0, of the task before, as the SDKs do.
   * @param task as it is after the event
   */
  notify(taskId: string, event: StreamResponse, task: () => Task): void {
    const configs = this.#configs.get(taskId) ?? [];
    if (configs.length === 0) return;
    const isEvent = this.#version.header !== undefined;
    const body = JSON.stringify(isEvent ? this.#version.writeStreamResponse(event) : this.#version.writeResult('GetTask', task()));
    const { signal } = this.#stopped;
    const all = configs.map(({ url, token, authentication }): Notification => {
      const credentials = authentication && [authentication.scheme, authentication.credentials].filter(Boolean).join(' ');
      return {
        url,
        body,
        headers: {
          'content-type': isEvent ? 'application/a2a+json' : 'application/json',
          ...(token !== undefined && { 'x-a2a-notification-token': token }),
          ...(credentials !== undefined && { authorization: credentials }),
        },
      };
    });
    const sent = (this.#last.get(taskId) ?? Promise.resolve()).then(async () => {
      await Promise.all(all.map(each => deliver(each, signal)));
    });
    this.#last.set(taskId, sent);
    void sent.finally(() => {
      if (this.#last.get(taskId) === sent) this.#last.delete(taskId);
    });
  }
}

/** One notification, to one webhook. */
interface Notification {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Longest wait for an answer, in milliseconds (A2A 1.0 §4.3.3). */
const timeoutMs = 10_000;
/** Pauses before each further attempt, in milliseconds (A2A 1.0 §13.2). */
const pauses = [250, 1_000, 4_000];

/** Sends a notification, and again after a pause without a response or after a failure. Redirects are not followed. Never rejects. */
async function deliver(notification: Notification, signal: AbortSignal): Promise<void> {
  for (const pause of [...pauses, undefined]) {
    const status = await post(notification, signal);
    if ((status !== undefined && status < 500 && status !== 429) || pause === undefined || signal.aborted) return;
    try {
      await sleep(pause, undefined, { signal });
    } catch {
      // The server stops.
      return;
    }
  }
}

/** The status of the answer; undefined where none came. */
function post({ url, headers, body }: Notification, signal: AbortSignal): Promise<number | undefined> {
  return new Promise(resolve => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      timeout: timeoutMs,
      agent: false,
    };
    let sent: ClientRequest;
    try {
      sent = send(url, options);
    } catch {
      // A token or scheme of the client's that no header can hold.
      return resolve(undefined);
    }
    sent.once('response', response => {
      response.once('error', () => resolve(undefined)).resume();
      response.once('end', () => resolve(response.statusCode));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.once('error', () => resolve(undefined));
    sent.once('close', () => resolve(undefined));
    sent.end(body);
  });
}

import { answering, asking, knows, otherwise, retelling, type ProbeDecoy } from '../probeDecoy.ts';
import type { PushNotificationConfig } from '../../../../src/protocol/message/pushNotificationConfig.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';

/** Tells a webhook in another way than the agent that keeps the rules. */
const notifying =
  (
    body: (task: object, version: string) => unknown,
    headers: (config: PushNotificationConfig) => Record<string, string>,
  ): ProbeDecoy['script'] =>
  (right, { version }) =>
    otherwise('SendMessage', async function* (request, does) {
      const { configuration, ...params } = request.params;
      const config = configuration?.taskPushNotificationConfig;
      if (config === undefined) return yield* does(request);
      const { taskPushNotificationConfig: _left, ...rest } = configuration ?? {};
      for await (const step of does({ ...request, params: { ...params, configuration: rest } })) {
        if ('answer' in step && 'task' in (step.answer as object))
          await fetch(config.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers(config) },
            body: JSON.stringify(body((step.answer as { readonly task: object }).task, version)),
          });
        yield step;
      }
    })(right);
const bearer = ({ authentication }: PushNotificationConfig): Record<string, string> => ({
  authorization: `Bearer ${authentication?.credentials ?? ''}`,
});
const plain = (task: object, version: string): unknown => {
  const form = versionOf(version)!;
  const written = form.writeResult('GetTask', task as never);
  return version === '1.0' ? { task: written } : written;
};

/** Agents that break one rule of push notifications. */
export const pushProbeDecoys: readonly ProbeDecoy[] = [
  {
    rule: 'PUSH-01',
    breaks: 'deletes configurations although it has none',
    kind: 'bare',
    script: otherwise('DeleteTaskPushNotificationConfig', () => [{ answer: {} }]),
  },
  {
    rule: 'PUSH-02',
    breaks: 'forgets configurations',
    script: otherwise('GetTaskPushNotificationConfig', () => [{ error: { code: -32001, message: 'Not found' } }]),
  },
  {
    rule: 'PUSH-02',
    breaks: 'writes configurations as 0.3 has them',
    versions: ['1.0'],
    bindings: ['JSONRPC', 'HTTP+JSON'],
    before: retelling(
      ({ method, url, body }) =>
        body.includes('"CreateTaskPushNotificationConfig"') || (method === 'POST' && url.endsWith('/pushNotificationConfigs')),
      json => {
        const nested = ({ taskId, ...pushNotificationConfig }: { taskId: string }) => ({ taskId, pushNotificationConfig });
        if (json.error !== undefined) return json;
        return json.result === undefined ? nested(json) : { ...json, result: nested(json.result) };
      },
    ),
  },
  {
    rule: 'PUSH-02',
    breaks: 'lists configurations without their page',
    versions: ['1.0'],
    bindings: ['JSONRPC', 'HTTP+JSON'],
    before: retelling(
      ({ method, url, body }) =>
        body.includes('"ListTaskPushNotificationConfigs"') || (method === 'GET' && url.endsWith('/pushNotificationConfigs')),
      json => (json.result === undefined ? json.configs : { ...json, result: json.result.configs }),
    ),
  },
  {
    rule: 'PUSH-03',
    breaks: 'makes up configurations',
    script: right =>
      otherwise('GetTaskPushNotificationConfig', async function* (request, does) {
        const { taskId, id } = request.params;
        if (await knows(right, request, taskId)) yield* does(request);
        else yield { answer: { taskId, id, url: 'https://webhook.example/' } };
      })(right),
  },
  {
    rule: 'PUSH-04',
    breaks: 'does not delete',
    script: otherwise('DeleteTaskPushNotificationConfig', () => [{ answer: {} }]),
  },
  {
    rule: 'PUSH-08',
    breaks: 'tells credentials again',
    script: answering('GetTaskPushNotificationConfig', config => ({
      ...config,
      authentication: { scheme: 'Bearer', credentials: 'not-so-secret-any-more' },
    })),
  },
  {
    rule: 'PUSH-09',
    breaks: 'takes private addresses',
    script: otherwise('CreateTaskPushNotificationConfig', (request, right) =>
      request.params.url.includes('169.254') ? [{ answer: request.params }] : right(request),
    ),
  },
  { rule: 'PUSH-05', breaks: 'notifies of two things at once', script: notifying(task => ({ task, message: {} }), bearer) },
  {
    rule: 'PUSH-05',
    breaks: 'notifies in envelopes',
    script: notifying((task, version) => ({ jsonrpc: '2.0', result: plain(task, version) }), bearer),
  },
  { rule: 'PUSH-06', breaks: 'notifies without credentials', script: notifying(plain, () => ({})) },
  {
    rule: 'PUSH-07',
    breaks: 'notifies of another task',
    script: notifying((task, version) => plain({ ...task, id: 'another-task' }, version), bearer),
  },
  {
    rule: 'PUSH-07',
    breaks: 'does not notify',
    script: asking('SendMessage', ({ configuration, ...params }) => ({
      ...params,
      ...(configuration !== undefined && { configuration: { ...configuration, taskPushNotificationConfig: undefined } }),
    })),
  },
];

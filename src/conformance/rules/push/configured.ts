import { isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { isLoopback } from '../../../protocol/card/agentOrigin.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { openedEvent } from '../rule/answerView.ts';
import { unknownPrompt, withTask } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { inconclusive, isAside, isRefused, nothing, notApplicable, notTestable, said } from '../rule/outcome.ts';
import type { MadeTask, ProbeAnswer, ProbePort, ProbeReceiver, ProbeResult } from '../rule/probe.ts';
import { reportedId, reportedState } from '../rule/reportedState.ts';

/** The webhook for checks without a receiver: a name that never resolves (RFC 6761 §6.4), so that nothing is sent anywhere. */
export const nowhere = 'https://webhook.invalid/';

/** Runs a check on a configuration that is created for it, for a task that the agent has begun. */
export const withConfiguration = (
  port: ProbePort,
  check: (config: Pick<MadeTask, 'taskId' | 'state'> & { readonly id: string }, answer: ProbeAnswer) => Promise<ProbeResult>,
): Promise<ProbeResult> =>
  withTask(port, 'task', async ({ taskId, state }) => {
    const receiver = webhookOf(await port.receiver());
    try {
      const credentials = crypto.randomUUID();
      const answer = await port.call('CreateTaskPushNotificationConfig', {
        taskId,
        id: crypto.randomUUID(),
        url: receiver?.url ?? nowhere,
        authentication: { scheme: 'Bearer', credentials },
      });
      if (isRefused(answer)) return refusedWebhook(answer, receiver?.url);
      return await check({ taskId, state, id: idOf(answer.result) }, answer);
    } finally {
      await receiver?.close();
    }
  });

const webhookOf = (given: Awaited<ReturnType<ProbePort['receiver']>>): ProbeReceiver | undefined =>
  given !== undefined && 'url' in given ? given : undefined;

/** An agent that takes no address inside of its network does well (A2A 1.0 §13.2); of other rules nothing can be said then. */
const refusedWebhook = (answer: ProbeAnswer, url: string | undefined): ProbeResult =>
  url !== undefined && isLoopback(new URL(url).hostname) && !isAside(answer)
    ? inconclusive(
        answer,
        sentence(
          'It did not accept a webhook on this machine, {0}, and answered {1}. Agents may refuse such addresses: allow it for the check.',
          new URL(url).host,
          said(answer),
        ),
      )
    : isAside(answer)
      ? nothing(answer)
      : inconclusive(answer, sentence('It answered {0} when it should keep a configuration.', said(answer)));

/**
 * The id of a configuration; empty if there is none. 0.3 has it in a member, and over HTTP+JSON and gRPC a resource name that ends with the
 * id.
 */
export function idOf(result: unknown): string {
  if (!isObject(result)) return '';
  const inner = isObject(result['pushNotificationConfig']) ? result['pushNotificationConfig'] : result;
  if (typeof inner['id'] === 'string' && inner['id'] !== '') return inner['id'];
  return typeof result['name'] === 'string' ? (result['name'].split('/').at(-1) ?? '') : '';
}

type Delivery = (ProbeReceiver['deliveries'] extends AsyncIterable<infer D> ? D : never) & {
  /** The event, also where it came inside of an envelope. */
  readonly event: unknown;
};

interface Delivered {
  readonly deliveries: readonly Delivery[];
  /** Credentials of the configuration. */
  readonly credentials: string;
  /** The task that was answered, and the state in which it was. */
  readonly taskId: string | undefined;
  readonly state: TaskState | undefined;
}

/** How long notifications are waited for after the answer, in milliseconds. */
export const deliveryMs = 5_000;
const maxDeliveries = 2_000;

const delivered = new WeakMap<ProbePort, Promise<readonly [Delivered, ProbeAnswer] | ProbeResult>>();

/** Runs a check on the notifications of one task, which is begun once for all such checks. */
export async function withDeliveries(
  port: ProbePort,
  check: (delivered: Delivered, answer: ProbeAnswer) => ProbeResult,
): Promise<ProbeResult> {
  const now = delivered.get(port) ?? deliver(port);
  delivered.set(port, now);
  const got = await now;
  return 'verdict' in got ? got : check(...got);
}

async function deliver(port: ProbePort): Promise<readonly [Delivered, ProbeAnswer] | ProbeResult> {
  const parts = port.prompt('task');
  if (parts === undefined) return notTestable(unknownPrompt('task'));
  const given = await port.receiver();
  const receiver = webhookOf(given);
  if (receiver === undefined)
    return notTestable(
      given !== undefined && 'unreachable' in given ? given.unreachable : sentence('The check needs a webhook that the agent can reach.'),
    );
  const credentials = crypto.randomUUID();
  const deliveries: Delivery[] = [];
  const ended = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const delivery of receiver.deliveries) {
      const event = openedEvent(delivery.json, 'HTTP+JSON').result;
      if (deliveries.push({ ...delivery, event }) >= maxDeliveries) return ended.resolve();
      const state = readTaskState(reportedState(event));
      if (state !== undefined && isTerminal(state)) ended.resolve();
    }
  })();
  // Of a receiver that was stopped meanwhile nothing can be said: what it rejects with is the reason.
  listening.catch(() => ended.resolve());
  try {
    const answer = await port.call('SendMessage', {
      message: fromUser({ parts: [...parts] }),
      configuration: { taskPushNotificationConfig: { url: receiver.url, authentication: { scheme: 'Bearer', credentials } } },
    });
    if (isRefused(answer)) return refusedWebhook(answer, receiver.url);
    if (reportedState(answer.result) === undefined)
      return notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
    const timer = setTimeout(() => ended.resolve(), deliveryMs);
    await ended.promise;
    clearTimeout(timer);
    const { result } = answer;
    return [
      { deliveries: [...deliveries], credentials, taskId: reportedId(result, 'taskId'), state: readTaskState(reportedState(result)) },
      answer,
    ];
  } finally {
    await receiver.close();
    await listening;
  }
}

import { randomUUID } from 'node:crypto';
import type { Exchange, ReceivedOutcome } from '../../protocol/exchange.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { Problem } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Delivery } from '../../receiver/delivery.ts';
import type { AgentContext } from '../contexts/agentContext.ts';
import { isOlder } from '../contexts/remoteTasks.ts';

/** Most tasks whose artifacts are remembered; the oldest are forgotten first, which costs a request to the agent. */
const maxTasks = 200;
/** How much of a webhook's path is shown. */
const shownPath = 9;

/** The result for one delivery. */
interface Taken {
  readonly outcome: ReceivedOutcome;
  /** Events to apply. */
  readonly events: readonly StreamResponse[];
}

/**
 * Applies push notifications to tasks whose stream is not open, and keeps each in the history of its context.
 *
 * Notifications have no ids and may come late, twice or in another order (A2A 1.0 §4.3.3), and they tell the same events as streams do. A
 * status counts unless a newer one is known. A piece of an artifact is put together here only if every piece before it came by notification
 * and none was lost; otherwise the agent is asked for the whole task.
 */
export class DeliveryIntake {
  readonly #onError: (error: unknown) => void;
  /** By context and task: ids of artifacts whose every piece came by notification. */
  readonly #whole = new Map<string, Set<string>>();
  /** Tasks that the agent is being asked for; true: it has to be asked once more. */
  readonly #asking = new Map<string, boolean>();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** @param protocolVersion in use with the agent */
  take(
    context: AgentContext,
    delivery: Delivery,
    protocolVersion: string,
  ): { readonly outcome: ReceivedOutcome; readonly exchangeId: string } {
    const { outcome, events } = this.#judge(context, delivery);
    const exchange = exchangeOf(delivery, outcome, protocolVersion);
    context.receive(exchange, delivery.isAccepted ? delivery.taskId : undefined, events);
    if (outcome === 'asked' && delivery.taskId !== undefined) this.#ask(context, delivery.taskId);
    return { outcome, exchangeId: exchange.id };
  }

  #judge(context: AgentContext, { content, taskId, ...delivery }: Delivery): Taken {
    const none = (outcome: ReceivedOutcome): Taken => ({ outcome, events: [] });
    if (!delivery.isAccepted) return none('refused');
    if (content === undefined || taskId === undefined) return none('unreadable');
    const key = keyOf(context, taskId);
    // The agent may send it again after what comes next.
    if (delivery.status !== 200) this.#whole.delete(key);
    if (delivery.isRepeated) return none('repeated');
    if (!delivery.isApplied) return none('rehearsed');
    if (context.connectionOf(taskId)?.kind === 'elsewhere') return none('elsewhere');
    if (context.isListeningTo(taskId)) {
      this.#whole.delete(key);
      return none('stream');
    }
    const followed = context.isActiveFor({ taskId });
    const known = context.task(taskId);
    if ('artifactUpdate' in content) {
      const { artifact, append = false } = content.artifactUpdate;
      const isKnown = known?.artifacts?.some(({ artifactId }) => artifactId === artifact.artifactId) === true;
      const isWhole = isKnown ? this.#wholeOf(key).has(artifact.artifactId) : !append;
      if (followed || !isWhole) return none('asked');
      this.#wholeOf(key).add(artifact.artifactId);
      return { outcome: 'applied', events: [content] };
    }
    if ('message' in content) return followed ? none('asked') : { outcome: 'applied', events: [content] };
    const { status, contextId } = 'task' in content ? content.task : content.statusUpdate;
    if (known !== undefined && ((isTerminal(known.status.state) && !isTerminal(status.state)) || isOlder({ status }, known, 0, 0)))
      return none('older');
    if ('task' in content) this.#whole.delete(key);
    // A run takes in whole tasks alone; without artifacts a task says nothing about them.
    const told = followed && 'statusUpdate' in content ? { task: withoutUndefined({ id: taskId, contextId, status }) } : content;
    return { outcome: 'applied', events: [told] };
  }

  /** Reads the whole task from the agent, once at a time. */
  #ask(context: AgentContext, taskId: string): void {
    const key = keyOf(context, taskId);
    if (this.#asking.has(key)) {
      this.#asking.set(key, true);
      return;
    }
    this.#asking.set(key, false);
    context
      .refreshTask(taskId)
      // The exchange says why; the next delivery asks again.
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) this.#onError(error);
      })
      .finally(() => {
        const again = this.#asking.get(key) === true;
        this.#asking.delete(key);
        if (again) this.#ask(context, taskId);
      });
  }

  #wholeOf(key: string): Set<string> {
    const known = this.#whole.get(key);
    if (known !== undefined) return known;
    for (const oldest of this.#whole.keys()) {
      if (this.#whole.size < maxTasks) break;
      this.#whole.delete(oldest);
    }
    const whole = new Set<string>();
    this.#whole.set(key, whole);
    return whole;
  }
}

const keyOf = ({ key }: AgentContext, taskId: string): string => JSON.stringify([key, taskId]);

/** The exchange in which the agent was the client. The webhook's path is secret, so only its beginning is kept. */
function exchangeOf(delivery: Delivery, outcome: ReceivedOutcome, spoken: string): Exchange {
  const { webhook, at, headers, body, status, verdicts, findings, problem, rehearsed } = delivery;
  const { origin } = new URL(webhook.url);
  return {
    id: randomUUID(),
    operation: 'PushNotification',
    protocolBinding: 'HTTP+JSON',
    protocolVersion: delivery.protocolVersion ?? spoken,
    request: { method: 'POST', url: `${origin}${webhook.path.slice(0, shownPath)}…`, headers, body: Buffer.from(body).toString('utf8') },
    startedAt: at,
    ...(status !== 0 && { headersAt: at, response: { status, headers: [], body: '' } }),
    endedAt: at,
    ...(problem !== undefined && { failure: problem.message }),
    findings,
    received: {
      outcome,
      verdicts: verdicts.map(verdict => ({ outcome: verdict.outcome, sentence: verdict.sentence })),
      ...(rehearsed !== undefined && {
        rehearsed: rehearsed.kind === 'slow' ? { kind: rehearsed.kind, ms: rehearsed.ms } : { kind: rehearsed.kind },
      }),
    },
  };
}

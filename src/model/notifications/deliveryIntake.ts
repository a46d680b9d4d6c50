import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Exchange, ReceivedOutcome } from '../../protocol/exchange.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Task } from '../../protocol/message/task.ts';
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
  /** To be applied if the task's open stream brings nothing. */
  readonly held?: Task;
}

/**
 * Applies push notifications to tasks, and keeps each in the history of its context. While a task's stream is open they count only if it stays
 * silent.
 *
 * Notifications have no ids and may come late, twice or in another order (A2A 1.0 §4.3.3), and they tell the same events as streams do. A
 * status counts unless a newer one is known. A piece of an artifact is put together here only if every piece before it came by notification
 * and none was lost; otherwise the agent is asked for the whole task.
 */
export class DeliveryIntake {
  readonly #onError: (error: unknown) => void;
  readonly #grace: number;
  /** By context and task: ids of artifacts whose every piece came by notification. */
  readonly #whole = new Map<string, Set<string>>();
  /** Tasks that the agent is being asked for; true: it has to be asked once more. */
  readonly #asking = new Map<string, boolean>();
  /** Running while the open stream of a task may still bring its delivered status. */
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `grace`: how long the open stream of a task may take to bring a status that was delivered, in milliseconds. */
  constructor(onError: (error: unknown) => void, grace = 2000) {
    this.#onError = onError;
    this.#grace = grace;
  }

  /** @param protocolVersion in use with the agent */
  take(
    context: AgentContext,
    delivery: Delivery,
    protocolVersion: string,
  ): { readonly outcome: ReceivedOutcome; readonly exchangeId: string } {
    const { outcome, events, held } = this.#judge(context, delivery);
    const exchange = exchangeOf(delivery, outcome, protocolVersion);
    context.receive(exchange, delivery.isAccepted ? delivery.taskId : undefined, events);
    if (held !== undefined) this.#hold(context, held, exchangeOf(delivery, 'applied', protocolVersion, exchange.id));
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
      const held = 'task' in content ? content.task : 'statusUpdate' in content ? content.statusUpdate : undefined;
      const isNews = held !== undefined && held.status.state !== context.taskState(taskId) && !isKnownSince(context, taskId, held);
      return { ...none('stream'), ...(isNews && { held: statusOf(taskId, held) }) };
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
    const told = 'task' in content ? content.task : content.statusUpdate;
    if (isKnownSince(context, taskId, told)) return none('older');
    if ('task' in content) this.#whole.delete(key);
    // A run takes in whole tasks alone; without artifacts a task says nothing about them.
    return { outcome: 'applied', events: [followed && 'statusUpdate' in content ? { task: statusOf(taskId, told) } : content] };
  }

  /** Applies a status unless the task's stream brings anything meanwhile: an open stream may be dead, or its agent may have left it. */
  #hold(context: AgentContext, task: Task, exchange: Exchange): void {
    const before = context.task(task.id)?.status;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (isDeepStrictEqual(context.task(task.id)?.status, before)) context.receive(exchange, task.id, [{ task }]);
    }, this.#grace).unref();
    this.#timers.add(timer);
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
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

/** A whole task without artifacts says nothing about them. */
const statusOf = (id: string, { contextId, status }: Pick<Task, 'contextId' | 'status'>): Task =>
  withoutUndefined({ id, contextId, status });

/** A newer status is known, or the end. */
function isKnownSince(context: AgentContext, taskId: string, told: Pick<Task, 'status'>): boolean {
  const known = context.task(taskId);
  if (known === undefined) return false;
  return (isTerminal(known.status.state) && !isTerminal(told.status.state)) || isOlder(told, known, 0, 0);
}

const keyOf = ({ key }: AgentContext, taskId: string): string => JSON.stringify([key, taskId]);

/** The exchange in which the agent was the client. The webhook's path is secret, so only its beginning is kept. */
function exchangeOf(delivery: Delivery, outcome: ReceivedOutcome, spoken: string, id: string = randomUUID()): Exchange {
  const { webhook, at, headers, body, status, verdicts, findings, problem, rehearsed } = delivery;
  const { origin } = new URL(webhook.url);
  return {
    id,
    operation: 'PushNotification',
    protocolBinding: 'HTTP+JSON',
    protocolVersion: delivery.protocolVersion ?? spoken,
    request: { method: 'POST', url: `${origin}${webhook.path.slice(0, shownPath)}…`, headers, body: Buffer.from(body).toString('utf8') },
    startedAt: at,
    ...(status !== 0 && { headersAt: at, response: { status, headers: [], body: '' } }),
    endedAt: at,
    ...(problem !== undefined && { failure: problem.message, failureSentence: problem.sentence }),
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

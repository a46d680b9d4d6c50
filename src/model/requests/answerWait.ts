import { isObject } from '../../protocol/json.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import { checkExpectations } from '../../request/expect/expectations.ts';
import { mayBeRefused } from '../../request/expect/http.ts';
import { needsEnd } from '../../request/expect/untilEnd.ts';
import { resolveTimeout } from '../../request/resolve/resolve.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { Awaited } from './judgedOutcome.ts';
import { withKeptAnswer } from './requestAnswer.ts';
import { followRun, stateNameIn, withinMs } from './requestFollowing.ts';
import { RequestLimit, noSignsOfLife } from './requestLimit.ts';
import type { RequestOutcome } from './requestOutcome.ts';
import type { FollowedRun, RequestContext } from './requestPorts.ts';
import type { SendContext } from './sendContext.ts';
import { hasReached, lateIn, withRefusal } from './unmetWaits.ts';

/** Longest wait for a late task's state, and then for its cancellation, in milliseconds each. */
const lateMs = 1_000;

/** Waits for the answer to one sending of a request, as long as something is expected of it and the time is not up. */
export class AnswerWait {
  readonly limit: RequestLimit;
  readonly #sending: SendContext;
  readonly #awaited: Awaited;
  #run: FollowedRun | undefined;
  #left = false;

  /** @param isHeld see `RequestLimit` */
  constructor(sending: SendContext, awaited: Awaited, isHeld: () => boolean) {
    this.#sending = sending;
    this.#awaited = awaited;
    this.limit = new RequestLimit(resolveTimeout(awaited.entry) ?? sending.timeoutMs, isHeld);
  }

  /** Aborted when the request is stopped, and when its time is up. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#sending.signal, this.limit.signal]);
  }

  /** The run followed last. */
  get run(): FollowedRun | undefined {
    return this.#run;
  }

  /** The agent still works on the task, which is not followed. */
  get left(): boolean {
    return this.#left;
  }

  /** The answer to a message; of one that returns at once, no more than is expected of it. */
  async forMessage(
    run: FollowedRun,
    context: RequestContext,
    { leaves, streaming, wanted }: { readonly leaves: boolean; readonly streaming: boolean; readonly wanted: WantedConnection | undefined },
  ): Promise<RequestOutcome> {
    const partly = leaves || (this.#awaited.waitFor ?? []).length > 0;
    const told = await this.follow(run, context, partly ? one => this.#isEnough(one) : undefined);
    const outcome = this.#wantsText() && streaming ? await withKeptAnswer(told, context, { signal: this.signal, wanted }) : told;
    return partly ? this.untilEnough(outcome, context, wanted) : outcome;
  }

  /** Follows a task that is left at work as far as something is expected of it. */
  async untilEnough(outcome: RequestOutcome, context: RequestContext, wanted: WantedConnection | undefined): Promise<RequestOutcome> {
    const { task, value } = outcome;
    if (outcome.problem !== undefined || task === undefined || !isActive(task.status.state)) return outcome;
    if (this.#isEnough(outcome)) {
      this.#left = true;
      return { ...outcome, left: true };
    }
    const { startedAt, firstEventAt, exchangeIds } = outcome;
    const later = await this.follow(context.subscribeTask(task.id, wanted), context, one => this.#isEnough(one));
    this.#left = later.problem === undefined && later.task !== undefined && isActive(later.task.status.state);
    return {
      ...later,
      startedAt,
      firstEventAt,
      ...(value !== undefined && { value }),
      ...(this.#left && { left: true }),
      states: [...(outcome.states ?? []), ...(later.states ?? []).slice(later.states?.[0] === outcome.states?.at(-1) ? 1 : 0)],
      findings: [...(outcome.findings ?? []), ...(later.findings ?? [])],
      events: [...(outcome.events ?? []), ...(later.events ?? [])],
      exchangeIds: [...new Set([...exchangeIds, ...later.exchangeIds])],
    };
  }

  /** An expected refusal is the response to SubscribeToTask, not to GetTask, which begins a subscription otherwise. */
  async forSubscription(id: string, context: RequestContext, wanted: WantedConnection | undefined): Promise<RequestOutcome> {
    const { expect } = this.#awaited;
    const expected = isObject(expect) ? expect : {};
    if (expected['error'] !== undefined || mayBeRefused(expected['status']))
      await this.limit.within(context.trySubscription(id, this.signal, wanted), noSignsOfLife);
    return this.#followSubscribed(context.subscribeTask(id, wanted), context);
  }

  /** A subscription that waits for a state ends with it; the task is left at work. */
  async #followSubscribed(run: FollowedRun, context: RequestContext): Promise<RequestOutcome> {
    if (this.#awaited.waitFor === undefined) return this.follow(run, context);
    const outcome = await this.follow(run, context, one => this.#isEnough(one));
    this.#left = outcome.problem === undefined && outcome.task !== undefined && isActive(outcome.task.status.state);
    return this.#left ? { ...outcome, left: true } : outcome;
  }

  /** True if the request has an expectation about text. */
  #wantsText(): boolean {
    return isObject(this.#awaited.expect) && 'text' in this.#awaited.expect;
  }

  /** True once the outcome meets all expectations. */
  #isEnough(outcome: RequestOutcome): boolean {
    const { task } = outcome;
    if (this.#awaited.waitFor !== undefined) return task !== undefined && hasReached(this.#awaited.waitFor, outcome);
    if (task === undefined || (isActive(task.status.state) && needsEnd(this.#awaited.expect))) return false;
    return checkExpectations(this.#awaited.entry, this.#awaited.expect ?? {}, outcome).every(({ ok }) => ok);
  }

  /** Until it is the client's turn, or until it `isEnough`. */
  async follow(run: FollowedRun, context: RequestContext, isEnough?: (outcome: RequestOutcome) => boolean): Promise<RequestOutcome> {
    this.#run = run;
    const outcome = await followRun(run, { context, limit: this.limit, onDidChange: this.#sending.onDidChange }, isEnough);
    const isLate = outcome.problem !== undefined && outcome.problem === this.limit.problem;
    if (!isLate && outcome.problem?.code !== 'unknown-state') return outcome;
    // A stream can be silent although its task is over.
    await run.ask(lateMs);
    const asked = run.result;
    if (asked.task !== undefined && !isActive(asked.task.status.state)) return asked;
    const late = { ...asked, endedAt: outcome.endedAt };
    const problem = isLate ? lateIn(outcome.problem, stateNameIn(asked)) : outcome.problem;
    // The task that was begun here is canceled. A subscription has begun none.
    if (this.#awaited.entry.operation === 'SubscribeToTask') return { ...late, problem };
    await this.#cancelLate(run);
    return { ...late, problem: run.refusal === undefined ? problem : withRefusal(problem, run.refusal) };
  }

  /** The rest of the file does not wait long for it. */
  async #cancelLate(run: FollowedRun): Promise<void> {
    const stopped = run.stop().catch(this.#sending.onError);
    if (run.result.task === undefined) return;
    await withinMs(stopped, lateMs);
  }
}

import { Problem } from '../../protocol/problem.ts';
import { cancelTask, unnamed, type StopOutcome } from './cancellation.ts';
import type { RunCore } from './runCore.ts';
import type { TaskSubscription } from './taskSubscription.ts';

/** Cancels what a run has begun, and then closes it. */
export class RunStop {
  readonly #core: RunCore;
  readonly #following: TaskSubscription;
  #outcome: Promise<StopOutcome> | undefined;
  #stopping = false;
  #refusal: Problem | undefined;
  #result: Promise<void> | undefined;

  constructor(core: RunCore, following: TaskSubscription) {
    this.#core = core;
    this.#following = following;
  }

  /** Stop was asked and has no result yet. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Why the task goes on although Stop was asked, while it does. */
  get refusal(): Problem | undefined {
    return this.#core.running ? this.#refusal : undefined;
  }

  /** Resolves when a stop has its result: until then the agent's answers to it are taken in. Undefined if nobody asked for one. */
  get result(): Promise<void> | undefined {
    return this.#result;
  }

  /** `ended`: when nothing is listened to any more and everything is written. */
  stop(ended: Promise<void>): Promise<StopOutcome> {
    this.#outcome ??= this.#stop(ended).finally(() => {
      this.#stopping = false;
      if (this.#core.life.cut === undefined) this.#outcome = undefined;
      this.#core.advance();
    });
    return this.#outcome;
  }

  async #stop(ended: Promise<void>): Promise<StopOutcome> {
    const core = this.#core;
    if (!core.running) {
      // There is nothing to cancel, and nobody listens any more to what the agent may still say.
      if (!core.asks) core.close('stopped');
      return 'over';
    }
    this.#stopping = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#result = promise;
    core.advance();
    const watching = this.#whenSilent();
    let outcome: StopOutcome = 'over';
    try {
      outcome = await this.#cancel();
      return outcome;
    } finally {
      watching.abort();
      resolve();
      const { taskId } = core;
      const goesOn = taskId !== undefined && core.running && (outcome === 'not-cancelable' || outcome === 'unknown');
      if (!goesOn) core.close('stopped');
      if (core.life.cut !== undefined) await ended;
      // The agent was silent for too long and then refused.
      if (goesOn && core.life.cut === 'stopped' && outcome === 'not-cancelable') core.scope.follow(taskId);
    }
  }

  /**
   * If the agent does not name its task soon, the connection is closed and the task is looked for in the agent's list: without an id there is
   * nothing to cancel.
   */
  async #cancel(): Promise<StopOutcome> {
    const core = this.#core;
    const { stop, naming, cancelAnswer, askAnswer } = core.scope.timing;
    if (!core.isTold && core.listening.exchangeIds.length === 0) return 'over';
    await core.until(() => core.isTold, core.taskId === undefined ? naming : Math.min(stop, naming));
    if (!core.running) return 'over';
    if (core.taskId === undefined) {
      core.close('stopped');
      await this.#findQuietly();
    }
    const { taskId } = core;
    if (taskId === undefined) {
      this.#tell(unnamed());
      return 'unknown';
    }
    return cancelTask({
      state: () => core.state,
      ask: () => this.#following.askAnyway(askAnswer),
      tell: problem => this.#tell(problem),
      cancel: async () => {
        const { task, exchangeId } = await core.listening.cancel(taskId, cancelAnswer);
        if (!core.life.isOver) this.#following.merge(task, exchangeId);
      },
      until: isSo => core.until(isSo, stop),
    });
  }

  /** Closes the connection when nothing was heard over it for a while, counted from now on, unless that is aborted first. */
  #whenSilent(): AbortController {
    const { scope, listening } = this.#core;
    const watching = new AbortController();
    const begun = performance.now();
    let timer: NodeJS.Timeout;
    const look = (): void => {
      const rest = Math.max(begun, listening.heardAt ?? begun) + scope.timing.naming - performance.now();
      if (rest <= 0) this.#core.close('stopped');
      else timer = setTimeout(look, rest);
    };
    look();
    watching.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return watching;
  }

  /** The task that the message began, found in the agent's list. If the agent cannot be asked, that is not known; the reason is in the exchange. */
  async #findQuietly(): Promise<void> {
    const { sending, scope, life, reception, delivery } = this.#core;
    if (sending === undefined) return;
    try {
      const found = await scope.find(sending.seq, AbortSignal.timeout(scope.timing.askAnswer));
      if (found === undefined || life.isOver) return;
      this.#core.keep(() => {
        reception.adopt(found.task, found.exchangeId);
        delivery?.arrived();
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Shows the problem in the transcript. */
  #tell(problem: Problem): void {
    const { life, taskId, listening, scope } = this.#core;
    this.#core.keep(() => {
      if (life.isOver) return;
      this.#refusal = problem;
      // Whatever is still listened to ends by itself.
      if (life.cut !== undefined) this.#core.blame(problem);
      scope.journal.problem(problem, { taskId, exchangeId: listening.lastExchange });
    });
  }
}

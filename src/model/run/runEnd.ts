import { isTaskNotFound } from '../../protocol/errors.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { askQuietly, cancelTask, noTaskId, type StopOutcome } from './cancellation.ts';
import type { Cut } from './runPhase.ts';
import type { TaskWatch } from './taskWatch.ts';

/** How a run ends: by a stop, which cancels at the agent what the run has begun, by a problem, or once everything is written. */
export class RunEnd {
  readonly #watch: TaskWatch;
  #outcome: Promise<StopOutcome> | undefined;
  #stopping = false;
  #refusal: Problem | undefined;
  #result: Promise<void> | undefined;
  #problem: Problem | undefined;

  constructor(watch: TaskWatch) {
    this.#watch = watch;
  }

  /** The first problem. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Stop was asked and has no result yet. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Why the task goes on although Stop was asked, while it does. */
  get refusal(): Problem | undefined {
    return this.#watch.running ? this.#refusal : undefined;
  }

  /** Resolves when a stop has its result: until then responses to it are applied. Undefined without a stop. */
  get result(): Promise<void> | undefined {
    return this.#result;
  }

  /** `ended`: when nothing is listened to any more and everything is written. */
  stop(ended: Promise<void>): Promise<StopOutcome> {
    this.#outcome ??= this.#stop(ended).finally(() => {
      this.#stopping = false;
      if (this.#watch.phase.cut === undefined) this.#outcome = undefined;
      this.#watch.advance();
    });
    return this.#outcome;
  }

  /** Writes the rest. Nothing is written afterwards, so the store may be closed. */
  finish(): void {
    const { phase, updates, connection, log, scope } = this.#watch;
    if (phase.isOver) return;
    this.#watch.keep(() => updates.flush());
    phase.move('written');
    connection.dispose();
    log.settle();
    this.#watch.keep(() => this.#release());
    scope.journal.flush();
    this.#watch.advance();
  }

  /** Stops listening; the first cause counts. */
  close(why: Cut): void {
    if (this.#watch.phase.cut !== undefined) return;
    this.#watch.phase.move(why);
    if (why === 'disowned') this.setProblem(new Problem('followed-elsewhere', sentence('Another window is following this task now.')));
    this.#watch.stream.close();
  }

  /** The size limit of the task is reached, so listening ends. */
  full(): void {
    if (this.#watch.phase.isOver) return;
    this.with(this.#watch.log.problem);
    this.close('full');
  }

  /**
   * Shows the problem that ended the run; a defect goes to the log. `result`: the problem for the run's result, if part of it is in the
   * transcript already.
   */
  with(error: unknown, result?: Problem): void {
    if (this.#watch.phase.cut !== undefined) return;
    if (error instanceof Problem) this.#watch.keep(() => this.#showProblem(error, result));
    else this.fail(error);
  }

  /** A problem here and not at the agent: the history could not be written, or a defect. */
  fail(error: unknown): void {
    this.setProblem(
      error instanceof Problem
        ? error
        : new Problem('defect', sentence('Internal error in A2A Workbench.'), {
            cause: error,
            details: error instanceof Error ? error.stack : String(error),
          }),
    );
    // A context that was deleted in another window is not an error.
    if (!(error instanceof Problem && error.code === 'no-context')) this.#watch.scope.onError(error);
    this.close('failed');
  }

  /** Why there is no good answer, unless something else was the cause already. */
  setProblem(problem: Problem): void {
    this.#problem ??= problem;
  }

  async #stop(ended: Promise<void>): Promise<StopOutcome> {
    const watch = this.#watch;
    if (!watch.running) {
      // There is nothing to cancel, and further events are not read.
      if (!watch.asks) this.close('stopped');
      return 'over';
    }
    this.#stopping = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#result = promise;
    watch.advance();
    const watching = this.#whenSilent();
    let outcome: StopOutcome = 'over';
    try {
      outcome = await this.#cancel();
      return outcome;
    } finally {
      watching.abort();
      resolve();
      const { taskId } = watch;
      const goesOn = taskId !== undefined && watch.running && outcome !== 'canceled' && outcome !== 'over';
      if (!goesOn) this.close('stopped');
      if (watch.phase.cut !== undefined) await ended;
      // The agent was silent for too long and then refused.
      if (goesOn && watch.phase.cut === 'stopped' && outcome === 'not-cancelable') watch.scope.follow(taskId);
    }
  }

  /**
   * If the agent does not name its task soon, the connection is closed and the task is looked for in the agent's list: without an id there is
   * nothing to cancel.
   */
  async #cancel(): Promise<StopOutcome> {
    const watch = this.#watch;
    const { stop, naming, cancelAnswer, askAnswer } = watch.scope.timing;
    if (!watch.isNamed && watch.stream.exchangeIds.length === 0) return 'over';
    await watch.until(() => watch.isNamed, watch.taskId === undefined ? naming : Math.min(stop, naming));
    if (!watch.running) return 'over';
    if (watch.taskId === undefined) {
      this.close('stopped');
      await this.#findQuietly();
    }
    const { taskId } = watch;
    if (taskId === undefined) {
      this.#showRefusal(noTaskId());
      return 'unknown';
    }
    return cancelTask({
      state: () => watch.state,
      ask: () => this.#watch.askAfterClose(askAnswer),
      report: problem => this.#showRefusal(problem),
      cancel: async () => {
        const { task, exchangeId } = await watch.stream.cancel(taskId, cancelAnswer);
        if (!watch.phase.isOver) watch.merge(task, exchangeId, false);
        if (watch.unfinished) return;
        // The stream may report another end, or bring more before it.
        await watch.until(() => !watch.awaitsEnd, stop);
        if (watch.updates.reducer.task?.hasSkippedEvents === true) await askQuietly(() => watch.askAfterClose(askAnswer));
      },
      until: isSo => watch.until(isSo, stop),
    });
  }

  /** Closes the connection when nothing was received over it for a while, counted from now on, unless that is aborted first. */
  #whenSilent(): AbortController {
    const { scope, stream } = this.#watch;
    const watching = new AbortController();
    const begun = performance.now();
    let timer: NodeJS.Timeout;
    const look = (): void => {
      const rest = Math.max(begun, stream.lastReceivedAt ?? begun) + scope.timing.naming - performance.now();
      if (rest <= 0) this.close('stopped');
      else timer = setTimeout(look, rest);
    };
    look();
    watching.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    return watching;
  }

  /** The task that the message began, found in the agent's list. If the agent cannot be asked, that is not known; the reason is in the exchange. */
  async #findQuietly(): Promise<void> {
    const { sending, scope, phase, updates, delivery } = this.#watch;
    if (sending === undefined) return;
    try {
      const found = await scope.find(sending.seq, AbortSignal.timeout(scope.timing.askAnswer));
      if (found === undefined || phase.isOver) return;
      this.#watch.keep(() => {
        updates.adopt(found.task, found.exchangeId);
        delivery?.arrived();
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Shows the problem of a stop in the transcript. */
  #showRefusal(problem: Problem): void {
    const { phase, taskId, stream, scope } = this.#watch;
    this.#watch.keep(() => {
      if (phase.isOver) return;
      this.#refusal = problem;
      // Whatever is still listened to ends by itself.
      if (phase.cut !== undefined) this.setProblem(problem);
      scope.journal.problem(problem, { taskId, exchangeId: stream.lastExchange });
    });
  }

  /** Shows a problem at the agent in the transcript. */
  #showProblem(problem: Problem, result = problem): void {
    const { taskId, sending, updates, stream, scope } = this.#watch;
    // The first problem is the cause; that the agent no longer knows the task is shown with the task.
    const isFirst = this.#problem === undefined;
    this.setProblem(result);
    updates.flush();
    // A task that is checked again at every start says only once why the check failed.
    const once = sending === undefined;
    const exchangeId = stream.lastExchange;
    const isUnknown = isTaskNotFound(problem) || isTaskNotFound(problem.cause);
    if (isFirst || !isUnknown || taskId === undefined) scope.journal.problem(problem, { taskId, exchangeId, once });
    if (taskId !== undefined && isUnknown) scope.journal.loseTask(taskId, exchangeId);
  }

  #release(): void {
    const { taskId, phase, scope } = this.#watch;
    const { cut } = phase;
    if (taskId === undefined || cut === 'disowned' || cut === 'superseded') return;
    scope.release(taskId, cut === 'detached' && this.#watch.unfinished);
  }
}

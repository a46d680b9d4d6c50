import { isTaskNotFound } from '../../protocol/errors.ts';
import type { TaskStatus } from '../../protocol/message/task.ts';
import { isActive, isInterrupted, type TaskState } from '../../protocol/message/taskState.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { AgentStream } from './agentStream.ts';
import { MessageDelivery } from './messageDelivery.ts';
import { Progress } from './progress.ts';
import { RunLife, type Cut } from './runPhase.ts';
import { needsListener, type RunScope, type Sending } from './runScope.ts';
import { RunConnection } from './taskConnection.ts';
import { TaskLog } from './taskLog.ts';
import { UpdateBatcher } from './updateBatcher.ts';

/** What the parts of one run work on: its phase, the agent's answers, and what is written of them. */
export class RunCore {
  readonly scope: RunScope;
  /** Undefined if a task is only followed, like `delivery`. */
  readonly sending: Sending | undefined;
  readonly delivery: MessageDelivery | undefined;
  readonly life: RunLife;
  readonly reception: UpdateBatcher;
  readonly listening: AgentStream;
  readonly connection: RunConnection;
  readonly log: TaskLog;
  readonly #onAdvance: () => void;
  readonly #progress = new Progress();
  /** The task's status when the message was sent: an agent that repeats it has not answered yet. */
  readonly #statusBefore: TaskStatus | undefined;
  #problem: Problem | undefined;

  /** `onAdvance` is called whenever something that is shown may have changed. */
  constructor(scope: RunScope, taskId: string | undefined, sending: Sending | undefined, onAdvance: () => void) {
    this.scope = scope;
    this.sending = sending;
    this.#onAdvance = onAdvance;
    this.delivery = sending && new MessageDelivery(sending, scope.journal);
    this.life = new RunLife(sending === undefined ? 'recovering' : 'sending', error => scope.onError(error));
    this.connection = new RunConnection(scope.timing.quiet, () => {
      if (!this.life.isOver) scope.onDidChange();
    });
    this.log = new TaskLog({ journal: scope.journal, taskId: () => this.taskId, most: scope.maxTaskBytes, onFull: () => this.endFull() });
    this.listening = new AgentStream(scope.agent, this.log, scope.wanted, () => this.connection.heard());
    this.reception = new UpdateBatcher({
      journal: scope.journal,
      load: id => {
        const folded = scope.load(id);
        if (sending !== undefined) {
          folded.know(sending.kept);
          if (id === sending.message.taskId) folded.expectRefusal();
        }
        return folded;
      },
      taskId,
      answers: sending?.seq,
      batch: scope.timing.batch,
      onWritten: () => this.advance(),
      onDisowned: () => this.close('disowned'),
      onFailure: error => this.fail(error),
    });
    this.#statusBefore = sending === undefined ? undefined : this.reception.fold.task?.status;
  }

  get taskId(): string | undefined {
    return this.reception.fold.task?.id;
  }

  /** The state that the agent sent last. */
  get state(): TaskState | undefined {
    return this.reception.fold.task?.state;
  }

  /** What went wrong first. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    if (this.life.isOver) return false;
    // An answer is reported only after it is written.
    if (this.reception.waits) return true;
    // Until the message has arrived, a task that waits is still waiting for it.
    if (this.delivery !== undefined && !this.reception.answered) return true;
    const status = this.reception.fold.task?.status;
    return status === undefined || isActive(status.state) || (status === this.#statusBefore && this.delivery?.responseRead !== true);
  }

  /** The agent has named the task. */
  get isTold(): boolean {
    return this.taskId !== undefined && (this.sending === undefined || this.reception.answered);
  }

  /** The task waits for the client, or for credentials from elsewhere. */
  get asks(): boolean {
    const { state } = this;
    return state !== undefined && isInterrupted(state);
  }

  /** Something changed: waiting callers check their condition again. */
  advance(): void {
    this.#progress.advance();
    this.#onAdvance();
  }

  /** Resolves when the condition holds, when the run is over, or after so many milliseconds. */
  until(isSo: () => boolean, longest: number): Promise<void> {
    return this.#progress.until(() => isSo() || this.life.isOver, longest);
  }

  /** Stops listening; the first cause counts. */
  close(why: Cut): void {
    if (this.life.cut !== undefined) return;
    this.life.move(why);
    if (why === 'disowned') this.blame(new Problem('followed-elsewhere', sentence('Another window follows this task now.')));
    this.listening.close();
  }

  /** Writes the rest. Nothing is written afterwards, so the store may be closed. */
  finish(): void {
    if (this.life.isOver) return;
    this.keep(() => this.reception.flush());
    this.life.move('written');
    this.connection.dispose();
    this.log.settle();
    this.keep(() => this.#letGo());
    this.scope.journal.flush();
    this.advance();
  }

  /** Nothing more of the task is kept, so nobody needs to listen any more. */
  endFull(): void {
    if (this.life.isOver) return;
    this.endWith(this.log.problem);
    this.close('full');
  }

  /**
   * Tells the person what ended the run; a defect goes to the log. `result`: the problem for its result, if the transcript has a part of it
   * already.
   */
  endWith(error: unknown, result?: Problem): void {
    if (this.life.cut !== undefined) return;
    if (error instanceof Problem) this.keep(() => this.#tell(error, result));
    else this.fail(error);
  }

  /** Writes to the history; if that fails, the run ends. */
  keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.fail(error);
    }
  }

  /** A problem here and not at the agent: the history could not be written, or a defect. */
  fail(error: unknown): void {
    this.blame(
      error instanceof Problem
        ? error
        : new Problem('defect', sentence('Something went wrong inside A2A Workbench.'), {
            cause: error,
            details: error instanceof Error ? error.stack : String(error),
          }),
    );
    // A context that was deleted in another window is not an error.
    if (!(error instanceof Problem && error.code === 'no-context')) this.scope.onError(error);
    this.close('failed');
  }

  /** Why there is no good answer, unless something else was the cause already. */
  blame(problem: Problem): void {
    this.#problem ??= problem;
  }

  /** Shows a problem at the agent in the transcript. */
  #tell(problem: Problem, result = problem): void {
    // The first problem is the cause; that the agent no longer knows the task is shown with the task.
    const isFirst = this.#problem === undefined;
    this.blame(result);
    this.reception.flush();
    // A task that is checked again at every start says only once why the check failed.
    const once = this.sending === undefined;
    const { taskId } = this;
    const exchangeId = this.listening.lastExchange;
    const isUnknown = isTaskNotFound(problem) || isTaskNotFound(problem.cause);
    if (isFirst || !isUnknown || taskId === undefined) this.scope.journal.problem(problem, { taskId, exchangeId, once });
    if (taskId !== undefined && isUnknown) this.scope.journal.loseTask(taskId, exchangeId);
  }

  #letGo(): void {
    const { taskId, state } = this;
    const { cut } = this.life;
    if (taskId === undefined || cut === 'disowned' || cut === 'superseded') return;
    this.scope.release(taskId, cut === 'detached' && state !== undefined && needsListener(state));
  }
}

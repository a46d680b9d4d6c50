import { saysTaskNotFound } from '../../protocol/errors.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Task, TaskStatus } from '../../protocol/message/task.ts';
import { present } from '../../protocol/versions/shared/fields.ts';
import { isActive, isInterrupted, type TaskState } from '../../protocol/message/taskState.ts';
import type { StopOutcome } from './cancellation.ts';
import { TaskSubscription } from './taskSubscription.ts';
import { AgentStream } from './agentStream.ts';
import { Progress } from './progress.ts';
import { UpdateBatcher } from './updateBatcher.ts';
import { needsListener, type RunCore, type RunScope, type Sending } from './runScope.ts';
import { RunLife, type Cut } from './runPhase.ts';
import { stopRun, whenSilent } from './runStop.ts';
import { Sender } from './sender.ts';
import { TaskLog } from './taskLog.ts';
import type { RunResult } from './sendOptions.ts';
import { RunConnection, type TaskConnection } from './taskConnection.ts';
import { wholeTask } from '../fold/wholeTask.ts';

/**
 * One message that is being sent, or one unfinished task that is followed. The message is in the history before anything is sent, and each
 * answer of the agent is in the history before it is shown. Nothing is ever sent twice.
 */
export class Run {
  /** The entry of the message that was sent; undefined if a task is only followed. */
  readonly seq: number | undefined;
  readonly messageId: string | undefined;
  /**
   * Resolves when it is the client's turn again. If the task asks something, it resolves when the agent has finished: its stream has ended, or
   * nothing came for a while. Never rejects: `problem` says what went wrong.
   */
  readonly done: Promise<RunResult>;
  readonly #scope: RunScope;
  readonly #life: RunLife;
  readonly #reception: UpdateBatcher;
  readonly #listening: AgentStream;
  readonly #connection: RunConnection;
  readonly #log: TaskLog;
  readonly #resolveDone: (result: RunResult) => void;
  readonly #ended: Promise<void>;
  readonly #startedAt = Date.now();
  /** The task's status when the message was sent: an agent that repeats it has not answered yet. */
  readonly #statusBefore: TaskStatus | undefined;
  readonly #sending: Sending | undefined;
  readonly #following: TaskSubscription;
  /** Undefined if a task is only followed. */
  readonly #sender: Sender | undefined;
  #problem: Problem | undefined;
  #resolved = false;
  #stop: Promise<StopOutcome> | undefined;
  #stopping = false;
  #refusal: Problem | undefined;
  /** Resolves when a stop has its result: until then the agent's answers to it are taken in. */
  #stopped: Promise<void> | undefined;
  #shown = '';
  /** Runs out when the agent has added nothing after a question for a while. */
  #hearing: NodeJS.Timeout | undefined;
  readonly #progress = new Progress();

  private constructor(scope: RunScope, taskId: string | undefined, sending: Sending | undefined) {
    this.#scope = scope;
    this.#life = new RunLife(sending === undefined ? 'recovering' : 'sending', error => scope.onError(error));
    this.#sending = sending;
    this.seq = sending?.seq;
    this.messageId = sending?.message.messageId;
    this.#connection = new RunConnection(scope.timing.quiet, () => {
      if (!this.#life.isOver) scope.onDidChange();
    });
    this.#log = new TaskLog({ journal: scope.journal, taskId: () => this.taskId, most: scope.mostOfTask, onFull: () => this.#endFull() });
    this.#listening = new AgentStream(scope.agent, this.#log, scope.wanted, () => this.#connection.heard());
    this.#reception = new UpdateBatcher({
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
      onWritten: () => this.#advance(),
      onDisowned: () => this.#close('disowned'),
      onFailure: error => this.#fail(error),
    });
    this.#statusBefore = sending === undefined ? undefined : this.#reception.fold.task?.status;
    const core: RunCore = {
      scope,
      reception: this.#reception,
      listening: this.#listening,
      connection: this.#connection,
      keep: write => this.#keep(write),
      life: this.#life,
      isTold: () => this.#isTold(),
      endWith: (error, result) => this.#endWith(error, result),
    };
    this.#following = new TaskSubscription(core, task => this.#sender?.find(task));
    this.#sender = sending && new Sender(core, sending);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.done = promise;
    this.#resolveDone = resolve;
    this.#ended = this.#main();
  }

  /** Sends a message; `message.taskId` says which task it continues. */
  static send(scope: RunScope, sending: Sending): Run {
    return new Run(scope, sending.message.taskId, sending);
  }

  /** Follows a task that nobody listens to any more. */
  static follow(scope: RunScope, taskId: string): Run {
    return new Run(scope, taskId, undefined);
  }

  /** Resolves when nothing is listened to any more and everything is written. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get taskId(): string | undefined {
    return this.#reception.fold.task?.id;
  }

  /** The state that the agent sent last. */
  get state(): TaskState | undefined {
    return this.#reception.fold.task?.state;
  }

  /** False once it is the client's turn: the task is over or waits, or the agent answered with a message, or it failed. */
  get running(): boolean {
    if (this.#life.isOver) return false;
    // An answer is reported only after it is written.
    if (this.#reception.waits) return true;
    // Until the message has arrived, a task that waits is still waiting for it.
    if (this.seq !== undefined && !this.#reception.answered) return true;
    const status = this.#reception.fold.task?.status;
    return status === undefined || isActive(status.state) || (status === this.#statusBefore && this.#sender?.responseRead !== true);
  }

  /** How this window hears of the agent; a task that waits for the person needs no connection. */
  get connection(): TaskConnection {
    const { state } = this.#connection;
    return state.kind === 'quiet' && !this.running ? { ...state, kind: 'open' } : state;
  }

  /** Begins the next attempt to reach the agent at once. */
  tryNow(): void {
    this.#connection.tryNow();
  }

  /** When the agent last sent anything, by `performance.now()`; undefined if it has not. */
  get heardAt(): number | undefined {
    return this.#listening.heardAt;
  }

  /** See `AgentStream`. */
  get provisional(): number | undefined {
    return this.#listening.provisional;
  }

  /** The current result: what `done` would resolve to if the run ended now. */
  get result(): RunResult {
    const {
      fold,
      firstEventAt,
      answered,
      heard: { states, findings },
    } = this.#reception;
    return {
      task: fold.task !== undefined && (answered || this.seq === undefined) ? fold.task.task : undefined,
      message: fold.message,
      problem: this.#problem,
      delivery: answered ? 'sent' : (this.#sender?.delivery ?? 'sending'),
      states,
      findings,
      startedAt: this.#startedAt,
      firstEventAt,
      endedAt: Date.now(),
      exchangeIds: [...this.#listening.exchangeIds],
    };
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Why the task goes on although Stop was asked, while it does. */
  get refusal(): Problem | undefined {
    return this.running ? this.#refusal : undefined;
  }

  /** Neither running nor listening. */
  get over(): boolean {
    return this.#life.isOver;
  }

  /** Takes in the task from the answer to another call: everything about a task goes through the run that listens to it. */
  merge(task: Task, exchangeId: string): void {
    if (this.#life.isOver) return;
    this.#following.merge(task, exchangeId);
  }

  /** The history has lost its content: writes what is known here once more. */
  rewrite(): void {
    if (this.#life.isOver) return;
    const { task } = this.#reception.fold;
    const { journal, load } = this.#scope;
    const said = this.#sending === undefined ? [] : [{ kind: 'message', taskId: task?.id, message: this.#sending.kept } as const];
    this.#keep(
      () =>
        void journal.inTurn(() => {
          const changes = task === undefined ? [] : load(task.id).merge(wholeTask(task.task));
          journal.record([...said, ...changes], present({ exchangeId: this.#listening.lastExchange, follow: true }));
        }),
    );
  }

  /** The machine has slept: checks at once whether the agent is still there. */
  wake(): void {
    this.#listening.wake();
  }

  /** Asks the agent to cancel, then stops listening. A task that goes on in spite of that is followed, and can be stopped again. */
  stop(): Promise<StopOutcome> {
    this.#stop ??= this.#cancel().finally(() => {
      this.#stopping = false;
      if (this.#life.cut === undefined) this.#stop = undefined;
      this.#advance();
    });
    return this.#stop;
  }

  /** Stops listening at once and leaves the task to another run. Cancels nothing. */
  detach(): void {
    this.#close('detached');
    this.#finish();
  }

  /** Stops listening at once, because another run listens to the same task from now on. */
  supersede(): void {
    this.#close('superseded');
    this.#finish();
  }

  async #main(): Promise<void> {
    try {
      // The callbacks must be in place before anything is heard.
      await Promise.resolve();
      if (this.#sender !== undefined) await this.#sender.send(this.#following);
      else if (this.#log.isFull) this.#endFull();
      else await this.#following.follow(sentence('Not connected while the agent worked, so some of what it said may be missing.'));
    } catch (error) {
      this.#endWith(error);
    }
    await this.#stopped;
    if (!this.#life.isOver) this.#keep(() => this.#reception.flush());
    this.#life.move('settled');
    await this.#scope.journal.written;
    this.#finish();
  }

  async #cancel(): Promise<StopOutcome> {
    if (!this.running) {
      // There is nothing to cancel, and nobody listens any more to what the agent may still say.
      if (!this.#asks()) this.#close('stopped');
      return 'over';
    }
    this.#stopping = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stopped = promise;
    this.#advance();
    const watching = whenSilent(
      () => this.heardAt,
      this.#scope.timing.naming,
      () => this.#close('stopped'),
    );
    let outcome: StopOutcome = 'over';
    try {
      outcome = await stopRun({
        timing: this.#scope.timing,
        running: () => this.running,
        taskId: () => this.taskId,
        state: () => this.state,
        isTold: () => this.#isTold(),
        hasBegun: () => this.#listening.exchangeIds.length > 0,
        cancel: async taskId => {
          const { task, exchangeId } = await this.#listening.cancel(taskId, this.#scope.timing.cancelAnswer);
          this.merge(task, exchangeId);
        },
        leave: () => this.#close('stopped'),
        find: () => this.#find(),
        ask: () => this.#following.askAnyway(this.#scope.timing.askAnswer),
        tell: problem =>
          this.#keep(() => {
            if (this.#life.isOver) return;
            this.#refusal = problem;
            // Whatever is still listened to ends by itself.
            if (this.#life.cut !== undefined) this.#problem ??= problem;
            this.#scope.journal.problem(problem, { taskId: this.taskId, exchangeId: this.#listening.lastExchange });
          }),
        until: (isSo, longest) => this.#progress.until(() => isSo() || this.#life.isOver, longest),
      });
      return outcome;
    } finally {
      watching.abort();
      resolve();
      const { taskId } = this;
      const goesOn = taskId !== undefined && this.running && (outcome === 'not-cancelable' || outcome === 'unknown');
      if (!goesOn) this.#close('stopped');
      if (this.#life.cut !== undefined) await this.#ended;
      // The agent was silent for too long and then refused.
      if (goesOn && this.#life.cut === 'stopped' && outcome === 'not-cancelable') this.#scope.follow(taskId);
    }
  }

  /** The task that the message began, found in the agent's list of tasks. */
  async #find(): Promise<void> {
    const found = this.seq === undefined ? undefined : await this.#scope.find(this.seq, AbortSignal.timeout(this.#scope.timing.askAnswer));
    if (found === undefined || this.#life.isOver) return;
    this.#keep(() => {
      this.#reception.adopt(found.task, found.exchangeId);
      this.#sender?.arrived();
    });
  }

  /** The agent has named the task. */
  #isTold(): boolean {
    return this.taskId !== undefined && (this.seq === undefined || this.#reception.answered);
  }

  /** Something changed: waiting callers check their condition again. */
  #advance(): void {
    this.#progress.advance();
    clearTimeout(this.#hearing);
    if (!this.running && !this.#resolved) {
      // A question on a stream that stays open may not be all that the agent says.
      if (!this.#life.listens || !this.#asks()) this.#resolve();
      else this.#hearing = setTimeout(() => this.#resolve(), this.#scope.timing.hearOut);
    }
    const shown = JSON.stringify([this.running, this.#stopping, this.#life.isOver, this.taskId, this.state]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#scope.onDidChange();
  }

  #asks(): boolean {
    const { state } = this;
    return state !== undefined && isInterrupted(state);
  }

  #resolve(): void {
    if (this.#resolved) return;
    this.#resolved = true;
    this.#resolveDone(this.result);
  }

  #close(why: Cut): void {
    if (this.#life.cut !== undefined) return;
    this.#life.move(why);
    if (why === 'disowned') {
      this.#problem ??= new Problem('followed-elsewhere', sentence('Another window follows this task now.'));
    }
    this.#listening.close();
  }

  /** Writes the rest. Nothing is written afterwards, so the store may be closed. */
  #finish(): void {
    if (this.#life.isOver) return;
    this.#keep(() => this.#reception.flush());
    this.#life.move('written');
    this.#connection.dispose();
    this.#log.settle();
    this.#keep(() => this.#letGo());
    this.#scope.journal.flush();
    this.#advance();
  }

  /** Nothing more of the task is kept, so nobody needs to listen any more. */
  #endFull(): void {
    if (this.#life.isOver) return;
    this.#endWith(this.#log.problem);
    this.#close('full');
  }

  /** Tells the person what ended the run; a defect goes to the log. */
  #endWith(error: unknown, result?: Problem): void {
    if (this.#life.cut !== undefined) return;
    if (error instanceof Problem) this.#keep(() => this.#tell(error, result));
    else this.#fail(error);
  }

  /** Writes to the history; if that fails, the run ends. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A problem here and not at the agent: the history could not be written, or a defect. */
  #fail(error: unknown): void {
    this.#problem ??=
      error instanceof Problem
        ? error
        : new Problem('defect', sentence('Something went wrong inside A2A Workbench.'), {
            cause: error,
            details: error instanceof Error ? error.stack : String(error),
          });
    // A context that was deleted in another window is not an error.
    if (!(error instanceof Problem && error.code === 'no-context')) this.#scope.onError(error);
    this.#close('failed');
  }

  /** Shows a problem at the agent in the transcript. */
  #tell(problem: Problem, result = problem): void {
    // The first problem is the cause; that the agent no longer knows the task is shown with the task.
    const isFirst = this.#problem === undefined;
    this.#problem ??= result;
    this.#reception.flush();
    // A task that is checked again at every start says only once why the check failed.
    const once = this.seq === undefined;
    const { taskId } = this;
    const exchangeId = this.#listening.lastExchange;
    const isUnknown = saysTaskNotFound(problem) || saysTaskNotFound(problem.cause);
    if (isFirst || !isUnknown || taskId === undefined) this.#scope.journal.problem(problem, { taskId, exchangeId, once });
    if (taskId !== undefined && isUnknown) this.#scope.journal.loseTask(taskId, exchangeId);
  }

  #letGo(): void {
    const { taskId, state } = this;
    const { cut } = this.#life;
    if (taskId === undefined || cut === 'disowned' || cut === 'superseded') return;
    this.#scope.release(taskId, cut === 'detached' && state !== undefined && needsListener(state));
  }
}

import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { A2AError, adviseOnFinished, isTaskNotFound } from '../../protocol/errors.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { isActive, isTerminal, taskStates, type TaskState } from '../../protocol/message/taskState.ts';
import type { TaskSubscription } from './taskSubscription.ts';
import { gapOf } from './gap.ts';
import type { RunCore } from './runCore.ts';
import { needsListener, type Sending } from './runScope.ts';
import { singleAnswer } from './singleAnswer.ts';

/** Sends the message of a run, once, and finds out how far it got. `TaskSubscription` listens to what comes afterwards. */
export class Sender {
  readonly #core: RunCore;
  readonly #sending: Sending;
  readonly #following: TaskSubscription;

  constructor(core: RunCore, sending: Sending, following: TaskSubscription) {
    this.#core = core;
    this.#sending = sending;
    this.#following = following;
  }

  async send(): Promise<void> {
    const { message, streaming, params, takesOver, leaves, unchecked } = this.#sending;
    const core = this.#core;
    const following = this.#following;
    const { listening, reception, life } = core;
    let fault: unknown;
    let streams = false;
    try {
      await listening.prepare();
      const client = await listening.connect();
      const body = { ...params, message };
      streams = streaming ?? client.card.capabilities.streaming === true;
      fault = await following.listen(
        streams
          ? options => client.stream('SendStreamingMessage', body, { ...options, unchecked })
          : options => singleAnswer(client, body, { ...options, unchecked }),
      );
    } catch (error) {
      fault = error;
    }
    if (message.taskId !== undefined && core.state !== undefined && isTerminal(core.state)) adviseOnFinished(fault);
    core.keep(() => this.#settle(fault));
    if (fault === undefined && reception.fold.task?.asksAgain === true) core.keep(() => reception.askAgain());
    if (!life.listens) return;
    const left = leaves === true && reception.answered;
    const named = fault === undefined && !left ? this.#namedByMessage() : undefined;
    if (named !== undefined && !(await following.keepsNamed(named))) return;
    const recovers = !left && this.#canRecover();
    const cut = fault instanceof ConnectionProblem && reception.answered ? fault : undefined;
    if (fault !== undefined && (cut === undefined || !(recovers || left || this.#toldAll()))) core.endWith(fault);
    const { task } = reception.fold;
    if (recovers) {
      const gap = gapOf(cut);
      // An agent may end the stream of a task that waits (A2A 1.0 §11.7): nothing is lost with it.
      if (streams && (cut !== undefined || !core.asks)) core.connection.lose(cut);
      if (cut !== undefined && gap !== undefined && task !== undefined) {
        core.keep(() => {
          reception.flush();
          core.scope.journal.gap(gap, task.id);
        });
      }
      // Without a stream nothing can be missed: the task is asked for until it is over.
      try {
        if (streams || takesOver) await following.follow(gap);
        else await following.follow(undefined, false);
      } catch (error) {
        // A message is an answer by itself, even if the agent cannot be asked about the task that it was sent into.
        if (error instanceof A2AError && reception.fold.onlyMessages) return;
        if (error instanceof A2AError && core.asks) {
          // The task still waits for the same, even if the agent cannot be asked about it.
          if (isTaskNotFound(error) && task !== undefined)
            core.keep(() => void core.scope.journal.loseTask(task.id, listening.lastExchange));
          return;
        }
        if (!streams && isTaskNotFound(error) && task !== undefined) {
          core.endWith(error, notKept(task.state, error));
          return;
        }
        if (!(error instanceof A2AError) || !streams || (fault !== undefined && cut === undefined)) throw error;
        const lost = lostWithStream(cut, error);
        // If the stream was cut, the transcript says so already.
        core.endWith(cut === undefined ? lost : error, lost);
      }
    } else if (left) {
      return;
    } else if (task !== undefined && (task.leftOut || following.doubtful)) {
      // What is over stays over, whether or not the agent can be asked about it.
      await (isTerminal(task.state) ? following.confirm() : following.ask());
    } else if (task?.doubtful === true) await following.confirm();
  }

  /** The task that the agent's answer, a message, names, if nothing else was heard of it or if it may go on. */
  #namedByMessage(): string | undefined {
    const { fold } = this.#core.reception;
    if (!fold.onlyMessages) return undefined;
    if (fold.task?.isTold === true) return needsListener(fold.task.state) ? fold.task.id : undefined;
    return fold.message?.taskId || undefined;
  }

  /** The agent has said all that the client waits for: nothing is lost if the connection ends. */
  #toldAll(): boolean {
    const { state } = this.#core;
    return state === undefined ? this.#core.reception.fold.message !== undefined : !isActive(state);
  }

  /** There is a task to ask about, and a reason to ask. */
  #canRecover(): boolean {
    const { state } = this.#core;
    if (state === undefined || !this.#core.life.listens) return false;
    if (this.#core.reception.answered || this.#sending.takesOver) return needsListener(state);
    // The message was sent into a known task, and it is not known whether it arrived.
    return this.#core.delivery?.state !== 'refused';
  }

  /** How far the message got, decided by how its exchange ended. */
  #settle(fault: unknown): void {
    const { delivery, reception, listening, life } = this.#core;
    delivery?.settle(reception.answered, fault);
    // A process that is about to end does not change the message: the next process knows that its delivery is unknown.
    if (!reception.answered && !life.isOver) delivery?.keep(listening.lastExchange);
  }
}

/** The stream is gone, and the agent cannot say what happened to the task. */
const lostWithStream = (cut: ConnectionProblem | undefined, error: A2AError): Problem =>
  new Problem('stream-ended', sentence('{0} The task was then asked for: {1}', cut?.sentence ?? endedWithoutTask, error.sentence), {
    nextStep: error.nextStep,
    details: error.details,
    cause: error,
  });

/** The agent answered with a task that works, and has forgotten it when it is asked. */
const notKept = (state: TaskState, error: A2AError): Problem =>
  new Problem(
    'task-not-kept',
    sentence('The agent answered with a task that is {0} and does not know it any more: {1}', taskStates[state].label, error.sentence),
    {
      nextStep: hint(
        sentence('What becomes of it may be told in a stream alone: send the message as a stream.'),
        'What becomes of it may be told in a stream alone: send the message with --stream.',
      ),
      details: error.details,
      cause: error,
    },
  );

const endedWithoutTask = sentence('The agent ended the stream before the task was over.');

import { randomUUID } from 'node:crypto';
import type { AgentClient } from '../../client/agentClient.ts';
import type { Part } from '../../protocol/message/part.ts';
import { inTerminal, Problem } from '../../protocol/problem.ts';
import { isActive, isInterrupted, isTerminal, type TaskState } from '../../protocol/message/taskState.ts';
import { filePart } from '../terminal/filePart.ts';
import { followClient } from '../terminal/commandLimit.ts';
import { printError, printValue } from '../terminal/output.ts';
import { Printer } from '../terminal/printer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import type { TaskFollower } from '../terminal/follow.ts';
import { ShownIds } from './shownIds.ts';

/** Longest wait for an agent's answer to CancelTask, in milliseconds. */
const cancelMs = 10_000;

/** How often it is looked whether the agent has named the task that is to be canceled, in milliseconds. */
const namingMs = 50;

/** One conversation: what the next message goes on with, and the turn that is under way. */
export class Conversation {
  readonly #terminal: Terminal;
  readonly #client: AgentClient;
  #contextId: string | undefined;
  /** The task that was spoken of last. */
  #taskId: string | undefined;
  #state: TaskState | undefined;
  #attached: Part[] = [];
  readonly #ids = new ShownIds();

  constructor(
    terminal: Terminal,
    client: AgentClient,
    { contextId, taskId }: { readonly contextId: string | undefined; readonly taskId: string | undefined },
  ) {
    this.#terminal = terminal;
    this.#client = client;
    this.#contextId = contextId;
    this.#taskId = taskId;
    // Somebody who names a task wants the message to go there.
    this.#state = taskId === undefined ? undefined : 'TASK_STATE_INPUT_REQUIRED';
  }

  /** Says whether the next message is an answer. */
  get prompt(): string {
    return this.#isAsked ? 'answer> ' : '> ';
  }

  get #isAsked(): boolean {
    return this.#taskId !== undefined && this.#state !== undefined && isInterrupted(this.#state);
  }

  beginAnew(): void {
    this.#contextId = undefined;
    this.#taskId = undefined;
    this.#state = undefined;
  }

  /** Resolves to a sentence for the person. @throws UsageError */
  async attach(path: string): Promise<string> {
    if (path === '') throw new UsageError('/attach wants the name of a file.');
    this.#attached.push(await filePart(path));
    return `${path} goes with the next message.`;
  }

  /** Asks for the task, or for another one, which the next message then goes on with if it waits for one. */
  async showTask(id: string): Promise<number> {
    const wanted = id === '' ? this.#taskId : this.#ids.whole(id);
    if (wanted === undefined) {
      printError('There is no task yet.');
      return exitStatus.fine;
    }
    const { values } = this.#terminal;
    const { result } = await this.#client.call('GetTask', { id: wanted }, this.#terminal);
    this.#taskId = result.id;
    this.#state = result.status.state;
    this.#contextId = result.contextId ?? this.#contextId;
    if (values.json) printValue(result);
    else if (!values.raw) {
      const printer = new Printer(this.#terminal);
      printer.showTask(result);
      printer.end();
    }
    return exitStatus.fine;
  }

  /**
   * Sends a message and prints the answer. Resolves to the exit status of the turn, and to `left` where the person has left.
   * @param onInterrupt told what Ctrl+C does during the turn: first it cancels the task, then it leaves
   */
  async send(text: string, onInterrupt: (act: () => void) => void): Promise<number | 'left'> {
    const stop = new AbortController();
    const left = Promise.withResolvers<'left'>();
    let follower: TaskFollower | undefined;
    let isCanceling = false;
    let naming: NodeJS.Timeout | undefined;
    onInterrupt(() => {
      const taskId = follower?.taskId;
      if (isCanceling) {
        stop.abort(130);
        left.resolve('left');
        return;
      }
      isCanceling = true;
      if (taskId === undefined) {
        printError('The task is canceled as soon as the agent has named it. Ctrl+C again leaves.');
        naming = setInterval(() => {
          if (follower?.taskId === undefined) return;
          clearInterval(naming);
          void this.#cancel(follower.taskId);
        }, namingMs);
        return;
      }
      follower?.note('Canceling the task. Ctrl+C again leaves.');
      void this.#cancel(taskId);
    });
    const parts: Part[] = [{ text }, ...this.#attached];
    const message = {
      messageId: randomUUID(),
      role: 'ROLE_USER' as const,
      parts,
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      ...(this.#isAsked && this.#taskId !== undefined && { taskId: this.#taskId }),
    };
    const terminal = { ...this.#terminal, ids: this.#ids, signal: AbortSignal.any([this.#terminal.signal, stop.signal]) };
    const work = followClient(terminal, this.#client, follow => {
      follower = follow;
      return this.#client.card.capabilities.streaming === true
        ? follow.stream('SendStreamingMessage', { message })
        : follow.send({ message });
    });
    // What is heard after the person has left concerns nobody.
    work.catch(() => {});
    try {
      const status = await Promise.race([work, left.promise]);
      if (status !== 'left') this.#attached = [];
      return status;
    } finally {
      clearInterval(naming);
      this.#goOn(follower);
    }
  }

  #goOn(follower: TaskFollower | undefined): void {
    if (follower === undefined) return;
    this.#contextId = follower.contextId ?? this.#contextId;
    this.#taskId = follower.taskId ?? (follower.state === undefined ? undefined : this.#taskId);
    this.#state = follower.state;
    if (this.#state !== undefined && isTerminal(this.#state)) return;
    if (this.#state !== undefined && isActive(this.#state)) printError('The agent goes on with the task: /task shows how it stands.');
  }

  async #cancel(id: string): Promise<void> {
    try {
      await this.#client.call('CancelTask', { id }, { log: this.#terminal.log, timeoutMs: cancelMs });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      printError(`The task was not canceled: ${inTerminal(error.sentence)}`);
    }
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { AgentClient } from '../../client/agentClient.ts';
import { CardDoubt } from '../../model/agents/cardDoubt.ts';
import type { Disposable } from '../../model/emitter.ts';
import { historyLength } from '../../model/run/agentStream.ts';
import type { Part } from '../../protocol/message/part.ts';
import { inTerminal, Problem } from '../../protocol/problem.ts';
import { isActive, isInterrupted, type TaskState } from '../../protocol/message/taskState.ts';
import { filePart } from '../terminal/filePart.ts';
import { quoted } from '../terminal/output.ts';
import { Printer } from '../terminal/printer.ts';
import { connect, type Terminal } from '../terminal/terminal.ts';
import { TerminalContext } from '../terminal/terminalContext.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import { ShownIds } from './shownIds.ts';

/** One conversation: what the next message goes on with, and the turn that is under way. */
export class Conversation implements Disposable {
  readonly #terminal: Terminal;
  readonly #url: string;
  #client: AgentClient;
  readonly #doubt = new CardDoubt();
  /** The next request reads the card first. */
  #readsCard = false;
  #context: TerminalContext;
  /** The task of the last turn, or the one shown since. */
  #taskId: string | undefined;
  #state: TaskState | undefined;
  #attached: Part[] = [];
  readonly #ids = new ShownIds();

  constructor(
    terminal: Terminal,
    { url, client }: { readonly url: string; readonly client: AgentClient },
    { contextId, taskId }: { readonly contextId: string | undefined; readonly taskId: string | undefined },
  ) {
    this.#terminal = terminal;
    this.#url = url;
    this.#client = client;
    this.#context = new TerminalContext({ ...terminal, ids: this.#ids }, client, { contextId });
    this.#taskId = taskId;
    // A task on the command line gets the first message.
    this.#state = taskId === undefined ? undefined : 'TASK_STATE_INPUT_REQUIRED';
  }

  /** The prompt, which differs where the next message is an answer. */
  get prompt(): string {
    return this.#isAsked ? 'answer> ' : '> ';
  }

  get #isAsked(): boolean {
    return this.#taskId !== undefined && this.#state !== undefined && isInterrupted(this.#state);
  }

  /** Stops listening; cancels nothing. */
  dispose(): void {
    this.#context.dispose();
  }

  beginAnew(): void {
    this.#enter(undefined);
    this.#taskId = undefined;
    this.#state = undefined;
  }

  /** Resolves to a sentence for the person. @throws UsageError */
  async attach(path: string): Promise<string> {
    if (path === '') throw new UsageError('/attach needs the name of a file.');
    this.#attached.push(await filePart(path, this.#terminal.host.cwd()));
    return `${path} goes with the next message.`;
  }

  /** Asks for the task, or for another one, which the next message then goes on with if it waits for one. */
  async showTask(id: string): Promise<number> {
    const wanted = id === '' ? this.#taskId : this.#ids.whole(id);
    if (wanted === undefined) {
      this.#terminal.output.printError('There is no task yet.');
      return exitStatus.fine;
    }
    const { result, findings } = await this.#asking(() => this.#client.call('GetTask', { id: wanted, historyLength }, this.#terminal));
    this.#taskId = result.id;
    this.#state = result.status.state;
    if (result.contextId !== undefined && result.contextId !== this.#context.contextId) this.#enter(result.contextId);
    const printer = new Printer(this.#terminal);
    printer.findings(findings);
    if (this.#terminal.values.json) this.#terminal.output.printValue(result);
    else printer.task(result);
    return exitStatus.fine;
  }

  /**
   * Sends a message and prints the answer. Resolves to the exit status of the turn, and to `left` where the person has left.
   * @param onInterrupt receives the action of Ctrl+C during the turn: it cancels the task, and leaves the second time
   */
  send(text: string, onInterrupt: (act: () => void) => void): Promise<number | 'left'> {
    return this.#asking(() => this.#sent(text, onInterrupt));
  }

  async #sent(text: string, onInterrupt: (act: () => void) => void): Promise<number | 'left'> {
    const stop = new AbortController();
    const left = Promise.withResolvers<'left'>();
    const context = this.#context;
    let isCanceling = false;
    onInterrupt(() => {
      if (isCanceling) {
        stop.abort(130);
        left.resolve('left');
        return;
      }
      isCanceling = true;
      context.printer.note('Canceling the task. Ctrl+C again leaves.');
      void this.#cancel();
    });
    const target = this.#isAsked && this.#taskId !== undefined ? { taskId: this.#taskId } : 'new-task';
    const signal = AbortSignal.any([this.#terminal.signal, stop.signal]);
    const work = context.send({ parts: [{ text }, ...this.#attached], target, streaming: true }, { signal });
    // The outcome no longer matters after the person has left.
    work.catch(() => {});
    try {
      const status = await Promise.race([work, left.promise]);
      if (status !== 'left') this.#attached = [];
      return status;
    } finally {
      const { taskId, state } = context.run ?? {};
      this.#taskId = taskId ?? (state === undefined ? undefined : this.#taskId);
      this.#state = state;
      if (state !== undefined && isActive(state) && !context.isLost && !stop.signal.aborted)
        this.#terminal.output.printError('The agent continues the task: /task shows its state.');
    }
  }

  /** Reads the card first where a failure since it was read makes that necessary. Rejects with a `Problem`. */
  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#readsCard) await this.#readCard();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Problem && this.#doubt.failed(error) !== undefined) this.#readsCard = true;
      throw error;
    }
  }

  /** Rejects with a `Problem` where the card cannot be read. */
  async #readCard(): Promise<void> {
    const client = await connect(this.#terminal, this.#url);
    this.#readsCard = false;
    this.#doubt.settle();
    if (isDeepStrictEqual(client.card, this.#client.card)) return;
    this.#client = client;
    this.#enter(this.#context.contextId);
    this.#terminal.output.printError(quoted(`The agent card has changed. ${inTerminal(client.chosen.reason)}`));
  }

  async #cancel(): Promise<void> {
    const refusal = await this.#context.stop();
    if (refusal !== undefined) this.#terminal.output.printError(`The task was not canceled: ${inTerminal(refusal.sentence)}`);
  }

  #enter(contextId: string | undefined): void {
    this.#context.dispose();
    this.#context = new TerminalContext({ ...this.#terminal, ids: this.#ids }, this.#client, { contextId, printer: this.#context.printer });
  }
}

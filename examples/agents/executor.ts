import { TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { Recent } from './recent.ts';
import { Turn, type Pace } from './turn.ts';

/** What an agent does with one message. */
export type Play = (turn: Turn) => Promise<void>;

/** Runs an agent's turns for the SDK and stops them when their task is canceled. */
export class SampleExecutor implements AgentExecutor {
  readonly #play: Play;
  readonly #pace: Pace;
  readonly #running = new Map<string, AbortController>();
  // `cancelTask` is told the task alone, while the event it has to publish names the context too.
  readonly #contextOf = new Recent<string>();

  constructor(play: Play, pace: Pace) {
    this.#play = play;
    this.#pace = pace;
  }

  /** Whether a turn of this task is under way. */
  isRunning(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId } = context;
    const canceled = new AbortController();
    this.#running.set(taskId, canceled);
    this.#contextOf.set(taskId, contextId);
    const turn = new Turn(context, bus, canceled.signal, this.#pace);
    try {
      await this.#play(turn);
      if (turn.over) this.#contextOf.delete(taskId);
    } catch (error) {
      // Whoever aborted has said what became of the task; any other error the SDK turns into TASK_STATE_FAILED.
      if (!canceled.signal.aborted) throw error;
    } finally {
      this.#running.delete(taskId);
    }
  }

  /** Stops the task's turn, if one is under way, and publishes `TASK_STATE_CANCELED` (A2A 1.0 §3.1.5). */
  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    this.#running.get(taskId)?.abort();
    // The SDK reads the bus until a terminal state, so this is published even when the turn has just ended: the
    // store keeps the first terminal state, and the caller is told that the task is not cancelable.
    bus.publish(AgentEvent.statusUpdate({
      taskId,
      contextId: this.#contextOf.get(taskId) ?? '',
      status: { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: new Date().toISOString() },
      metadata: undefined,
    }));
    this.#contextOf.delete(taskId);
  }

  /** Ends every turn without a word, for when the server goes away. */
  stop(): void {
    for (const turn of this.#running.values()) turn.abort();
  }
}

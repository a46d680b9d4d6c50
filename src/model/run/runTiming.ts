/** Waits of runs and of the code that looks after them, in milliseconds. */
export interface RunTiming {
  /** Changes are collected for at most this long before they are written and reported. */
  readonly batch: number;
  /** The stream of a task that is over stays open for at most this long. */
  readonly linger: number;
  /** The answer with a message and no task stays open for at most this long. */
  readonly lingerMessage: number;
  /** A task that waits for the person is listened to for this long. */
  readonly attend: number;
  /** After a question, what the stream sends is taken in until nothing came for this long. */
  readonly hearOut: number;
  /** An agent that sent nothing for this long is shown as quiet. */
  readonly quiet: number;
  /** A stream that is silent for this long is checked over another connection. */
  readonly silence: number;
  /** Longest wait for an agent that sends only comments on a stream and cannot report the task's state; `answerTimeoutMs` replaces this. */
  readonly keptAlive: number;
  /** Stop waits this long for the answer to a message in a known task, and for the confirmation that a task was canceled. */
  readonly stop: number;
  /** Longest waits after Stop, for the answer to CancelTask and to GetTask. */
  readonly cancelAnswer: number;
  readonly askAnswer: number;
  /** After Stop, the connection to a silent agent is closed after this long; the rest of the cancellation goes on without it. */
  readonly naming: number;
  /** Upper bounds of the first and of the longest wait between questions for a task that does not stream. */
  readonly firstPoll: number;
  readonly maxPollMs: number;
  /** Upper bounds of the first and of the longest wait between attempts to recover. */
  readonly firstRetry: number;
  readonly maxRetryMs: number;
  /** Recovery ends when the agent could not be reached for this long. */
  readonly giveUp: number;
  /** How often a window looks for changes by other windows, and for tasks that they left behind. */
  readonly tick: number;
}

/** Back-off as other A2A clients and MCP clients have it: full jitter between 1 s and 30 s, for at most 10 minutes. */
export const runTiming: RunTiming = {
  batch: 40,
  linger: 5_000,
  lingerMessage: 1_000,
  attend: 30 * 60_000,
  hearOut: 2_000,
  quiet: 10_000,
  silence: 90_000,
  keptAlive: 10 * 60_000,
  stop: 3_000,
  cancelAnswer: 30_000,
  askAnswer: 10_000,
  naming: 1_800,
  firstPoll: 300,
  maxPollMs: 5_000,
  firstRetry: 1_000,
  maxRetryMs: 30_000,
  giveUp: 10 * 60_000,
  tick: 1_000,
};

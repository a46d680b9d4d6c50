/** Waits of runs and of those who look after them, in milliseconds. */
export interface RunTiming {
  /** Changes are written and told at most this late, many at once. */
  readonly batch: number;
  /** A task that is over keeps its stream open this long at most. */
  readonly linger: number;
  /** A message without a task keeps its answer open this long at most. */
  readonly lingerMessage: number;
  /** A task that waits for the person is listened to this long. */
  readonly attend: number;
  /** What a stream tells after a question counts, until nothing came for so long. */
  readonly hearOut: number;
  /** An agent of which nothing was heard for so long is shown as quiet. */
  readonly quiet: number;
  /** A stream that is silent this long is looked after on another connection. */
  readonly silence: number;
  /** Stop waits this long for the answer to a message in a task that is known, and for the word that a task was cancelled. */
  readonly stop: number;
  /** Longest waits, once Stop was asked, for the answer to the request to cancel, and for one about the task. */
  readonly cancelAnswer: number;
  readonly askAnswer: number;
  /** After Stop, the connection to an agent that says nothing is closed after so long; what is left to do to cancel goes on without it. */
  readonly naming: number;
  /** Ceilings of the first and of the longest wait between questions for a task that does not stream. */
  readonly firstPoll: number;
  readonly longestPoll: number;
  /** Ceilings of the first and of the longest wait between attempts to recover. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** Recovery ends when the agent could not be reached for so long. */
  readonly giveUp: number;
  /** How often a window looks what others have done, and what they have left behind. */
  readonly tick: number;
}

/** Back-off as A2A clients and MCP's have it: full jitter between 1 s and 30 s, 10 minutes at most. */
export const runTiming: RunTiming = {
  batch: 40,
  linger: 5_000,
  lingerMessage: 1_000,
  attend: 30 * 60_000,
  hearOut: 2_000,
  quiet: 10_000,
  silence: 90_000,
  stop: 3_000,
  cancelAnswer: 30_000,
  askAnswer: 10_000,
  naming: 1_800,
  firstPoll: 300,
  longestPoll: 5_000,
  firstRetry: 1_000,
  longestRetry: 30_000,
  giveUp: 10 * 60_000,
  tick: 1_000,
};

/** How long is waited for what an agent or another server does, in milliseconds. Waits of one transport alone, such as those between two polls, stand there. */
export const longestWait = {
  /** A connection, with TLS, and the time to send a packet again that was lost. */
  connection: 10_000,
  /** The head of an answer that is not the agent's work itself: a server may have to be started for it. */
  head: 30_000,
  /** Silence within such an answer; over gRPC, which tells the agent its deadline, all of it. */
  body: 60_000,
  /** Silence of a server of cards. A card is a file: one that has not begun to send it by then is not going to. */
  cardSilence: 10_000,
  /** All places where a card may be, redirects and questions about them included. */
  card: 20_000,
  /** One question that only finds out what is there. A chat may wait for the answer. */
  question: 2_500,
  /** All questions about one agent. */
  examination: 5_000,
  /** Silence of a server of files. */
  fileSilence: 20_000,
  /** All of a file: 8 MB at a megabit a second. */
  file: 60_000,
} as const;

/**
 * Time limits for waiting on agents and other servers, in milliseconds. Limits of a single transport, such as the time between two polls,
 * are defined there.
 */
export const timeLimits = {
  /** For an agent under a debugger, which somebody may hold at a breakpoint: a day, the longest deadline that fits into a header of gRPC. */
  debugged: 24 * 60 * 60_000,
  /** For a connection including TLS, with time to resend one lost packet. */
  connection: 10_000,
  /** For the headers of an answer that does not depend on the agent's work; a server may have to be started first. */
  head: 30_000,
  /** For silence within such an answer; over gRPC, where the agent is sent a deadline, for the whole answer. */
  body: 60_000,
  /** For silence of a server with cards. A card is a file: a server that has not begun to send it by then will not. */
  cardSilence: 10_000,
  /** For all addresses where a card may be, including redirects and detection of gRPC. */
  card: 20_000,
  /** For one request that only detects what is there. A chat may be waiting for the result. */
  question: 2_500,
  /** For all such requests to one agent. */
  diagnosis: 5_000,
  /** For silence of a server with the keys of signers, and for the whole answer: a few keys. */
  signingKeysSilence: 5_000,
  signingKeys: 10_000,
  /** For silence of a file server. */
  fileSilence: 20_000,
  /** For a whole file: 8 MB at one megabit per second. */
  file: 60_000,
} as const;

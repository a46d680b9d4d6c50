/** Limits of one sender. Times in milliseconds, sizes in bytes. */
export interface ReceiverLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** For the whole head of a request, from the moment the connection is open. */
  readonly headMs: number;
  /** For the whole request, from its first byte. */
  readonly requestMs: number;
  readonly connections: number;
  /** How many deliveries are kept, and how many bytes of them. */
  readonly kept: number;
  readonly keptBytes: number;
  /** How old a signed delivery may be, and how far a clock may be off. */
  readonly replayWindowMs: number;
  readonly clockSkewMs: number;
}

export const receiverLimits: ReceiverLimits = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  headMs: 10_000,
  requestMs: 20_000,
  connections: 32,
  kept: 500,
  keptBytes: 32 * 1024 * 1024,
  replayWindowMs: 5 * 60_000,
  clockSkewMs: 30_000,
};

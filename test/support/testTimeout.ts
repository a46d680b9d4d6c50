/** Timeout of a test, in milliseconds. It ends what hangs and is no bound of speed: programs start ten times as slowly on a busy machine. */
export const usualTimeoutMs = 120_000;

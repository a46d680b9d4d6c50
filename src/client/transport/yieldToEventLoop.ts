import { setImmediate } from 'node:timers/promises';

/** Lets timers and socket I/O run: one `setImmediate` in a socket callback would resume before both. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

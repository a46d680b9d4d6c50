import { setImmediate } from 'node:timers/promises';

/**
 * Lets everything else have its turn, timers as well as what came over sockets: one `setImmediate` alone comes right behind what a socket
 * brought, before both.
 */
export async function wholeTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

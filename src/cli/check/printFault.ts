import { printError } from '../terminal/output.ts';

/** Says that a push notification met a defect of this program. Those that follow are received all the same. */
export function printFault(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  printError(`A push notification could not be handled, because something went wrong inside a2a: ${why}`);
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Whether an object is still there after a garbage collection. */
export async function isRetained(object: WeakRef<object>): Promise<boolean> {
  // What a weak reference was asked for stays until the turn is over.
  await new Promise(setImmediate);
  gc();
  gc();
  return object.deref() !== undefined;
}

/** Bytes that the process retains in V8's heap and outside it, after a garbage collection. */
export function retained(): number {
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

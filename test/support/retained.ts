import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Which of the objects are still there after a garbage collection: one for all of them, since each takes longer the more was loaded. */
export async function areRetained(objects: readonly WeakRef<object>[]): Promise<boolean[]> {
  // What a weak reference was asked for stays until the turn is over.
  await new Promise(setImmediate);
  gc();
  gc();
  return objects.map(object => object.deref() !== undefined);
}

/** Bytes that the process retains in V8's heap and outside it, after a garbage collection. */
export function retained(): number {
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

import { FileError } from './usage.ts';

/** The Node.js that the program is built for: the first with `Promise.withResolvers`, `Map.groupBy` and `fs.globSync`. */
const needed = 22;

/** Refuses a Node.js that lacks what the command uses, before anything is sent. @throws FileError */
export function refuseOldNode(command: 'run' | 'mcp', version = process.version): void {
  if (Number(/\d+/.exec(version)?.[0]) >= needed) return;
  throw new FileError(`a2a ${command} needs Node.js ${needed} or later; this is ${version}.`);
}

/**
 * Adds `Promise.withResolvers` and `Map.groupBy`, which Node.js 20 lacks and commands besides those that refuse it use; of the rest of what they
 * use it has everything.
 */
export function completeOldNode(): void {
  Promise.withResolvers ??= function withResolvers<T>(): PromiseWithResolvers<T> {
    let resolve!: PromiseWithResolvers<T>['resolve'];
    let reject!: PromiseWithResolvers<T>['reject'];
    const promise = new Promise<T>((onFulfilled, onRejected) => {
      resolve = onFulfilled;
      reject = onRejected;
    });
    return { promise, resolve, reject };
  };
  Map.groupBy ??= function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
    const groups = new Map<K, T[]>();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index++);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    return groups;
  };
}

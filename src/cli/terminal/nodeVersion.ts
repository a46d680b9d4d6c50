import { FileError } from './usage.ts';

/** The Node.js that the program is built for: the first with `Promise.withResolvers`, `Map.groupBy` and `fs.globSync`. */
const needed = 22;

/** Refuses a Node.js that lacks what a run uses, before anything is sent. @throws FileError */
export function refuseOldNode(version = process.version): void {
  if (Number(/\d+/.exec(version)?.[0]) >= needed) return;
  throw new FileError(`a2a run needs Node.js ${needed} or later; this is ${version}.`);
}

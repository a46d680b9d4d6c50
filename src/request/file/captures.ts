import { membersOf } from '../text/jsonNode.ts';
import { readPath, type Path } from '../text/path.ts';
import type { TextRange } from '../text/textRange.ts';
import type { RequestEntry } from './requestEntry.ts';

/** A value of a result that has a name of its own. */
export interface Capture {
  readonly entry: RequestEntry;
  readonly nameRange: TextRange;
  /** Into the result of the request. */
  readonly path: Path;
}

/** A path into a result as files write it: its first member without a dot. Undefined where it cannot be read. */
export const readResultPath = (written: string): Path | undefined => readPath(written.startsWith('[') ? written : `.${written}`);

/** Captures of requests by name; the first of two with the same name. Captures with an unreadable path are left out. */
export function capturesOf(requests: readonly RequestEntry[]): ReadonlyMap<string, Capture> {
  const captures = new Map<string, Capture>();
  for (const entry of requests) {
    for (const { name, nameRange, value } of membersOf(entry.members.get('capture')?.value)) {
      const path = value?.type === 'string' ? readResultPath(String(value.value)) : undefined;
      if (path !== undefined && path.length > 0 && !captures.has(name)) captures.set(name, { entry, nameRange, path });
    }
  }
  return captures;
}

import { closestMatch } from '../../protocol/closestMatch.ts';
import { sendOrder } from '../../request/file/sendOrder.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import type { RunFile } from './runFiles.ts';
import { UsageError } from '../terminal/usage.ts';

export interface SelectedRequest {
  readonly file: RunFile;
  readonly entry: RequestEntry;
}

/**
 * The requests that a run sends: all, or those matched by `names`; each comes after the requests it needs. Needed requests have a result,
 * too.
 * @throws UsageError where nothing matches, also for a single name
 */
export function selectRequests(files: readonly RunFile[], names: readonly string[] | undefined): readonly SelectedRequest[] {
  if (names !== undefined) refuseUnknown(files, names);
  const chosen = files.flatMap(file => entriesOf(file, names).map(entry => ({ file, entry })));
  if (chosen.length === 0) throw new UsageError('These files have no requests.');
  return chosen;
}

function entriesOf({ file }: RunFile, names: readonly string[] | undefined): RequestEntry[] {
  if (names === undefined) return [...file.requests];
  return [...new Set(file.requests.filter(entry => names.some(name => isNamed(entry, name))).flatMap(entry => sendOrder(entry, file)))];
}

function refuseUnknown(files: readonly RunFile[], names: readonly string[]): void {
  const entries = files.flatMap(({ file }) => file.requests);
  const unknown = names.filter(name => !entries.some(entry => isNamed(entry, name)));
  if (unknown.length === 0) return;
  const like = unknown.flatMap(
    name =>
      closestMatch(
        name,
        entries.flatMap(entry => entry.name ?? []),
      ) ?? [],
  );
  throw new UsageError(`No request is called ${unknown.join(' or ')}.${like.length === 0 ? '' : ` Did you mean ${like.join(' or ')}?`}`);
}

/** Matches whole names; `*` matches any characters. */
const isNamed = ({ name = '' }: RequestEntry, pattern: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's').test(name);

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

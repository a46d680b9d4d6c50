import { closestMatch } from '../../protocol/closestMatch.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import { cleanupsAfter, isCleanup, isOnly, planOf, tagsOf } from '../../request/file/control.ts';
import { homeOf } from '../../request/file/imports.ts';
import { sendOrder } from '../../request/file/sendOrder.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import type { RunFile } from './runFiles.ts';
import { UsageError } from '../terminal/usage.ts';

export interface SelectedRequest {
  readonly file: RunFile;
  readonly entry: RequestEntry;
  /** Why it is not sent. */
  readonly omitted?: LocalizedMessage;
}

/** Which requests of the files are meant; left out, all. */
interface Selection {
  readonly names?: readonly string[];
  /** `--tags`: all must hold; in each, separated by commas, any; `!` before a tag means that it is not there. */
  readonly tags?: readonly string[];
}

/**
 * The requests that a run sends: all that are not left out by the file (`skip`, `only`), or those matched by `names`; each
 * comes after the requests it needs, and those that clean up last. Needed requests have a result, too.
 * @throws UsageError where nothing matches, also for a single name
 */
export function selectRequests(files: readonly RunFile[], { names, tags }: Selection): readonly SelectedRequest[] {
  if (names !== undefined) refuseUnknown(files, names);
  if (tags !== undefined) refuseUnknownTags(files, tags);
  const chosen = files.flatMap(file => selectedIn(file, { names, tags }));
  if (chosen.length === 0)
    throw new UsageError(tags === undefined ? 'These files have no requests.' : `No request has the tags ${tags.join(' and ')}.`);
  return chosen;
}

function selectedIn(run: RunFile, { names, tags }: Selection): readonly SelectedRequest[] {
  const { file } = run;
  const isMeant = (entry: RequestEntry): boolean =>
    (names === undefined || names.some(name => isNamed(entry, name))) && (tags === undefined || hasTags(entry, tags));
  if (names === undefined && tags === undefined) {
    const { sent, omitted } = planOf(file);
    return [...sent.map(entry => ({ file: run, entry })), ...[...omitted].map(([entry, why]) => ({ file: run, entry, omitted: why }))];
  }
  const meant = sendOrder(file.requests.filter(isMeant), file).filter(entry => homeOf(entry, file) === undefined);
  // A request that is named is sent, also where the file leaves it out.
  const { sent, omitted } = names === undefined ? planOf(file, meant) : { sent: meant, omitted: new Map<RequestEntry, LocalizedMessage>() };
  const isSent = new Set(sent);
  const all = [...new Set([...sent.filter(entry => !isCleanup(entry)), ...sent, ...cleanupsAfter(file, entry => isSent.has(entry))])];
  return [...all.map(entry => ({ file: run, entry })), ...[...omitted].map(([entry, why]) => ({ file: run, entry, omitted: why }))];
}

export const isCi = ({ CI: ci = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  !['', '0', 'false'].includes(ci.toLowerCase());

/** @throws UsageError in CI, where requests that say `only` would leave out the others unnoticed */
export function refuseOnlyInCi(files: readonly RunFile[], allowed: boolean, env: Readonly<Record<string, string | undefined>>): void {
  if (allowed || !isCi(env)) return;
  const places = files.flatMap(({ path, file, positionAt }) =>
    file.requests.filter(isOnly).map(({ nameRange }) => `${path}:${positionAt(nameRange.offset).line}`),
  );
  if (places.length === 0) return;
  throw new UsageError(
    `Nothing was sent: in CI (the environment variable CI is set) no request may say "only", which leaves out others: ${places.slice(0, 5).join(', ')}${places.length > 5 ? ', …' : ''}. Take it out, or run with --allow-only.`,
  );
}

const hasTags = (entry: RequestEntry, wanted: readonly string[]): boolean => {
  const tags = tagsOf(entry);
  return wanted.every(one =>
    one.split(',').some(tag => (tag.startsWith('!') ? !tags.includes(tag.slice(1).trim()) : tags.includes(tag.trim()))),
  );
};

/** A misspelt tag would send nothing, or with `!` everything. Where nothing is like a tag behind `!`, there is nothing to leave out. */
function refuseUnknownTags(files: readonly RunFile[], wanted: readonly string[]): void {
  const known = new Set(files.flatMap(({ file }) => file.requests.flatMap(tagsOf)));
  for (const tag of wanted.flatMap(one => one.split(',')).map(one => one.trim())) {
    const name = tag.replace(/^!/, '');
    if (known.has(name)) continue;
    const like = closestMatch(name, known);
    if (name !== tag && name !== '' && like === undefined) continue;
    throw new UsageError(
      `--tags ${tag.slice(0, 60)}: no request has that tag.${like === undefined ? '' : ` Did you mean ${like}?`}${known.size === 0 ? ' The files have no tags.' : ` There are: ${[...known].slice(0, 20).join(', ')}.`}`,
    );
  }
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

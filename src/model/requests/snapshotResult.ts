import { createHash } from 'node:crypto';
import { isObject } from '../../protocol/json.ts';
import { exactJson, writeExactly } from '../../protocol/json/exactJson.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { maskSplitSecrets } from '../../protocol/secrets/jsonTexts.ts';
import { normalizedJson, withoutMembers } from '../../recording/compare/normalizedJson.ts';
import type { ExpectationResult } from '../../request/expect/expectations.ts';
import { isSame } from '../../request/expect/sameValue.ts';
import { Snapshot } from '../../request/expect/snapshot.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { memberOf } from '../../request/text/jsonNode.ts';
import type { SnapshotFile } from '../snapshotFile.ts';
import type { Awaited } from './judgedOutcome.ts';
import type { ComparedSnapshot, RequestOutcome } from './requestOutcome.ts';

/** Longest snapshot, in UTF-16 code units: as much as is shown of a value. */
const maxLength = 100_000;

/** Name of the snapshot of a request, or of one of its rows. It has no path, also where the request is imported. */
export function snapshotName({ key, name, index }: RequestEntry, row?: string): string {
  const own = [name, `#${index + 1}`].find(one => one !== undefined && key.endsWith(`\n${one}`)) ?? key;
  return row === undefined ? own : `${own} [${row}]`;
}

/** Names of the snapshots of all rows; the second of a label is numbered. */
export function snapshotNames(entry: RequestEntry, rows: readonly { readonly label: string }[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows.map(({ label }) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return snapshotName(entry, count === 1 ? label : `${label} (${count})`);
  });
}

interface SnapshotPlace {
  readonly snapshots: SnapshotFile | undefined;
  readonly name: string;
}

/**
 * The last outcome of a request with the result of its snapshot, where one is expected. An answer that meets all other expectations becomes
 * the snapshot where the file may be written.
 */
export function withSnapshot(outcome: RequestOutcome, { entry, expect }: Awaited, place: SnapshotPlace): RequestOutcome {
  const { success, data: wanted } = Snapshot.safeParse(isObject(expect) ? expect['snapshot'] : undefined);
  if (!success || wanted === false) return outcome;
  const node = memberOf(entry.members.get('expect')?.value, 'snapshot');
  const range = node?.nameRange ?? entry.nameRange;
  const { expectations = [] } = outcome;
  const others = expectations.filter(({ kind, ok }) => kind !== 'answer' || !ok);
  const isGood = others.every(({ ok }) => ok);
  try {
    const found = compared(outcome, wanted, { ...place, isGood });
    if (found === undefined) return outcome;
    const { snapshot, ...result } = found;
    return { ...outcome, snapshot, expectations: [...others, { kind: 'snapshot', range, ...result }] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = error.nextStep === undefined ? error.sentence : sentence('{0} {1}', error.sentence, error.nextStep);
    return { ...outcome, expectations: [...others, { kind: 'snapshot', ok: false, range, message }] };
  }
}

type Compared = Pick<ExpectationResult, 'ok' | 'message' | 'expected' | 'actual'> & { readonly snapshot: ComparedSnapshot };

/** Undefined where the answer has failed and there is nothing to compare it with. @throws Problem */
function compared(
  { task, message, value, problem }: RequestOutcome,
  wanted: Snapshot,
  { snapshots, name, isGood }: SnapshotPlace & { readonly isGood: boolean },
): Compared | undefined {
  const kept = snapshots?.get(name);
  if (problem !== undefined && !isGood) return undefined;
  if (snapshots === undefined)
    throw new Problem('no-place', sentence('A snapshot is kept beside the request file, and this one is not a file on disk.'));
  const answer = task ?? message ?? value;
  if (answer === undefined) throw new Problem('no-answer', sentence('There is no answer to compare with a snapshot.'));
  const actual = snapshotText(answer, wanted, snapshots.options.secrets);
  if (actual.length > maxLength) {
    throw new Problem('too-large', sentence('The answer has {0} characters, more than the {1} of a snapshot.', actual.length, maxLength), {
      nextStep: sentence('Leave parts of it out with "ignore".'),
    });
  }
  const came = exactJson(actual);
  if (kept !== undefined && isSame(kept, came))
    return { ok: true, message: sentence('{0} is as expected.', 'snapshot'), snapshot: { name, result: 'same' } };
  const { writes } = snapshots.options;
  if (isGood && (writes === 'all' || (writes === 'new' && kept === undefined))) {
    snapshots.set(name, came);
    return kept === undefined
      ? { ok: true, message: sentence('The snapshot was written to {0}.', snapshots.shown), snapshot: { name, result: 'written' } }
      : { ok: true, message: sentence('The snapshot in {0} was updated.', snapshots.shown), snapshot: { name, result: 'updated' } };
  }
  if (kept === undefined && !isGood) return undefined;
  const acceptable = isGood ? { came } : {};
  if (kept === undefined) {
    const why = sentence('The answer has no snapshot in {0}, and none is written in this run.', snapshots.shown);
    return {
      ok: false,
      message: hint(
        why,
        'The answer has no snapshot in {0}, and none is written in CI. Run it outside of CI to write it, and commit the file.',
      ),
      actual,
      snapshot: { name, result: 'missing', ...acceptable },
    };
  }
  const differs = sentence('The answer differs from its snapshot in {0}.', snapshots.shown);
  return {
    ok: false,
    message: hint(differs, 'The answer differs from its snapshot in {0}. If the new answer is right, run again with --update-snapshots.'),
    expected: writeExactly(kept),
    actual,
    snapshot: { name, result: 'different', ...acceptable },
  };
}

/** A later outcome of the same sending: the snapshot is of the answer that the request ended with. */
export function withSnapshotOf({ snapshot, expectations = [] }: RequestOutcome, later: RequestOutcome): RequestOutcome {
  const own = expectations.filter(({ kind }) => kind === 'snapshot');
  if (own.length === 0) return later;
  return { ...later, ...(snapshot && { snapshot }), expectations: [...(later.expectations ?? []), ...own] };
}

/** True for an answer, or one of a row, that could be kept instead of a snapshot or where there is none. */
export const isAcceptable = ({ rows = [], snapshot }: RequestOutcome): boolean =>
  [snapshot, ...rows.map(({ outcome }) => outcome.snapshot)].some(one => one?.came !== undefined);

/** The outcome with its answer as the snapshot, where it may be. @throws Problem */
export function accepted(outcome: RequestOutcome, snapshots: SnapshotFile): RequestOutcome {
  const { snapshot, expectations = [] } = outcome;
  if (snapshot?.came === undefined) return outcome;
  snapshots.set(snapshot.name, snapshot.came);
  const message = sentence('The snapshot in {0} was updated.', snapshots.shown);
  return {
    ...outcome,
    snapshot: { name: snapshot.name, result: 'updated' },
    expectations: expectations.map(one => (one.kind === 'snapshot' ? { kind: one.kind, range: one.range, ok: true, message } : one)),
  };
}

/** An answer as it is kept: secrets masked, bytes as their number and hash, and without what differs with every run. */
export function snapshotText(answer: unknown, wanted: Snapshot, secrets: SnapshotFile['options']['secrets']): string {
  const pointers = typeof wanted === 'boolean' ? [] : wanted.ignore;
  const shown = withoutMembers(withoutBytes(answer), pointers);
  const masked = maskSplitSecrets(writeExactly(secrets.maskIn(shown), 0), text => secrets.spansIn(text));
  return normalizedJson(exactJson(masked));
}

/** The content of agents, in which `raw` is any member. */
const opaque = new Set(['data', 'metadata']);

function withoutBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key !== 'raw' || typeof member !== 'string') return [key, opaque.has(key) ? member : withoutBytes(member)];
      const bytes = Buffer.from(member, 'base64');
      return [key, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );
}

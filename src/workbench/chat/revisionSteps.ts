import * as vscode from 'vscode';
import type { Part } from '../../protocol/message/part.ts';
import type { ArtifactRevision } from '../../store/rows/artifactRevisions.ts';
import { relativeTime } from '../platform/relativeTime.ts';

/** `parts` is undefined for the current revision. */
export interface RevisionSide {
  readonly number: number;
  readonly parts?: readonly Part[];
}

/** Two revisions of one artifact to compare. */
interface RevisionStep {
  readonly older: RevisionSide;
  readonly newer: RevisionSide;
  /** Time at which the older one was replaced, in milliseconds since the epoch. */
  readonly replacedAt: number;
}

/** Each earlier revision compared with the current one, newest first; then each compared with its successor. */
export function revisionSteps(earlier: readonly ArtifactRevision[], current: number): readonly RevisionStep[] {
  const sides = earlier.map(({ number, replacedAt, artifact: { parts } }) => ({ number, replacedAt, parts })).reverse();
  const now = sides.map((older): RevisionStep => ({ older, newer: { number: current }, replacedAt: older.replacedAt }));
  const neighbours = sides.slice(1).map((older, index): RevisionStep => ({ older, newer: sides[index]!, replacedAt: older.replacedAt }));
  return [...now, ...neighbours];
}

export const revisionName = (number: number): string => vscode.l10n.t('revision {0}', number);

/** The only step, or the one that the person picks. */
export async function pickStep(steps: readonly RevisionStep[]): Promise<RevisionStep | undefined> {
  if (steps.length === 1) return steps[0];
  const picked = await vscode.window.showQuickPick(
    steps.map(step => ({
      label: `${revisionName(step.older.number)} ↔ ${revisionName(step.newer.number)}`,
      description: vscode.l10n.t('revision {0} was replaced {1}', step.older.number, relativeTime(step.replacedAt)),
      step,
    })),
    { title: vscode.l10n.t('Select Revisions to Compare') },
  );
  return picked?.step;
}

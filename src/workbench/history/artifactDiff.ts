import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { ArtifactVersion, ArtifactVersions } from '../../model/contexts/artifactVersions.ts';
import type { PartFile } from '../../model/partFile.ts';
import type { Part } from '../../protocol/message/part.ts';
import { joinText } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ArtifactRevision } from '../../store/rows/artifactRevisions.ts';
import { verdictLabel } from '../agentsView/agentTreeItems.ts';
import { comparedParts, type ComparedPart } from '../documents/artifactComparison.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { escapeIcons } from '../platform/untrustedText.ts';

/** Comparison by another version of the artifact, or by an earlier revision of the same version. */
export type ComparedBy = 'versions' | 'revisions';

/** One side of a comparison: sequence number of the artifact's entry, its version as a short name and as a label, and its parts. */
interface Side {
  readonly seq: number;
  readonly short: string;
  readonly label: string;
  readonly parts: readonly Part[];
}

/** Compares a version of an artifact with another one, or its revisions, in VS Code's diff editor. */
export class ArtifactDiff {
  readonly #partFiles: PartFiles;

  constructor(partFiles: PartFiles) {
    this.#partFiles = partFiles;
  }

  /** Asks where there are several to choose from, also whether by versions or by revisions without `by`. Rejects with a `Problem`. */
  async compare(
    context: AgentContext,
    { history, version }: { readonly history: ArtifactVersions; readonly version: ArtifactVersion },
    by?: ComparedBy,
  ): Promise<void> {
    const steps = revisionSteps(context.artifactRevisions(version.seq), version.revision ?? 1);
    switch (by ?? (await pickBy(history, version, steps))) {
      case 'versions':
        return this.#compareVersions(context, history, version);
      case 'revisions':
        return this.#compareRevisions(context, version, steps);
      case undefined:
    }
  }

  async #compareVersions(context: AgentContext, history: ArtifactVersions, version: ArtifactVersion): Promise<void> {
    const other = await pickVersion(history, version);
    if (other === undefined) return;
    const [older, newer] = other.version < version.version ? [other, version] : [version, other];
    const side = (one: ArtifactVersion): Side => ({
      seq: one.seq,
      short: `v${one.version}`,
      label: versionName(one),
      parts: partsOf(context, one.seq),
    });
    await this.#show(side(older), side(newer), newer.artifact);
  }

  async #compareRevisions(context: AgentContext, { seq, artifact }: ArtifactVersion, steps: readonly RevisionStep[]): Promise<void> {
    if (steps.length === 0) throw new Problem('no-revisions', sentence('No earlier revision of this artifact is kept.'));
    const step = await pickStep(steps);
    if (step === undefined) return;
    const side = (revision: RevisionSide): Side => ({
      seq,
      short: `r${revision.number}`,
      label: revisionName(revision),
      parts: joinText(revision.parts ?? partsOf(context, seq)),
    });
    await this.#show(side(step.older), side(step.newer), artifact);
  }

  async #show(older: Side, newer: Side, { artifactId, name }: ArtifactVersion['artifact']): Promise<void> {
    const pair = await pickPair(comparedParts(older.parts, newer.parts, name));
    if (pair === undefined) return;
    const title = vscode.l10n.t('{0}: {1}', escapeIcons(name ?? artifactId).slice(0, 80), `${older.label} ↔ ${newer.label}`);
    await vscode.commands.executeCommand('vscode.diff', this.#fileOf(older, pair.left), this.#fileOf(newer, pair.right), title);
  }

  /** VS Code titles a comparison of images with the names of the files. */
  #fileOf(side: Side, file: PartFile): vscode.Uri {
    return this.#partFiles.put(`${side.seq}`, { ...file, name: `${side.short} ${file.name}` });
  }
}

function partsOf(context: AgentContext, seq: number): readonly Part[] {
  const entry = context.entry(seq);
  if (entry?.kind !== 'artifact') throw new Problem('gone', sentence('This artifact is no longer in the history.'));
  return entry.artifact.parts;
}

/** The only way to compare, or the one that the person picks; undefined if they pick none. */
async function pickBy(
  { versions }: ArtifactVersions,
  { artifact }: ArtifactVersion,
  steps: readonly RevisionStep[],
): Promise<ComparedBy | undefined> {
  if (steps.length === 0) return 'versions';
  if (versions.length < 2) return 'revisions';
  const picked = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Compare with Another Version…'), by: 'versions' as const },
      { label: vscode.l10n.t('Compare Revisions…'), by: 'revisions' as const },
    ],
    { title: escapeIcons(artifact.name ?? artifact.artifactId) },
  );
  return picked?.by;
}

const versionName = ({ version }: ArtifactVersion): string => vscode.l10n.t('v{0}', version);

/** The version to compare with: the only other one, or the one that the person picks from a list that begins with the previous version. */
async function pickVersion({ versions }: ArtifactVersions, version: ArtifactVersion): Promise<ArtifactVersion | undefined> {
  const others = versions.filter(each => each !== version);
  if (others.length === 0) throw new Problem('no-versions', sentence('No other version of this artifact in its context.'));
  if (others.length === 1) return others[0];
  const previous = others.findLast(each => each.version < version.version);
  const ordered = [...(previous === undefined ? [] : [previous]), ...others.filter(each => each !== previous).reverse()];
  const picked = await vscode.window.showQuickPick(
    ordered.map(each => ({
      label: versionName(each),
      description: [each === previous ? vscode.l10n.t('previous version') : '', verdictLabel(each.verdict)].filter(Boolean).join(' · '),
      version: each,
    })),
    { title: vscode.l10n.t('Compare {0} with Another Version', versionName(version)) },
  );
  return picked?.version;
}

async function pickPair(pairs: readonly ComparedPart[]): Promise<ComparedPart | undefined> {
  if (pairs.length === 0) throw new Problem('no-parts', sentence('This artifact has no parts.'));
  if (pairs.length === 1) return pairs[0];
  const picked = await vscode.window.showQuickPick(
    pairs.map(pair => ({ label: escapeIcons(pair.name), pair })),
    { title: vscode.l10n.t('Which part?') },
  );
  return picked?.pair;
}

/** `parts` is undefined for the current revision. */
interface RevisionSide {
  readonly number: number;
  /** It was not in the answer to a message. */
  readonly apart: boolean;
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
function revisionSteps(earlier: readonly ArtifactRevision[], current: number): readonly RevisionStep[] {
  const cameApart = (number: number): boolean => earlier.some(before => before.number === number - 1 && before.apart === true);
  const sides = earlier
    .map(({ number, replacedAt, artifact: { parts } }) => ({ number, replacedAt, parts, apart: cameApart(number) }))
    .reverse();
  const newest = { number: current, apart: cameApart(current) };
  const now = sides.map((older): RevisionStep => ({ older, newer: newest, replacedAt: older.replacedAt }));
  const neighbours = sides.slice(1).map((older, index): RevisionStep => ({ older, newer: sides[index]!, replacedAt: older.replacedAt }));
  return [...now, ...neighbours];
}

const revisionName = ({ number, apart }: Omit<RevisionSide, 'parts'>): string =>
  apart === true ? vscode.l10n.t('revision {0} (not streamed)', number) : vscode.l10n.t('revision {0}', number);

/** The only step, or the one that the person picks. */
async function pickStep(steps: readonly RevisionStep[]): Promise<RevisionStep | undefined> {
  if (steps.length === 1) return steps[0];
  const picked = await vscode.window.showQuickPick(
    steps.map(step => ({
      label: `${revisionName(step.older)} ↔ ${revisionName(step.newer)}`,
      description: vscode.l10n.t('revision {0} was replaced {1}', step.older.number, relativeTime(step.replacedAt)),
      step,
    })),
    { title: vscode.l10n.t('Select Revisions to Compare') },
  );
  return picked?.step;
}

import { artifactReferences } from '../protocol/artifactReference.ts';
import type { ContextArtifact } from '../store/contextArtifacts.ts';

/** One version, counted from 1. */
export interface ArtifactVersion extends ContextArtifact {
  readonly version: number;
}

/** Artifacts of one context that are versions of one another, oldest first; at least one. */
export interface ArtifactHistory {
  readonly versions: readonly ArtifactVersion[];
}

const keyOf = (taskId: string, artifactId: string): string => JSON.stringify([taskId, artifactId]);

/**
 * Finds out which artifacts of a context are versions of one another. A refinement keeps the `name` and gets an `artifactId` of its own,
 * mostly in another task; one of another name says in its metadata which artifact it goes back to. Who makes versions of what is no part
 * of the specification: the client keeps track (A2A documentation, "Life of a Task"). One that has neither stands for itself.
 */
export function artifactHistories(artifacts: readonly ContextArtifact[]): ArtifactHistory[] {
  const histories: ArtifactVersion[][] = [];
  const byName = new Map<string, ArtifactVersion[]>();
  const byArtifact = new Map<string, ArtifactVersion[]>();
  for (const each of artifacts) {
    const { taskId, artifact: { artifactId, name = '', metadata } } = each;
    let history = artifactReferences(metadata).map(reference => byArtifact.get(keyOf(reference.taskId, reference.artifactId))).find(known => known !== undefined)
      ?? byName.get(name);
    if (history === undefined) {
      history = [];
      histories.push(history);
    }
    history.push({ ...each, version: history.length + 1 });
    byArtifact.set(keyOf(taskId, artifactId), history);
    // What is made under a name next goes on from what had it last.
    if (name !== '') byName.set(name, history);
  }
  return histories.map(versions => ({ versions }));
}

/** The history that holds the artifact of that entry. */
export const historyOf = (histories: readonly ArtifactHistory[], seq: number): ArtifactHistory | undefined =>
  histories.find(({ versions }) => versions.some(version => version.seq === seq));

/** The version to go on from: the last accepted one, or the last that was not rejected; undefined where all were. */
export const latestAcceptable = ({ versions }: ArtifactHistory): ArtifactVersion | undefined =>
  versions.findLast(({ verdict }) => verdict === 'accepted') ?? versions.findLast(({ verdict }) => verdict !== 'rejected');

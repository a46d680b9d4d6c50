import { artifactReferences } from '../../protocol/message/artifactReference.ts';
import type { ContextArtifact } from '../../store/lists/contextArtifacts.ts';

/** One version, counted from 1. */
export interface ArtifactVersion extends ContextArtifact {
  readonly version: number;
}

/** Artifacts of one context that are versions of one another, oldest first; at least one. */
export interface ArtifactVersions {
  readonly versions: readonly ArtifactVersion[];
}

const keyOf = (taskId: string, artifactId: string): string => JSON.stringify([taskId, artifactId]);

/**
 * Finds out which artifacts of a context are versions of one another: one says in its metadata which it goes back to, or the agent gives it an
 * `artifactId` again, or it has the `name` of one of the same task, or of a task that its own rests on. A name alone is none: unrelated tasks
 * may well make a "result" each. Who makes versions of what is no part of the specification: the client keeps track (A2A documentation, "Life of
 * a Task"). `referencesOf` tells which tasks the messages of a task refer to, and is asked only where names are equal.
 */
export function artifactHistories(artifacts: readonly ContextArtifact[], referencesOf: (taskId: string) => readonly string[]): ArtifactVersions[] {
  const histories: ArtifactVersion[][] = [];
  const byName = new Map<string, ArtifactVersion[][]>();
  const byId = new Map<string, ArtifactVersion[]>();
  const byArtifact = new Map<string, ArtifactVersion[]>();
  for (const each of artifacts) {
    const { taskId, artifact: { artifactId, name = '', metadata } } = each;
    const known = byId.get(artifactId);
    let history = artifactReferences(metadata).map(reference => byArtifact.get(keyOf(reference.taskId, reference.artifactId))).find(other => other !== undefined)
      ?? (known !== undefined && (known.at(-1)?.artifact.name ?? '') === name ? known : undefined)
      ?? byName.get(name)?.findLast(named => named.some(version => restsOn(taskId, version.taskId, referencesOf)));
    if (history === undefined) {
      history = [];
      histories.push(history);
    }
    history.push({ ...each, version: history.length + 1 });
    byArtifact.set(keyOf(taskId, artifactId), history);
    byId.set(artifactId, history);
    // What is made under a name next goes on from what had it last.
    if (name !== '') byName.set(name, [...(byName.get(name) ?? []).filter(other => other !== history), history]);
  }
  return histories.map(versions => ({ versions }));
}

/** Most tasks that are looked through on the way from one to another. */
const mostTasks = 500;

/** A task is the other one, or refers to it, or to one that does. */
function restsOn(taskId: string, other: string, referencesOf: (taskId: string) => readonly string[]): boolean {
  const seen = new Set([taskId]);
  for (const each of seen) {
    if (each === other) return true;
    if (seen.size < mostTasks) for (const reference of referencesOf(each)) seen.add(reference);
  }
  return false;
}

/** The history that holds the artifact of that entry. */
export const historyOf = (histories: readonly ArtifactVersions[], seq: number): ArtifactVersions | undefined =>
  histories.find(({ versions }) => versions.some(version => version.seq === seq));

/** The version to go on from: the last accepted one, or the last that was not rejected; undefined where all were. */
export const latestAcceptable = ({ versions }: ArtifactVersions): ArtifactVersion | undefined =>
  versions.findLast(({ verdict }) => verdict === 'accepted') ?? versions.findLast(({ verdict }) => verdict !== 'rejected');

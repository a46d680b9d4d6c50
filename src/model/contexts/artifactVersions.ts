import { artifactReferences } from '../../protocol/message/artifactReference.ts';
import type { ContextArtifact } from '../../store/lists/contextArtifacts.ts';

/** One version, counted from 1. */
export interface ArtifactVersion extends ContextArtifact {
  readonly version: number;
  /** Member in common with the version before (the first one: with the second), where no metadata of the agent relates the two. */
  readonly same?: 'name' | 'id';
}

/** Artifacts of one context that are versions of one another, oldest first; at least one. */
export interface ArtifactVersions {
  readonly versions: readonly ArtifactVersion[];
}

const keyOf = (taskId: string, artifactId: string): string => JSON.stringify([taskId, artifactId]);

/**
 * Finds out which artifacts of a context are versions of one another: an artifact says in its metadata which one it is based on, or has the
 * `artifactId` or the `name` of an artifact of another task on which its own task depends. An equal name or ID alone is not enough: unrelated
 * tasks may each make a "result", and an ID is unique within its task only (A2A 1.0 §4.1.7). The specification does not define versions: the
 * client keeps track (A2A documentation, "Life of a Task": a refinement is a new task that refers to the old one, and keeps the name).
 * `referencesOf` returns the tasks to which the messages of a task refer, and is called only if names or IDs are equal.
 */
export function artifactHistories(
  artifacts: readonly ContextArtifact[],
  referencesOf: (taskId: string) => readonly string[],
): ArtifactVersions[] {
  const histories: ArtifactVersion[][] = [];
  const byName = new Map<string, ArtifactVersion[][]>();
  const byId = new Map<string, ArtifactVersion[]>();
  const byArtifact = new Map<string, ArtifactVersion[]>();
  for (const each of artifacts) {
    const {
      taskId,
      artifact: { artifactId, name = '', metadata },
    } = each;
    const known = byId.get(artifactId);
    const stated = artifactReferences(metadata)
      .map(reference => byArtifact.get(keyOf(reference.taskId, reference.artifactId)))
      .find(other => other !== undefined);
    const isRefined = (others: readonly ArtifactVersion[]): boolean => isBasedOn(taskId, others, referencesOf);
    const sameId = known !== undefined && (known.at(-1)?.artifact.name ?? '') === name && isRefined(known) ? known : undefined;
    let history = stated ?? sameId ?? byName.get(name)?.findLast(isRefined);
    const same = history === undefined || stated !== undefined ? undefined : sameId === undefined ? 'name' : 'id';
    if (history === undefined) {
      history = [];
      histories.push(history);
    }
    const [first] = history;
    if (first !== undefined && history.length === 1 && same !== undefined) history[0] = { ...first, same };
    history.push({ ...each, version: history.length + 1, ...(same !== undefined && { same }) });
    byArtifact.set(keyOf(taskId, artifactId), history);
    byId.set(artifactId, history);
    // A later artifact of that name continues from the newest one.
    if (name !== '') byName.set(name, [...(byName.get(name) ?? []).filter(other => other !== history), history]);
  }
  return histories.map(versions => ({ versions }));
}

/** Most tasks that are searched for a connection from one task to another. */
const maxTasks = 500;

/** True if the task made none of these artifacts, and refers to a task that did, directly or through others. */
function isBasedOn(taskId: string, artifacts: readonly ArtifactVersion[], referencesOf: (taskId: string) => readonly string[]): boolean {
  const makers = new Set(artifacts.map(artifact => artifact.taskId));
  if (makers.has(taskId)) return false;
  const seen = new Set([taskId]);
  for (const each of seen) {
    if (makers.has(each)) return true;
    if (seen.size < maxTasks) for (const reference of referencesOf(each)) seen.add(reference);
  }
  return false;
}

/** The version history that contains the artifact of that entry. */
export const historyOf = (histories: readonly ArtifactVersions[], seq: number): ArtifactVersions | undefined =>
  histories.find(({ versions }) => versions.some(version => version.seq === seq));

/** The version to continue from: the last accepted one, or the last that was not rejected; undefined if all were rejected. */
export const latestAcceptable = ({ versions }: ArtifactVersions): ArtifactVersion | undefined =>
  versions.findLast(({ verdict }) => verdict === 'accepted') ?? versions.findLast(({ verdict }) => verdict !== 'rejected');

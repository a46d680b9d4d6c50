/** An artifact by the task that made it: an `artifactId` is unique within its task only (A2A 1.0 §4.1.7). */
export interface ArtifactReference {
  readonly artifactId: string;
  readonly taskId: string;
}

/** Member of the metadata of parts, messages and artifacts. A convention of the A2A documentation, not of the specification. */
const member = 'referenceArtifacts';

/** Most references that are read of one metadata object. */
const mostReferences = 100;

/** Metadata of a part that says which artifacts are meant, for agents that take the hint. */
export const referringMetadata = (references: readonly ArtifactReference[]): Readonly<Record<string, unknown>> => ({
  [member]: references.map(({ artifactId, taskId }) => ({ artifactId, taskId })),
});

/** The artifacts that metadata refers to: a list of them, or one whose ids stand in the metadata itself. */
export function artifactReferences(metadata: Readonly<Record<string, unknown>> | undefined): ArtifactReference[] {
  if (metadata === undefined) return [];
  const listed: unknown = metadata[member];
  return (Array.isArray(listed) ? listed.slice(0, mostReferences) : [metadata]).flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const { artifactId, taskId } = each as Record<string, unknown>;
    return typeof artifactId === 'string' && typeof taskId === 'string' ? [{ artifactId, taskId }] : [];
  });
}

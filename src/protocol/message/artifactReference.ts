/** An artifact and the task that produced it: an `artifactId` is unique only within its task (A2A 1.0 §4.1.7). */
export interface ArtifactReference {
  readonly artifactId: string;
  readonly taskId: string;
}

/** Member in the metadata of parts, messages and artifacts. A convention of the A2A documentation, not of the specification. */
const member = 'referenceArtifacts';

/** Most references that are read from one metadata object. */
const maxReferences = 100;

/** Metadata of a part that refers to artifacts, for agents that support the convention. */
export const referringMetadata = (references: readonly ArtifactReference[]): Readonly<Record<string, unknown>> => ({
  [member]: references.map(({ artifactId, taskId }) => ({ artifactId, taskId })),
});

/** The artifacts that metadata refers to: a list, or a single one whose ids are in the metadata itself. */
export function artifactReferences(metadata: Readonly<Record<string, unknown>> | undefined): ArtifactReference[] {
  if (metadata === undefined) return [];
  const listed: unknown = metadata[member];
  return (Array.isArray(listed) ? listed.slice(0, maxReferences) : [metadata]).flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const { artifactId, taskId } = each as Record<string, unknown>;
    return typeof artifactId === 'string' && typeof taskId === 'string' ? [{ artifactId, taskId }] : [];
  });
}

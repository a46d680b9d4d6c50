import type { ShownVersion } from '../../chat/host/chatState.ts';
import { type ArtifactVersions, latestAcceptable } from '../../model/contexts/artifactVersions.ts';

/** Maximum number of artifacts, the newest ones, that are sent to the panel. */
const maxShown = 200;
const maxNameLength = 200;

/** The artifacts of a context as sent to its panel, in the order of their arrival. */
export function panelVersions(histories: readonly ArtifactVersions[]): readonly ShownVersion[] {
  return histories
    .flatMap((history, index) => {
      const latest = latestAcceptable(history);
      return history.versions.map((each): ShownVersion => {
        const {
          seq,
          taskId,
          artifact: { artifactId, name = '' },
          version,
          verdict,
          revision,
          earlier,
          apart,
          same,
        } = each;
        return {
          seq,
          taskId,
          artifactId,
          name: name.slice(0, maxNameLength),
          history: index,
          version,
          of: history.versions.length,
          ...(same !== undefined && { same }),
          ...(revision !== undefined && { revision, earlier }),
          ...(apart && { apart }),
          ...(verdict !== undefined && { verdict }),
          ...(each === latest && { latest: true }),
        };
      });
    })
    .sort((one, other) => one.seq - other.seq)
    .slice(-maxShown);
}

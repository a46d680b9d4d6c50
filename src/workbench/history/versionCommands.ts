import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { type ArtifactVersions, type ArtifactVersion, historyOf, latestAcceptable } from '../../model/contexts/artifactVersions.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Node, nodeOf } from '../agentsView/agentNodes.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import { ArtifactDiff, type ComparedBy } from './artifactDiff.ts';
import { contextAt } from './contextCommands.ts';

type VersionCommands = Pick<
  CommandHandlers,
  'a2a.compareArtifact' | 'a2a.acceptArtifact' | 'a2a.rejectArtifact' | 'a2a.refineArtifact' | 'a2a.referInChat'
>;

interface Meant {
  readonly context: AgentContext;
  readonly seq: number;
}

/** Commands for a version of an artifact, from its row in the tree or its card in the chat. */
export function versionCommands({
  contexts,
  panels,
  partFiles,
  selected,
}: {
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  /** The row that a command applies to if it has no argument. */
  readonly selected: () => Node | undefined;
}): VersionCommands {
  const diff = new ArtifactDiff(partFiles);
  const meantBy = (argument: unknown): Meant => {
    const node = nodeOf('artifact', argument ?? selected());
    if (node !== undefined) return { context: contextAt(contexts, node.parent.task.context), seq: node.summary.seq };
    if (isPlace(argument)) return { context: contextAt(contexts, argument.context), seq: argument.seq };
    throw new Problem('nothing-selected', sentence('Select an artifact in the A2A view first.'));
  };
  const versionOf = ({ context, seq }: Meant): { readonly history: ArtifactVersions; readonly version: ArtifactVersion } => {
    const history = historyOf(context.artifactHistories(), seq);
    const version = history?.versions.find(each => each.seq === seq);
    if (history === undefined || version === undefined) throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return { history, version };
  };
  return {
    'a2a.compareArtifact': async argument => {
      const meant = meantBy(argument);
      await diff.compare(meant.context, versionOf(meant), isPlace(argument) ? argument.by : undefined);
    },
    'a2a.acceptArtifact': argument => {
      const { context, seq } = meantBy(argument);
      return context.patiently(() => context.judgeArtifact(seq, 'accepted'));
    },
    'a2a.rejectArtifact': argument => {
      const { context, seq } = meantBy(argument);
      return context.patiently(() => context.judgeArtifact(seq, 'rejected'));
    },
    'a2a.refineArtifact': async argument => {
      // If no version is chosen: the one to continue from, of the artifact that the active chat received last.
      const chosen = nodeOf('artifact', argument ?? selected()) !== undefined || isPlace(argument);
      const context = chosen ? meantBy(argument).context : panels.active;
      const version = chosen ? versionOf(meantBy(argument)).version : newestAcceptable(context);
      if (context === undefined || version === undefined)
        throw new Problem('nothing-selected', sentence('Select an artifact in the A2A view first.'));
      await panels.refer(context, [{ taskId: version.taskId, artifactId: version.artifact.artifactId, refine: true }]);
    },
    'a2a.referInChat': async argument => {
      const task = nodeOf('task', argument ?? selected());
      if (task !== undefined) {
        await panels.refer(contextAt(contexts, task.task.context), [{ taskId: task.task.taskId }]);
        return;
      }
      const meant = meantBy(argument);
      const { version } = versionOf(meant);
      await panels.refer(meant.context, [{ taskId: version.taskId, artifactId: version.artifact.artifactId }]);
    },
  };
}

/** An artifact's entry in a context; `by` chooses the kind of comparison, which is asked for otherwise. */
interface Place {
  readonly context: string;
  readonly seq: number;
  readonly by?: ComparedBy;
}

const isPlace = (argument: unknown): argument is Place =>
  typeof argument === 'object' &&
  argument !== null &&
  'context' in argument &&
  typeof argument.context === 'string' &&
  'seq' in argument &&
  typeof argument.seq === 'number';

function newestAcceptable(context: AgentContext | undefined): ArtifactVersion | undefined {
  const histories = context?.artifactHistories() ?? [];
  const newest = histories.toSorted((one, other) => (other.versions.at(-1)?.seq ?? 0) - (one.versions.at(-1)?.seq ?? 0))[0];
  return newest && latestAcceptable(newest);
}

import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { type ArtifactVersions, type ArtifactVersion, historyOf, latestAcceptable } from '../../model/contexts/artifactVersions.ts';
import type { Part } from '../../protocol/message/part.ts';
import { joinText } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Node, nodeOf } from '../agentsView/agentNodes.ts';
import { verdictLabel } from '../agentsView/agentTreeItems.ts';
import { comparedParts, type ComparedPart } from '../documents/artifactComparison.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import type { PartFile } from '../../model/partFile.ts';
import { pickStep, revisionName, type RevisionSide, revisionSteps } from '../chat/revisionSteps.ts';

type VersionCommands = Pick<
  CommandHandlers,
  'a2a.compareArtifact' | 'a2a.acceptArtifact' | 'a2a.rejectArtifact' | 'a2a.refineArtifact' | 'a2a.referInChat'
>;

/** One side of a comparison: sequence number of the artifact's entry, its version as a short name and as a label, and its parts. */
interface Side {
  readonly seq: number;
  readonly short: string;
  readonly label: string;
  readonly parts: readonly Part[];
}

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
  const contextAt = (key: string): AgentContext => {
    const context = contexts.get(key);
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    return context;
  };
  const meantBy = (argument: unknown): Meant => {
    const node = nodeOf('artifact', argument ?? selected());
    if (node !== undefined) return { context: contextAt(node.parent.task.context), seq: node.summary.seq };
    if (isPlace(argument)) return { context: contextAt(argument.context), seq: argument.seq };
    throw new Problem('nothing-selected', sentence('Select an artifact in the A2A view first.'));
  };
  const versionOf = ({ context, seq }: Meant): { readonly history: ArtifactVersions; readonly version: ArtifactVersion } => {
    const history = historyOf(context.artifactHistories(), seq);
    const version = history?.versions.find(each => each.seq === seq);
    if (history === undefined || version === undefined) throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return { history, version };
  };
  const partsOf = (context: AgentContext, seq: number): readonly Part[] => {
    const entry = context.entry(seq);
    if (entry?.kind !== 'artifact') throw new Problem('gone', sentence('This artifact is no longer in the history.'));
    return entry.artifact.parts;
  };
  // VS Code titles a comparison of images with the names of the files.
  const compared = (side: Side, file: PartFile): vscode.Uri =>
    partFiles.put(`${side.seq}`, { ...file, name: `${side.short} ${file.name}` });
  const compare = async (older: Side, newer: Side, { artifactId, name }: ArtifactVersion['artifact']): Promise<void> => {
    const pair = await pickPair(comparedParts(older.parts, newer.parts, name));
    if (pair === undefined) return;
    const title = `${escapeIcons(name ?? artifactId).slice(0, 80)}: ${older.label} ↔ ${newer.label}`;
    await vscode.commands.executeCommand('vscode.diff', compared(older, pair.left), compared(newer, pair.right), title);
  };
  const compareVersions = async ({ context }: Meant, history: ArtifactVersions, version: ArtifactVersion): Promise<void> => {
    const other = await pickVersion(history, version);
    if (other === undefined) return;
    const [older, newer] = other.version < version.version ? [other, version] : [version, other];
    const side = (one: ArtifactVersion): Side => ({
      seq: one.seq,
      short: `v${one.version}`,
      label: versionName(one),
      parts: partsOf(context, one.seq),
    });
    await compare(side(older), side(newer), newer.artifact);
  };
  const compareRevisions = async (
    { context, seq }: Meant,
    { artifact }: ArtifactVersion,
    steps: ReturnType<typeof revisionSteps>,
  ): Promise<void> => {
    if (steps.length === 0) throw new Problem('no-revisions', sentence('No earlier revision of this artifact is kept.'));
    const step = await pickStep(steps);
    if (step === undefined) return;
    const side = ({ number, parts }: RevisionSide): Side => ({
      seq,
      short: `r${number}`,
      label: revisionName(number),
      parts: joinText(parts ?? partsOf(context, seq)),
    });
    await compare(side(step.older), side(step.newer), artifact);
  };
  return {
    'a2a.compareArtifact': async argument => {
      const meant = meantBy(argument);
      const { history, version } = versionOf(meant);
      const steps = revisionSteps(meant.context.artifactRevisions(version.taskId, version.artifact.artifactId), version.revision ?? 1);
      const compareBy = {
        versions: () => compareVersions(meant, history, version),
        revisions: () => compareRevisions(meant, version, steps),
      };
      const wanted = isPlace(argument) ? argument.by : undefined;
      const by =
        wanted ??
        (steps.length === 0
          ? 'versions'
          : history.versions.length < 2
            ? 'revisions'
            : (
                await vscode.window.showQuickPick(
                  [
                    { label: vscode.l10n.t('Compare with Another Version…'), by: 'versions' as const },
                    { label: vscode.l10n.t('Compare Revisions…'), by: 'revisions' as const },
                  ],
                  { title: escapeIcons(version.artifact.name ?? version.artifact.artifactId) },
                )
              )?.by);
      if (by !== undefined) await compareBy[by]();
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
        await panels.refer(contextAt(task.task.context), [{ taskId: task.task.taskId }]);
        return;
      }
      const meant = meantBy(argument);
      const { version } = versionOf(meant);
      await panels.refer(meant.context, [{ taskId: version.taskId, artifactId: version.artifact.artifactId }]);
    },
  };
}

const versionName = ({ version }: ArtifactVersion): string => vscode.l10n.t('v{0}', version);

/** An artifact's entry in a context; `by` chooses the comparison, which is asked for otherwise. */
interface Place {
  readonly context: string;
  readonly seq: number;
  readonly by?: 'versions' | 'revisions';
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

/** The version to compare with: the only other one, or the one that the person picks from a list that begins with the previous version. */
async function pickVersion({ versions }: ArtifactVersions, version: ArtifactVersion): Promise<ArtifactVersion | undefined> {
  const others = versions.filter(each => each !== version);
  if (others.length === 0) throw new Problem('no-versions', sentence('There is no other version of this artifact in its context.'));
  if (others.length === 1) return others[0];
  const previous = others.findLast(each => each.version < version.version);
  const ordered = [...(previous === undefined ? [] : [previous]), ...others.filter(each => each !== previous).reverse()];
  const picked = await vscode.window.showQuickPick(
    ordered.map(each => ({
      label: versionName(each),
      description: [each === previous ? vscode.l10n.t('the version before') : '', verdictLabel(each.verdict)].filter(Boolean).join(' · '),
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

import * as vscode from 'vscode';
import type { ShownDeviation } from '../../chat/host/conformanceMessages.ts';
import { assistantSentence } from '../../protocol/message/assistantSentence.ts';
import type { AssistantCall } from '../../protocol/message/transcript.ts';
import type { Listing } from '../../model/contexts/remoteListings.ts';
import { translate } from '../platform/report.ts';
import { statePresentation } from '../platform/stateIcons.ts';
import type { MakerNode, Node } from './agentNodes.ts';
import { agentTooltip } from './agentTooltip.ts';
import { arrivalText } from './agentTreeItems.ts';
import { TooltipLines } from './tooltipLines.ts';

const time = (at: number): string => new Date(at).toLocaleString(vscode.env.language);

const makerSentences: Readonly<Record<MakerNode['madeBy'], () => string>> = {
  file: () => vscode.l10n.t('Conversations that you began by sending a request file.'),
  agent: () => vscode.l10n.t('Tasks that the agent lists and that were not started here. Send a message in one to make it your own chat.'),
  test: () =>
    vscode.l10n.t(
      'Conversations started by test runs and conformance checks. They do not count in the badge. The setting a2a.history.testRunsKeepDays sets how long they are kept.',
    ),
};

/** Facts that are looked up for the row. */
interface TooltipFacts {
  readonly listing?: Listing | undefined;
  readonly deviations?: readonly ShownDeviation[];
  /** The last call of a language model that sent a message in it. */
  readonly assistant?: AssistantCall | undefined;
}

/** The tooltip of a row, built when VS Code asks for it. */
export function tooltip(node: Node, { listing, deviations = [], assistant }: TooltipFacts = {}): vscode.MarkdownString | undefined {
  const lines = new TooltipLines();
  switch (node.kind) {
    case 'agent':
      return agentTooltip(node, listing, deviations);
    case 'context':
      lines.add(vscode.l10n.t('Title'), node.context.title);
      lines.add(vscode.l10n.t('Context'), node.context.contextId ?? vscode.l10n.t('not named by the agent yet'));
      // When another client of the agent began it is not known.
      lines.add(vscode.l10n.t('Started'), node.context.madeBy === 'agent' ? undefined : time(node.context.createdAt));
      lines.add(vscode.l10n.t('Tasks'), String(node.context.tasks));
      if (assistant !== undefined) lines.addSentence(translate(assistantSentence(assistant, String)));
      if (node.context.remoteOnly) lines.addSentence(vscode.l10n.t("Known only from the agent's task list."));
      return lines.markdown;
    case 'task':
      lines.add(vscode.l10n.t('Title'), node.task.title);
      lines.add(vscode.l10n.t('Task'), node.task.taskId);
      lines.add(vscode.l10n.t('State'), statePresentation[node.task.state].label());
      lines.add(vscode.l10n.t('Started'), node.task.createdAt === undefined ? undefined : time(node.task.createdAt));
      lines.add(vscode.l10n.t('Last change'), node.task.untimed ? undefined : time(node.task.updatedAt));
      lines.add(
        vscode.l10n.t('Last listed by the agent'),
        node.task.seenRemotelyAt === undefined ? undefined : time(node.task.seenRemotelyAt),
      );
      if (assistant !== undefined) lines.addSentence(translate(assistantSentence(assistant, String)));
      if (node.task.remoteOnly) lines.addSentence(vscode.l10n.t("Known only from the agent's task list."));
      return lines.markdown;
    case 'artifact':
      lines.add(vscode.l10n.t('Artifact'), node.summary.artifact.artifactId);
      lines.add(vscode.l10n.t('Name'), node.summary.artifact.name);
      lines.add(vscode.l10n.t('Description'), node.summary.artifact.description);
      lines.add(vscode.l10n.t('State'), arrivalText(node));
      lines.add(vscode.l10n.t('Updates'), String(node.summary.chunks));
      if (node.version?.same !== undefined)
        lines.add(
          vscode.l10n.t('Version'),
          `${node.version.version} · ${node.version.same === 'name' ? vscode.l10n.t('same name') : vscode.l10n.t('same artifact ID')}`,
        );
      lines.add(
        vscode.l10n.t('Revision'),
        node.version?.revision === undefined
          ? undefined
          : vscode.l10n.t('{0}; {1} earlier ones kept', node.version.revision, node.version.earlier ?? 0),
      );
      return lines.markdown;
    case 'maker':
      lines.add(vscode.l10n.t('Conversations'), node.count);
      lines.add(vscode.l10n.t('Conversations that wait for input'), node.waiting === 0 ? undefined : String(node.waiting));
      lines.addSentence(makerSentences[node.madeBy]());
      return lines.markdown;
    case 'period':
    case 'newChat':
    case 'more':
      return undefined;
  }
}

import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Listing } from '../../model/contexts/remoteListings.ts';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { Node } from './agentNodes.ts';
import { arrivalText } from './agentTreeItems.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { appendWords, oneLine, escapeControls, truncated } from '../platform/untrustedText.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { explain, translate } from '../platform/report.ts';
import { statePresentation } from '../platform/stateIcons.ts';

/** Longest line, in characters: the text comes from agents. */
const maxLineLength = 1_000;

/** Label of the only line that may be a link: the URL is the person's own, from the settings. */
const linked = 'URL';

const time = (at: number): string => new Date(at).toLocaleString(vscode.env.language);

function severityWord(severity: Agent['diagnosis'][number]['severity']): string {
  switch (severity) {
    case 'error':
      return vscode.l10n.t('Error');
    case 'warning':
      return vscode.l10n.t('Warning');
    case 'information':
      return vscode.l10n.t('Note');
  }
}

function listingWords({ state, tasks, more, problem }: Listing): string {
  switch (state) {
    case 'listing':
      return vscode.l10n.t('being listed…');
    case 'listed':
      return more ? vscode.l10n.t('{0} listed, there are more', tasks) : String(tasks);
    case 'unsupported':
      return vscode.l10n.t('it does not list them');
    case 'failed':
      return problem === undefined
        ? vscode.l10n.t('could not be listed')
        : vscode.l10n.t('could not be listed: {0}', explain(problem).message);
  }
}

/** Differences of the extended card from the public one, or why there is none. */
function extendedCardWords({ extendedCard }: Agent): readonly string[] {
  if (extendedCard === undefined) return [];
  if (extendedCard.kind === 'failed') return [translate(extendedCard.problem.sentence)];
  const { differences, unused } = extendedCard;
  const words = differences.length === 0 ? vscode.l10n.t('the same as the public one') : differences.map(translate).join(', ');
  return unused === undefined ? [words] : [words, vscode.l10n.t('not used: {0}', translate(unused.sentence))];
}

/**
 * The tooltip of a row, built when VS Code asks for it. What agents wrote is added as text, never as Markdown, which could contain links
 * that look like ours.
 */
export function tooltip(node: Node, listing?: Listing): vscode.MarkdownString | undefined {
  const markdown = new vscode.MarkdownString();
  const line = (label: string, value: string | undefined): void => {
    if (value === undefined || value === '') return;
    markdown.appendMarkdown(`**${label}:** `);
    if (label === linked) markdown.appendText(oneLine(value));
    else appendWords(markdown, truncated(oneLine(value), maxLineLength));
    markdown.appendMarkdown('\n\n');
  };
  switch (node.kind) {
    case 'agent': {
      const { agent, mistakes } = node;
      line(vscode.l10n.t('Agent'), agent?.card?.name ?? node.name);
      if (mistakes?.mistake !== undefined) {
        line(vscode.l10n.t('Mistake in the settings'), translate(mistakes.mistake));
        line(vscode.l10n.t('Next step'), vscode.l10n.t('Click the row to go to its entry in the settings.'));
      }
      for (const warning of mistakes?.warnings ?? []) line(vscode.l10n.t('Warning'), translate(warning));
      if (mistakes?.mistake !== undefined) return markdown;
      if (agent === undefined) {
        markdown.appendText(
          node.sample === true
            ? vscode.l10n.t(
                'This sample agent does not run. "A2A: Start Sample Agents" starts it again; what it knew of its tasks is gone.',
              )
            : vscode.l10n.t(
                'This agent is not configured. Its contexts are kept in the history, until you choose "Delete from History" for it.',
              ),
        );
        return markdown;
      }
      if (agent.card !== undefined)
        appendWords(
          markdown,
          escapeControls(truncated(withDirectionMarksSpelledOut(agent.card.description), maxLineLength)),
        ).appendMarkdown('\n\n');
      line(linked, agent.url);
      line(vscode.l10n.t('No card, the interface is given by you'), agent.noCard && translate(agent.noCard.sentence));
      line(vscode.l10n.t('Changed since it was used last'), agent.review.changes?.phrases.map(translate).join(', '));
      for (const { message, notes, key } of agent.review.signature?.signatures ?? []) {
        line(vscode.l10n.t('Signature'), [message, ...notes].map(translate).join(' '));
        line(vscode.l10n.t('Fingerprint of the key'), key?.thumbprint);
      }
      if (agent.review.signature?.signatures.length === 0) line(vscode.l10n.t('Signature'), translate(agent.review.signature.message));
      for (const problem of agent.review.signature?.problems ?? []) line(vscode.l10n.t('Signature'), translate(problem));
      for (const words of extendedCardWords(agent)) line(vscode.l10n.t('Extended card'), words);
      const { reachableAt, signedInAt, spokeAt, signInRefused } = agent.standing;
      const ago = (at: number | undefined): string => (at === undefined ? '' : relativeTime(at));
      if (agent.reachability === 'reachable') line(vscode.l10n.t('Seen to be reachable'), ago(reachableAt));
      if (agent.signIn.kind === 'signedIn') line(vscode.l10n.t('Took the sign-in'), signInRefused === true ? '' : ago(signedInAt));
      if (agent.chosen !== undefined) line(vscode.l10n.t('Answered in A2A {0}', agent.chosen.interface.protocolVersion), ago(spokeAt));
      line(vscode.l10n.t('Version'), agent.card?.version);
      if (agent.chosen !== undefined) line(vscode.l10n.t('Interface'), translate(agent.chosen.reason));
      line(
        vscode.l10n.t('Other interfaces'),
        agent.interfaces.offered
          .filter(({ chosen }) => !chosen)
          .slice(0, 20)
          .map(offer =>
            offer.obstacle === undefined
              ? interfaceName(offer.interface)
              : `${interfaceName(offer.interface)} (${translate(offer.obstacle)})`,
          )
          .join(', '),
      );
      line(
        vscode.l10n.t('Extensions'),
        agent.extensions
          .slice(0, 20)
          .map(({ uri, on }) => (on ? vscode.l10n.t('{0} (on)', uri) : uri))
          .join(', '),
      );
      line(
        vscode.l10n.t('Skills'),
        agent.card?.skills
          .slice(0, 20)
          .map(skill => skill.name)
          .join(', '),
      );
      if (agent.problem !== undefined) {
        const { message, nextStep } = explain(agent.problem);
        line(vscode.l10n.t('Problem'), message);
        line(vscode.l10n.t('Next step'), nextStep);
      }
      line(vscode.l10n.t('Tasks at the agent'), listing && listingWords(listing));
      for (const { finding, severity, sentence: what, suggestedFix } of agent.diagnosis.slice(0, 20)) {
        line(severityWord(severity), `${translate(what)} (${finding.rule}${finding.pointer === '' ? '' : ` ${finding.pointer}`})`);
        line(vscode.l10n.t('Suggested fix'), suggestedFix === undefined ? undefined : translate(suggestedFix.title));
      }
      return markdown;
    }
    case 'context':
      line(vscode.l10n.t('Title'), node.context.title);
      line(vscode.l10n.t('Context'), node.context.contextId ?? vscode.l10n.t('not named by the agent yet'));
      line(vscode.l10n.t('Started'), time(node.context.createdAt));
      line(vscode.l10n.t('Tasks'), String(node.context.tasks));
      if (node.context.remoteOnly) markdown.appendText(vscode.l10n.t('Known from the list of the agent alone.'));
      return markdown;
    case 'task':
      line(vscode.l10n.t('Title'), node.task.title);
      line(vscode.l10n.t('Task'), node.task.taskId);
      line(vscode.l10n.t('State'), statePresentation[node.task.state].label());
      line(vscode.l10n.t('Started'), time(node.task.createdAt));
      line(vscode.l10n.t('Last change'), time(node.task.updatedAt));
      line(vscode.l10n.t('Last listed by the agent'), node.task.seenRemotelyAt === undefined ? undefined : time(node.task.seenRemotelyAt));
      if (node.task.remoteOnly) markdown.appendText(vscode.l10n.t('Known from the list of the agent alone.'));
      return markdown;
    case 'artifact':
      line(vscode.l10n.t('Artifact'), node.summary.artifact.artifactId);
      line(vscode.l10n.t('Name'), node.summary.artifact.name);
      line(vscode.l10n.t('Description'), node.summary.artifact.description);
      line(vscode.l10n.t('State'), arrivalText(node));
      line(vscode.l10n.t('Updates'), String(node.summary.chunks));
      line(
        vscode.l10n.t('Revision'),
        node.version?.revision === undefined
          ? undefined
          : vscode.l10n.t('{0}; {1} earlier ones are kept', node.version.revision, node.version.earlier ?? 0),
      );
      return markdown;
    case 'testRuns':
      markdown.appendText(
        vscode.l10n.t(
          'Contexts that test runs and checks of conformance made. They are in no badge, and the setting a2a.history.testRunsKeepDays says how long they are kept.',
        ),
      );
      return markdown;
    case 'period':
    case 'newChat':
    case 'more':
      return undefined;
  }
}

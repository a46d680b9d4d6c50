import * as vscode from 'vscode';
import { faultText } from '../../mock/chosenFault.ts';
import { faults } from '../../mock/faults.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { ShownDeviation } from '../../chat/host/conformanceMessages.ts';
import type { Listing } from '../../model/contexts/remoteListings.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { explain, inARow, translate, translatedList } from '../platform/report.ts';
import type { AgentNode } from './agentNodes.ts';
import { TooltipLines } from './tooltipLines.ts';
import { type Finding, findingSentence, findingsIn } from '../../protocol/finding.ts';
import { listOf, sentence } from '../../protocol/problem.ts';

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

function listingWords({ state, tasks, more, reported, fault, problem, at }: Listing): string {
  switch (state) {
    case 'listing':
      return vscode.l10n.t('listing…');
    case 'listed':
      if (fault !== undefined) return vscode.l10n.t('{0} listed; the list ends there, although the agent names more pages', tasks);
      if (reported !== undefined) return vscode.l10n.t('{0} listed; the agent reports {1}', tasks, reported);
      return more ? vscode.l10n.t('{0} listed, more available', tasks) : vscode.l10n.t('{0} (listed {1})', tasks, relativeTime(at));
    case 'unsupported':
      return vscode.l10n.t('listing not supported');
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
  const words = differences.length === 0 ? vscode.l10n.t('the same as the public one') : translatedList(differences);
  return unused === undefined ? [words] : [words, vscode.l10n.t('not used: {0}', translate(unused.sentence))];
}

function addReview(lines: TooltipLines, agent: Agent): void {
  lines.add(vscode.l10n.t('No card, the interface was set by you'), agent.noCard && translate(agent.noCard.sentence));
  lines.add(vscode.l10n.t('Changed since last use'), agent.review.changes && translatedList(agent.review.changes.phrases));
  for (const { message, notes, key } of agent.review.signature?.signatures ?? []) {
    lines.add(vscode.l10n.t('Signature'), inARow(...[message, ...notes].map(translate)));
    lines.add(vscode.l10n.t('Fingerprint of the key'), key?.thumbprint);
  }
  if (agent.review.signature?.signatures.length === 0) lines.add(vscode.l10n.t('Signature'), translate(agent.review.signature.message));
  for (const problem of agent.review.signature?.problems ?? []) lines.add(vscode.l10n.t('Signature'), translate(problem));
  for (const words of extendedCardWords(agent)) lines.add(vscode.l10n.t('Extended card'), words);
}

function addStanding(lines: TooltipLines, agent: Agent): void {
  const { reachableAt, signedInAt, spokeAt, spokenVersion, signInRefused } = agent.standing;
  const ago = (at: number | undefined): string => (at === undefined ? '' : relativeTime(at));
  if (agent.reachability === 'reachable') lines.add(vscode.l10n.t('Last reachable'), ago(reachableAt));
  if (agent.withheld !== undefined)
    lines.add(vscode.l10n.t('Sign-in'), inARow(translate(agent.withheld.what), translate(agent.withheld.nextStep)));
  else if (agent.signIn.kind === 'signedIn')
    lines.add(vscode.l10n.t('Last accepted the sign-in'), signInRefused === true ? '' : ago(signedInAt));
  if (spokenVersion !== undefined) lines.add(vscode.l10n.t('Last answered in A2A {0}', spokenVersion), ago(spokeAt));
}

function addOffer(lines: TooltipLines, agent: Agent): void {
  lines.add(vscode.l10n.t('Version'), agent.card?.version);
  if (agent.chosen !== undefined) lines.add(vscode.l10n.t('Interface'), translate(agent.chosen.reason));
  lines.add(
    agent.chosen === undefined ? vscode.l10n.t('Interfaces') : vscode.l10n.t('Other interfaces'),
    translate(
      listOf(
        agent.interfaces.offered
          .filter(({ chosen }) => !chosen)
          .slice(0, 20)
          .map(offer =>
            offer.obstacle === undefined
              ? interfaceName(offer.interface)
              : sentence('{0} ({1})', interfaceName(offer.interface), offer.obstacle),
          ),
      ),
    ),
  );
  lines.add(
    vscode.l10n.t('Extensions'),
    translatedList(agent.extensions.slice(0, 20).map(({ uri, on }) => (on ? vscode.l10n.t('{0} (on)', uri) : uri))),
  );
  lines.add(vscode.l10n.t('Skills'), agent.card && translatedList(agent.card.skills.slice(0, 20).map(skill => skill.name)));
}

/** A finding in a card, with its rule and its place. */
export const findingText = (finding: Finding): string =>
  translate(sentence('{0} ({1})', findingSentence(finding), `${finding.rule}${finding.pointer === '' ? '' : ` ${finding.pointer}`}`));

/** The number of faults in a card, as a phrase. */
export function faultsText({ findings = [] }: Agent['review']): string {
  const count = findingsIn(findings);
  return count === 1 ? vscode.l10n.t('1 problem in the card') : vscode.l10n.t('{0} problems in the card', count);
}

/** The number of faults in the card, with the first two. */
function addCardFindings(lines: TooltipLines, { review }: Agent): void {
  const { findings: [first, ...others] = [] } = review;
  if (first === undefined) return;
  if (findingsIn([first, ...others]) === 1) return lines.add(faultsText(review), findingText(first));
  lines.add(faultsText(review), vscode.l10n.t('"Open Agent Card" shows them all.'));
  for (const finding of [first, ...others.slice(0, 1)]) lines.add(vscode.l10n.t('Warning'), findingText(finding));
}

function addDiagnosis(lines: TooltipLines, agent: Agent): void {
  for (const { finding, severity, suggestedFix } of agent.diagnosis.slice(0, 20)) {
    lines.add(severityWord(severity), findingText(finding));
    lines.add(vscode.l10n.t('Suggested fix'), suggestedFix === undefined ? undefined : translate(suggestedFix.title));
  }
}

/** The newest deviation, with the number of other rules. */
function addDeviations(lines: TooltipLines, [newest, ...others]: readonly ShownDeviation[]): void {
  if (newest === undefined) return;
  const { rule, message } = newest;
  const more =
    others.length === 1
      ? vscode.l10n.t('{0}: {1} (and 1 more rule)', rule, message)
      : vscode.l10n.t('{0}: {1} (and {2} more rules)', rule, message, others.length);
  lines.add(vscode.l10n.t('Deviates from the protocol'), others.length === 0 ? vscode.l10n.t('{0}: {1}', rule, message) : more);
}

/** The tooltip of an agent's row. */
export function agentTooltip(
  { name, agent, mistakes, sample, faults: chosen = [] }: AgentNode,
  listing: Listing | undefined,
  deviations: readonly ShownDeviation[],
): vscode.MarkdownString {
  const lines = new TooltipLines();
  lines.add(vscode.l10n.t('Agent'), agent?.card?.name ?? name);
  if (mistakes?.mistake !== undefined) {
    lines.add(vscode.l10n.t('Error in settings'), translate(mistakes.mistake));
    lines.add(vscode.l10n.t('Next step'), vscode.l10n.t('Click the row to go to its entry in the settings.'));
  }
  for (const warning of mistakes?.warnings ?? []) lines.add(vscode.l10n.t('Warning'), translate(warning));
  if (mistakes?.mistake !== undefined) return lines.markdown;
  if (agent === undefined) {
    lines.addSentence(
      sample === true
        ? vscode.l10n.t('This sample agent is not running. "A2A: Start Sample Agents" starts it again; it no longer has its earlier tasks.')
        : vscode.l10n.t(
            'This agent is not configured. Its contexts are kept in the history, until you choose "Delete from History" for it.',
          ),
    );
    return lines.markdown;
  }
  lines.add(vscode.l10n.t('Description'), agent.card?.description);
  lines.addUrl(agent.url);
  for (const fault of chosen)
    lines.add(vscode.l10n.t('Fault'), translate(sentence('{0}: {1}', faultText(fault), faults[fault.name].about)));
  addReview(lines, agent);
  addStanding(lines, agent);
  addOffer(lines, agent);
  if (agent.problem !== undefined) {
    const { message, nextStep } = explain(agent.problem);
    lines.add(vscode.l10n.t('Problem'), message);
    lines.add(vscode.l10n.t('Next step'), nextStep);
  }
  lines.add(vscode.l10n.t('Tasks at the agent'), listing && listingWords(listing));
  addDeviations(lines, deviations);
  addCardFindings(lines, agent);
  addDiagnosis(lines, agent);
  return lines.markdown;
}

import * as vscode from 'vscode';
import { faultText } from '../../mock/chosenFault.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { missingSecretOf } from '../../model/agents/agentHeaders.ts';
import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { isRequired } from '../../protocol/ruleId.ts';
import { plainCredential } from '../../request/template/plainCredential.ts';
import { contextValue } from '../platform/contextValues.ts';
import { translate, translatedList } from '../platform/report.ts';
import { agentClickOpensChat, isAddress, isConfigured } from '../platform/settings.ts';
import { escapeIcons, shortTitle } from '../platform/untrustedText.ts';
import { decorationUri, problemCountText, warningCountText } from './agentDecorations.ts';
import type { AgentNode } from './agentNodes.ts';
import { faultsText } from './agentTooltip.ts';
import { foreignOriginOf } from './foreignOrigin.ts';
import { checkedText, restartedText } from '../platform/relativeTime.ts';
import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';

/** The account that requests are sent with, or that a sign-in is needed. */
function signInText({ signIn, needsSignIn, withheld, standing: { signInRefused } }: Agent): string {
  if (signInRefused === true) return vscode.l10n.t('sign-in refused');
  if (needsSignIn) return vscode.l10n.t('sign in');
  if (signIn.kind !== 'signedIn') return '';
  if (withheld !== undefined) return vscode.l10n.t('sign-in not sent');
  const name = escapeIcons(shortTitle(signIn.account ?? (signIn.identity === 'default' ? '' : signIn.identity)));
  const who = name === '' ? vscode.l10n.t('signed in') : vscode.l10n.t('signed in as {0}', name);
  if (signIn.expiresAt === undefined) return who;
  const minutes = Math.max(0, Math.round((signIn.expiresAt - Date.now()) / 60_000));
  return minutes < 120 ? vscode.l10n.t('{0}, {1} min left', who, minutes) : vscode.l10n.t('{0}, {1} h left', who, Math.round(minutes / 60));
}

const reachabilityLooks: Readonly<Record<Agent['reachability'], { icon: string; color?: string; label: () => string }>> = {
  unknown: { icon: 'circle-large-outline', label: () => '' },
  checking: { icon: 'loading~spin', label: () => vscode.l10n.t('checking…') },
  reachable: { icon: 'circle-filled', color: 'charts.green', label: () => vscode.l10n.t('reachable') },
  unreachable: { icon: 'debug-disconnect', color: 'testing.iconFailed', label: () => vscode.l10n.t('unreachable') },
};

/** Version, and the binding unless it is JSON-RPC: a row is short, and its tooltip has both. */
const versionText = ({ protocolBinding, protocolVersion }: AgentInterface): string =>
  protocolBinding === 'JSONRPC' ? `A2A ${protocolVersion}` : `A2A ${protocolVersion} ${protocolBinding}`;

/** The row of an agent: state, sign-in, conformance and notices about its card. */
export function agentItem(node: AgentNode): vscode.TreeItem {
  const { name, agent, mistakes, sameUrlAs, faults, broken = 0, deviates, waiting = 0 } = node;
  if (mistakes?.mistake !== undefined) return mistakenItem(name, mistakes.mistake);
  if (agent === undefined) return unconfiguredItem(node);
  const look = reachabilityLooks[agent.reachability];
  const item = new vscode.TreeItem(escapeIcons(name), vscode.TreeItemCollapsibleState.Expanded);
  const secret = missingSecretOf(agent.problem);
  const state = secret === undefined ? look.label() : vscode.l10n.t('needs the secret {0}', escapeIcons(secret));
  const same = sameUrlAs === undefined ? '' : vscode.l10n.t('same address as "{0}"', escapeIcons(sameUrlAs));
  const configured = isConfigured(name);
  const notices = cardNotices(agent, configured);
  const { signature, changes } = agent.review;
  const version = agent.chosen === undefined ? '' : escapeIcons(versionText(agent.chosen.interface));
  const unchecked = agent.settings.tls?.rejectUnauthorized === false ? vscode.l10n.t('certificate not checked') : '';
  const signIn = signInText(agent);
  const conformance = conformanceText(broken, deviates === true);
  // A row is short: what its icon shows as well comes last, or not at all.
  const isReachable = secret === undefined && agent.reachability === 'reachable';
  const waitingText = waiting === 0 ? '' : vscode.l10n.t('{0} waiting', waiting);
  const fault = faults === undefined || faults.length === 0 ? '' : vscode.l10n.t('fault: {0}', faults.map(faultText).join(', '));
  item.description = [
    waitingText,
    fault,
    ...notices.urgent,
    broken > 0 ? conformance : '',
    unchecked,
    isReachable ? '' : state,
    signIn,
    version,
    same,
    broken > 0 ? '' : conformance,
    restartedText(agent),
    ...notices.quiet,
    checkedText(agent),
    isReachable && signIn === '' ? state : '',
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = new vscode.ThemeIcon(
    secret === undefined && !(agent.needsSignIn && agent.problem?.code === 'unauthorized') ? look.icon : 'key',
    look.color === undefined ? undefined : new vscode.ThemeColor(look.color),
  );
  item.contextValue = contextValue(
    'agent',
    configured && 'configured',
    faults !== undefined && 'own',
    (foreignOriginOf(agent.problem) ?? agent.withheld?.origin) !== undefined && 'foreign',
    agent.needsSignIn && 'locked',
    asksForSignIn(agent) && 'secured',
    agent.signIn.kind === 'signedIn' && 'unlocked',
    secret !== undefined && 'secret',
    Object.entries(agent.settings.headers ?? {}).some(header => plainCredential(...header) !== undefined) && 'plain',
    agent.card !== undefined && 'card',
    agent.extendedCard?.kind === 'found' && 'extended',
    agent.extensions.length > 0 && 'extensions',
    agent.diagnosis.some(({ suggestedFix }) => suggestedFix !== undefined) && 'fixable',
    (configured || agent.standing.restartedAt !== undefined) && changes !== undefined && 'changed',
    signature?.signatures.some(({ verdict, keysUrl }) => verdict === 'untrusted-key' && keysUrl !== undefined) === true && 'signer',
  );
  if (agentClickOpensChat()) item.command = { command: 'a2a.openContext', title: vscode.l10n.t('Open Chat'), arguments: [node] };
  item.resourceUri = decorationUri(name, agent.diagnosis, {
    settings: mistakes?.warnings.length ?? 0,
    card: broken > 0 ? [...notices.urgent, conformance] : notices.urgent,
    worst: signature?.verdict === 'invalid' ? 'error' : 'warning',
  });
  item.accessibilityInformation = {
    label: translatedList(
      [
        vscode.l10n.t('Agent {0}', escapeIcons(name)),
        waitingText,
        fault,
        state,
        restartedText(agent),
        checkedText(agent),
        unchecked,
        signIn,
        same,
        conformance,
        ...notices.urgent,
        ...notices.quiet,
        problemCountText(agent.diagnosis),
        warningCountText(mistakes?.warnings.length),
      ].filter(Boolean),
    ),
  };
  return item;
}

/** Conformance problems of the agent; "A2A: Check Conformance…" has the rest. */
function conformanceText(broken: number, deviates: boolean): string {
  if (broken > 0) return broken === 1 ? vscode.l10n.t('breaks 1 rule') : vscode.l10n.t('breaks {0} rules', broken);
  return deviates ? vscode.l10n.t('deviates from the protocol') : '';
}

/** True if signing in is possible: the card has schemes, the agent refused a request, or its TLS may require a certificate. */
const asksForSignIn = ({ needsSignIn, signIn, challenge, card, problem }: Agent): boolean =>
  needsSignIn ||
  signIn.kind !== 'none' ||
  challenge !== undefined ||
  (card === undefined ? problem?.code === 'tls' : Object.keys(card.securitySchemes ?? {}).length > 0);

/** An agent whose entry in the settings is invalid: a click opens the entry. */
function mistakenItem(name: string, mistake: LocalizedMessage): vscode.TreeItem {
  const label = escapeIcons(name) || vscode.l10n.t('(no name)');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.description = escapeIcons(translate(mistake));
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.contextValue = contextValue('mistaken');
  item.accessibilityInformation = {
    label: translatedList([
      vscode.l10n.t('Agent {0}', label),
      sentence('{0}: {1}', vscode.l10n.t('Error'), escapeIcons(translate(mistake))),
    ]),
  };
  item.command = { command: 'a2a.openAgentSettings', title: vscode.l10n.t('Open Agent Settings'), arguments: [name] };
  return item;
}

/** An agent that is only in the history: removed, a stopped sample agent, one of a debug session that has ended, or a URL in a request file. */
function unconfiguredItem({ name, sample, debugged, waiting = 0 }: AgentNode): vscode.TreeItem {
  const item = new vscode.TreeItem(escapeIcons(name), vscode.TreeItemCollapsibleState.Collapsed);
  const words =
    sample === true
      ? vscode.l10n.t('stopped, start it again')
      : debugged === true
        ? vscode.l10n.t('debug session ended, press F5')
        : vscode.l10n.t('not configured');
  item.description = waiting === 0 ? words : `${vscode.l10n.t('{0} waiting', waiting)} · ${words}`;
  item.iconPath = new vscode.ThemeIcon(sample === true || debugged === true ? 'debug-disconnect' : 'archive');
  item.contextValue = contextValue('unconfigured', sample === true && 'sample', isAddress(name) && 'address');
  item.accessibilityInformation = { label: translatedList([vscode.l10n.t('Agent {0}', escapeIcons(name)), words]) };
  return item;
}

/** Maximum number of changes in a row; the tooltip has all. */
const fewPhrases = 3;

/** The signer of a card, as a phrase. */
function signatureText(signature: SignatureReport): string {
  const signer = signature.signatures.find(({ verdict }) => verdict === signature.verdict)?.key?.signer ?? '';
  switch (signature.verdict) {
    case 'valid':
      return vscode.l10n.t('signed by {0}', escapeIcons(signer));
    case 'partial':
      return vscode.l10n.t('signed in part by {0}', escapeIcons(signer));
    case 'invalid':
      return vscode.l10n.t('signature does not match');
    case 'expired-key':
      return vscode.l10n.t('signing key is expired or revoked');
    case 'keys-unavailable':
    case 'untrusted-key':
    case 'unknown-key':
      return vscode.l10n.t('signed, not verified');
    case 'unsupported':
    case 'malformed':
      return vscode.l10n.t('signature cannot be checked');
  }
}

/** Changes in a card since it was used last, as a phrase. */
function changesText({ review: { changes } }: Agent): string {
  if (changes === undefined) return '';
  const phrases = changes.phrases.slice(0, fewPhrases).map(phrase => escapeIcons(translate(phrase)));
  return vscode.l10n.t('card changed: {0}', translatedList([...phrases, ...(changes.phrases.length > fewPhrases ? ['…'] : [])]));
}

/** True for a card that breaks a MUST: such findings come first. */
const isInvalid = ({ findings: [first] = [] }: Agent['review']): boolean => first !== undefined && isRequired(first.rule);

/** Notices about an agent's card in its row. */
interface CardNotices {
  /** Notices that need attention: changes, an invalid signature, then faults. Of lesser faults only the tooltip has the number. */
  readonly urgent: readonly string[];
  readonly quiet: readonly string[];
}

/**
 * @param isConfigured false for sample agents and mocks, whose cards change on purpose: their changes are left out. Those of an agent that
 * was started again are quiet.
 */
function cardNotices(agent: Agent, isConfigured: boolean): CardNotices {
  const { signature } = agent.review;
  const changes = isConfigured ? changesText(agent) : '';
  const changesByRestart = !isConfigured && agent.standing.restartedAt !== undefined ? changesText(agent) : '';
  const signed = signature === undefined ? '' : signatureText(signature);
  const isWrong = signature?.verdict === 'invalid' || signature?.verdict === 'expired-key';
  return {
    // A change of the signature is not listed twice.
    urgent: [changes, isWrong && !changes.includes(signed) ? signed : '', isInvalid(agent.review) ? faultsText(agent.review) : ''].filter(
      Boolean,
    ),
    quiet: [changesByRestart, agent.noCard !== undefined ? vscode.l10n.t('no card: interface set by you') : isWrong ? '' : signed].filter(
      Boolean,
    ),
  };
}

import * as vscode from 'vscode';
import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { translate, translatedList } from '../platform/report.ts';
import { escapeIcons } from '../platform/untrustedText.ts';

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

/** Notices about an agent's card in its row. */
interface CardNotices {
  /** Notices that need attention: changes, then an invalid signature. */
  readonly urgent: readonly string[];
  readonly quiet: readonly string[];
}

/** @param isConfigured false for sample agents and mocks, whose cards change on purpose: their changes are left out */
export function cardNotices(agent: Agent, isConfigured: boolean): CardNotices {
  const { signature } = agent.review;
  const changes = isConfigured ? changesText(agent) : '';
  const signed = signature === undefined ? '' : signatureText(signature);
  const isWrong = signature?.verdict === 'invalid' || signature?.verdict === 'expired-key';
  return {
    // A change of the signature is not listed twice.
    urgent: [changes, isWrong && !changes.includes(signed) ? signed : ''].filter(Boolean),
    quiet: agent.noCard !== undefined ? [vscode.l10n.t('no card: interface set by you')] : isWrong || signed === '' ? [] : [signed],
  };
}

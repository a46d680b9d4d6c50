import * as vscode from 'vscode';
import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { translate } from '../platform/report.ts';
import { escapeIcons } from '../platform/untrustedText.ts';

/** Most changes that a row tells; the tooltip has all. */
const fewPhrases = 3;

/** Who signed a card, as a phrase. */
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

/** What changed in a card since it was used last, as a phrase. */
function changesText({ review: { changes } }: Agent): string {
  if (changes === undefined) return '';
  const phrases = changes.phrases.slice(0, fewPhrases).map(phrase => escapeIcons(translate(phrase)));
  return vscode.l10n.t('card changed: {0}', [...phrases, ...(changes.phrases.length > fewPhrases ? ['…'] : [])].join(', '));
}

/** What a row tells about an agent's card besides what the card says. */
interface CardNotices {
  /** What a person should look at: changes, then a signature that is wrong. */
  readonly urgent: readonly string[];
  readonly quiet: readonly string[];
}

/** @param isConfigured cards of sample agents and mocks change as the person wants it: that is not told */
export function cardNotices(agent: Agent, isConfigured: boolean): CardNotices {
  const { signature } = agent.review;
  const changes = isConfigured ? changesText(agent) : '';
  const signed = signature === undefined ? '' : signatureText(signature);
  const isWrong = signature?.verdict === 'invalid' || signature?.verdict === 'expired-key';
  return {
    // A change of the signature is not told twice.
    urgent: [changes, isWrong && !changes.includes(signed) ? signed : ''].filter(Boolean),
    quiet: agent.noCard !== undefined ? [vscode.l10n.t('no card: given by you')] : isWrong || signed === '' ? [] : [signed],
  };
}

import * as vscode from 'vscode';
import type { CardLoss } from '../../protocol/versions/v0_3/writeCard0_3.ts';

/** One sentence about what was lost when a card was converted. */
export function conversionLossText(losses: readonly CardLoss[], to: '1.0' | '0.3'): string {
  const sentences: Readonly<Record<CardLoss['reason'], string>> = {
    'no-0.3-interface': vscode.l10n.t('no interface says that it supports 0.3, so check that the agent does'),
    'version-per-interface': vscode.l10n.t('interfaces of other versions'),
    tenant: vscode.l10n.t('tenants'),
    'device-code': vscode.l10n.t('the device code flow'),
    pkce: vscode.l10n.t('that PKCE is required'),
    signatures: vscode.l10n.t('signatures, which are over the card as it was'),
  };
  const reasons = [...new Set(losses.map(({ reason }) => sentences[reason]))];
  return vscode.l10n.t('Written as {0}. Lost or changed: {1}.', to, reasons.join('; '));
}

import * as vscode from 'vscode';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { translate } from '../platform/report.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import type { Conformance } from './conformanceParts.ts';
import { saveReport } from '../documents/savedFile.ts';

/** Asks for a format and a file, and writes the report there, with every known secret value masked. Rejects as `saveReport`. */
export async function exportReport(kept: CheckReport, parts: Conformance): Promise<void> {
  const report = secretsToMask.maskIn(kept);
  const formats = [
    {
      label: 'HTML',
      detail: vscode.l10n.t('A single page without scripts'),
      extension: 'html',
      text: () => parts.htmlReport(report, translate, vscode.env.language),
    },
    { label: 'Markdown', detail: '', extension: 'md', text: () => parts.markdownReport(report, translate) },
    {
      label: 'JSON',
      detail: vscode.l10n.t('One JSON object per line for each rule and interface'),
      extension: 'jsonl',
      text: () => parts.checkLinesText(report),
    },
    { label: 'JUnit', detail: vscode.l10n.t('For CI services'), extension: 'xml', text: () => parts.junitReport(report) },
    { label: vscode.l10n.t('Badge (SVG)'), detail: vscode.l10n.t('For a README'), extension: 'svg', text: () => parts.checkBadge(report) },
  ];
  const format = await vscode.window.showQuickPick(formats, { placeHolder: vscode.l10n.t('Export the report as') });
  if (format === undefined) return;
  await saveReport(`conformance ${report.agent.name}`, format.extension, format.label, format.text());
}

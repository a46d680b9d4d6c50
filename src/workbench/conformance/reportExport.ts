import * as vscode from 'vscode';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { safeFileName, withExtension } from '../../model/fileNames.ts';
import { translate } from '../platform/report.ts';
import type { Conformance } from './conformanceParts.ts';

/** Asks for a format and a file, and writes the report there. */
export async function exportReport(report: CheckReport, parts: Conformance): Promise<void> {
  const formats = [
    {
      label: 'HTML',
      detail: vscode.l10n.t('One page without scripts'),
      extension: 'html',
      text: () => parts.htmlReport(report, translate, vscode.env.language),
    },
    { label: 'Markdown', detail: '', extension: 'md', text: () => parts.markdownReport(report, translate) },
    {
      label: 'JSON',
      detail: vscode.l10n.t('An object a line for each rule and interface'),
      extension: 'jsonl',
      text: () => parts.checkLinesText(report),
    },
    { label: 'JUnit', detail: vscode.l10n.t('For CI services'), extension: 'xml', text: () => parts.junitReport(report) },
    { label: vscode.l10n.t('Badge (SVG)'), detail: vscode.l10n.t('For a README'), extension: 'svg', text: () => parts.checkBadge(report) },
  ];
  const format = await vscode.window.showQuickPick(formats, { placeHolder: vscode.l10n.t('Export the report as') });
  if (format === undefined) return;
  const name = withExtension(safeFileName(`conformance ${report.agent.name}`, 'conformance'), format.extension);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [format.label]: [format.extension] },
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(format.text()));
}

import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { safeFileName } from '../../model/fileNames.ts';
import { recordingText } from '../../recording/recording.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import { ownVersion, writeExport } from '../documents/savedFile.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { issueReport } from './issueReport.ts';
import { askForRecording, askForRecordingFile, recordableOf } from './recordingExport.ts';

/**
 * `A2A: Copy Issue Report…`: saves a recording of a context or task, once the person has seen what is replaced in it, and copies a report
 * that goes with it. Rejects with a `Problem`: `nothing-recorded` or `not-saved`.
 */
export async function copyIssueReport(contexts: AgentContexts, agents: Agents, item: HistoryItem): Promise<void> {
  const recording = await askForRecording(recordableOf(contexts, item), agents, {
    question: vscode.l10n.t('Save a recording, and copy an issue report?'),
    further: vscode.l10n.t('The report is copied to the clipboard, in English. Attach the saved recording to it.'),
  });
  if (recording === undefined) return;
  // The title of the conversation may have what was replaced.
  const target = await askForRecordingFile(safeFileName((recording.agent.name ?? '').slice(0, 60), 'agent'));
  if (target === undefined) return;
  await writeExport(target, Readable.from([recordingText(recording)]));
  const file = target.path.split('/').at(-1) ?? '';
  await vscode.env.clipboard.writeText(await issueReport(recording, { file, version: ownVersion() }));
  void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('The report is in the clipboard. Attach {0} to it.', file)));
}

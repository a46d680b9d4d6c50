import * as vscode from 'vscode';
import type { Confirmation } from '../../../model/requests/sendContext.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import type { FileEnvironment } from './fileEnvironments.ts';

const isYes = async (question: string): Promise<boolean> => {
  const send = vscode.l10n.t('Send');
  return (await vscode.window.showWarningMessage(escapeLinks(question), { modal: true }, send)) === send;
};

/** Asks the question of a request with `confirm`. */
export const confirmRequest = ({ entry, question }: Confirmation): Promise<boolean> =>
  isYes(question ?? vscode.l10n.t('Send "{0}"?', requestTitle(entry)));

/** Asks before anything is sent with an environment that is marked as production. */
export async function confirmEnvironment({ name, production }: FileEnvironment): Promise<boolean> {
  return !production || isYes(vscode.l10n.t('Send in the environment "{0}"? It is marked as production.', name ?? ''));
}

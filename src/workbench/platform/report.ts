import * as vscode from 'vscode';
import { mendedByCard } from '../../protocol/mendedByCard.ts';
import { mendedBySignIn } from '../../protocol/mendedBySignIn.ts';
import { filled, listOf, Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import { missingSecretOf } from '../../model/agents/agentHeaders.ts';
import { helpPages } from '../help/helpPages.ts';
import { log, logError } from './log.ts';
import { escapeControls, escapeLinks } from './untrustedText.ts';
import { secretsToMask } from './shownSecrets.ts';

/** A sentence in VS Code's display language. */
export function translate({ template, args }: LocalizedMessage): string {
  return filled(vscode.l10n.t(template), args, translate);
}

/** A list in VS Code's display language: `a, b, c`. */
export const translatedList = (items: LocalizedMessage['args']): string => translate(listOf(items));

/** Sentences one after another; a full-width full stop has the space after it in itself. */
export const inARow = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter(Boolean).join(' ').replaceAll('。 ', '。');

/** Message for anything that was thrown: the cause and, where there is one, the next step. */
export function explain(error: unknown): { message: string; nextStep?: string; details?: string } {
  if (error instanceof Problem) {
    return {
      message: escapeControls(translate(error.sentence)),
      nextStep: error.nextStep === undefined ? undefined : secretsToMask.mask(translate(error.nextStep)),
      details: error.details === undefined ? undefined : secretsToMask.mask(error.details),
    };
  }
  return {
    message: vscode.l10n.t(
      'Internal error in A2A Workbench: {0}',
      secretsToMask.mask(error instanceof Error ? error.message : String(error)),
    ),
    nextStep: vscode.l10n.t('The log has the details.'),
  };
}

/** The page of the documentation that helps with what was thrown, where there is one. */
const pageFor = (error: unknown): string | undefined => (error instanceof Problem ? helpPages[error.code] : undefined);

/** Message under an input box for anything that was thrown; it may have a link to the documentation. */
export function explainInBox(error: unknown): string {
  const { message, nextStep } = explain(error);
  const page = pageFor(error);
  const link =
    page === undefined
      ? undefined
      : `[${vscode.l10n.t('Learn More')}](command:a2a.openDocumentation?${encodeURIComponent(JSON.stringify([page]))})`;
  return inARow(escapeLinks(inARow(message, nextStep)), link);
}

/** Buttons for the next step, by the code of the problem. */
const helps: Readonly<
  Record<string, { readonly title: () => string; readonly command: string; readonly argument?: (error: Problem) => unknown }>
> = {
  untrusted: { title: () => vscode.l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
  'secret-missing': { title: () => vscode.l10n.t('Set Secret…'), command: 'a2a.setSecret', argument: missingSecretOf },
};

function helpFor(problem: Problem): (typeof helps)[string] | undefined {
  if (mendedBySignIn.includes(problem.code)) return { title: () => vscode.l10n.t('Sign In…'), command: 'a2a.signIn' };
  return mendedByCard(problem) ? { title: () => vscode.l10n.t('Reload Card'), command: 'a2a.refresh' } : helps[problem.code];
}

/**
 * Shows an error with its next step and writes it to the log. Only an internal error (anything but a `Problem`) is logged with its stack.
 */
export async function report(error: unknown): Promise<void> {
  const { message, nextStep, details } = explain(error);
  if (error instanceof Problem) log.warn(`${error.code}: ${message}${details === undefined ? '' : `\n${escapeControls(details)}`}`);
  else logError(error);
  const showLog = vscode.l10n.t('Show Log');
  const learnMore = vscode.l10n.t('Learn More');
  const help = error instanceof Problem ? helpFor(error) : undefined;
  const page = pageFor(error);
  const choice = await vscode.window.showErrorMessage(
    escapeLinks(inARow(message, nextStep)),
    ...(help === undefined ? [] : [help.title()]),
    ...(page === undefined ? [] : [learnMore]),
    showLog,
  );
  if (choice === showLog) log.show();
  else if (choice === learnMore) await vscode.commands.executeCommand('a2a.openDocumentation', page);
  else if (choice !== undefined && help !== undefined)
    await vscode.commands.executeCommand(help.command, ...(help.argument === undefined ? [] : [help.argument(error as Problem)]));
}

/**
 * Shows what a command has done, with a button that undoes it. The command does not wait for the answer.
 * @param message may contain text of agents
 * @param further what may be done besides
 */
export function offerUndo(
  message: string,
  undo: () => PromiseLike<unknown>,
  further?: { readonly title: string; readonly action: () => PromiseLike<unknown> },
): void {
  const button = vscode.l10n.t('Undo');
  void vscode.window
    .showInformationMessage(escapeLinks(message), button, ...(further === undefined ? [] : [further.title]))
    .then(choice => (choice === button ? undo() : choice === undefined ? undefined : further?.action()))
    .then(undefined, report);
}

/** An error as VS Code's dialogs show it. */
export function explained(error: unknown): string {
  const { message, nextStep } = explain(error);
  return inARow(message, nextStep);
}

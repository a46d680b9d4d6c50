import * as vscode from 'vscode';
import { problemsInWorld } from '../../../request/language/contextProblems.ts';
import type { RequestProblem } from '../../../request/text/requestProblem.ts';
import type { LanguageContexts } from './languageContexts.ts';

/** What is wrong with a document besides what the JSON schema tells. */
export const shownProblems = (worlds: LanguageContexts, document: vscode.TextDocument): readonly RequestProblem[] => {
  const known = worlds.of(document);
  // Without trust environments are not read, so a name that the file does not know may be one of theirs.
  const isShown = ({ inSchema, code }: RequestProblem): boolean =>
    inSchema !== true && (vscode.workspace.isTrusted || code !== 'unknown-name');
  return known === undefined ? [] : problemsInWorld(known.file, known.world).filter(isShown);
};

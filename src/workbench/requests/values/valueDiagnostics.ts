import { basename } from 'node:path';
import * as vscode from 'vscode';
import { environmentProblems } from '../../../request/check/environmentProblems.ts';
import { environmentFileNames } from '../../../request/values/environmentFileNames.ts';
import type { RequestProblem } from '../../../request/text/requestProblem.ts';
import { DocumentDiagnostics } from '../../platform/documentDiagnostics.ts';
import type { FileEnvironments } from './fileEnvironments.ts';
import { defaultsFileName } from '../../../request/file/folderDefaults.ts';
import { defaultsProblems } from '../../../request/check/folderDefaults.ts';

const names: ReadonlySet<string> = new Set(Object.values(environmentFileNames));
const isEnvironmentDocument = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'file' && names.has(basename(uri.fsPath));

/** Publishes diagnostics for problems in environment files that their JSON schema cannot find. */
export function environmentDiagnostics(environments: FileEnvironments): vscode.Disposable {
  const problems = (document: vscode.TextDocument): readonly RequestProblem[] => {
    const around = environments.around(document.uri);
    return environmentProblems(document.getText(), name => (around === undefined ? undefined : new Set(around.values(name).keys()))).filter(
      ({ inSchema }) => inSchema !== true,
    );
  };
  return new DocumentDiagnostics({ includes: isEnvironmentDocument, problems, onDidChange: environments.onDidChange });
}

const isDefaultsDocument = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'file' && basename(uri.fsPath) === defaultsFileName;

/** Publishes diagnostics for problems in `a2a.defaults.json` files, besides the syntax of JSON. */
export const defaultsDiagnostics = (): vscode.Disposable =>
  new DocumentDiagnostics({
    includes: isDefaultsDocument,
    problems: async document => {
      return defaultsProblems(document.getText()).filter(({ inSchema }) => inSchema !== true);
    },
  });

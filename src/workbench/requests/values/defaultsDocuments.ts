import { basename } from 'node:path';
import type * as vscode from 'vscode';
import { defaultsFileName } from '../../../request/file/folderDefaults.ts';
import { DocumentDiagnostics } from '../../platform/documentDiagnostics.ts';
import { defaultsProblems } from '../../../request/check/folderDefaults.ts';

const isDefaultsDocument = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'file' && basename(uri.fsPath) === defaultsFileName;

/** Publishes diagnostics for problems in `a2a.defaults.json` files, besides the syntax of JSON. */
export const defaultsDiagnostics = (): vscode.Disposable =>
  new DocumentDiagnostics({
    includes: isDefaultsDocument,
    problems: async document => {
      return defaultsProblems(document.getText()).filter(({ inSchema }) => inSchema !== true);
    },
  });

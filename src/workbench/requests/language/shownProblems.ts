import * as vscode from 'vscode';
import { problemsInContext } from '../../../request/language/contextProblems.ts';
import type { RequestProblem } from '../../../request/text/requestProblem.ts';
import { isMarkdown } from '../../documents/requestDocuments.ts';
import type { LanguageContexts } from './languageContexts.ts';

/** Problems of a document that its JSON schema cannot find. */
export const shownProblems = (languageContexts: LanguageContexts, document: vscode.TextDocument): readonly RequestProblem[] => {
  const known = languageContexts.of(document);
  const own = vscode.extensions.getExtension('a2a-workbench.a2a-workbench')?.extensionUri.toString();
  // The agents of examples in the documentation, which comes with the extension, need not be there.
  const isExample = own !== undefined && document.uri.toString().startsWith(`${own}/`);
  // Without workspace trust no environments are read, so an unknown name may be a variable of one.
  const isShown = ({ inSchema, code }: RequestProblem): boolean =>
    // VS Code's JSON support does not reach into Markdown.
    (inSchema !== true || isMarkdown(document)) &&
    (vscode.workspace.isTrusted || code !== 'unknown-name') &&
    !(isExample && code === 'unknown-agent');
  return known === undefined ? [] : [...known.file.syntaxErrors, ...problemsInContext(known.file, known.context)].filter(isShown);
};

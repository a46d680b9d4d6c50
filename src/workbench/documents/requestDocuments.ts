import * as vscode from 'vscode';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { readRequestFile } from '../../request/check/readRequestFile.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import type { Values } from '../../request/text/value.ts';
import { isWritable } from '../platform/writableDocuments.ts';

export const requestLanguage = 'a2a';

/** True for request files that can be edited. Earlier versions that Git shows are neither sent nor checked. */
export const isRequestDocument = ({ languageId, uri }: vscode.TextDocument): boolean =>
  languageId === requestLanguage && isWritable({ uri });

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly values: Values; readonly file: RequestFile }>();

/** The requests of a document with the variables of its environment; parsed once per document version. */
export function parsedRequestFile(document: vscode.TextDocument, values: Values): RequestFile {
  const known = read.get(document);
  if (known?.version === document.version && known.values === values) return known.file;
  const file = readRequestFile(document.getText(), { names: new Set(values.keys()), bounded: true });
  read.set(document, { version: document.version, values, file });
  return file;
}

/** The request at an offset: the one that contains it, else the next one, else the last. */
export function requestAt(file: RequestFile, offset: number): RequestEntry | undefined {
  return file.requests.find(({ range }) => offset <= range.offset + range.length) ?? file.requests.at(-1);
}

/** The name of a request in the user interface. */
export const requestTitle = ({ name, index }: RequestEntry): string => name ?? vscode.l10n.t('Request {0}', index + 1);

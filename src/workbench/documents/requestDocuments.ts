import * as vscode from 'vscode';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { readRequestFile } from '../../request/check/readRequestFile.ts';
import type { ReadImports } from '../../request/file/imports.ts';
import type { FolderDefaults } from '../../request/file/folderDefaults.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import { hasRequestFence } from '../../request/text/markdownFences.ts';
import type { Values } from '../../request/text/value.ts';
import { isWritable } from '../platform/writableDocuments.ts';

export const requestLanguage = 'a2a';
const markdownLanguage = 'markdown';

/** Documents that have requests, or may have them: in Markdown they stand in fences. */
export const requestSelector: vscode.DocumentSelector = [{ language: requestLanguage }, { language: markdownLanguage }];

export const isMarkdown = ({ languageId }: Pick<vscode.TextDocument, 'languageId'>): boolean => languageId === markdownLanguage;

/**
 * True for request files that can be edited, and for Markdown documents with a fence of requests. Earlier versions that Git shows are
 * neither sent nor checked.
 */
export const isRequestDocument = (document: vscode.TextDocument): boolean =>
  (document.languageId === requestLanguage || (isMarkdown(document) && hasFence(document))) && isWritable(document);

const fenced = new WeakMap<vscode.TextDocument, { readonly version: number; readonly found: boolean }>();

function hasFence(document: vscode.TextDocument): boolean {
  const known = fenced.get(document);
  if (known?.version === document.version) return known.found;
  const found = hasRequestFence(document.getText());
  fenced.set(document, { version: document.version, found });
  return found;
}

/** Values and defaults that apply to a request file. */
interface Around {
  readonly values: Values;
  readonly defaults: FolderDefaults;
}

const read = new WeakMap<
  vscode.TextDocument,
  { readonly version: number; readonly around: Around & { readonly imports: ReadImports }; readonly file: RequestFile }
>();

/**
 * The requests of a document with the variables of its environment, the defaults of its folder and the files that it imports; parsed once
 * per document version.
 */
export function parsedRequestFile(document: vscode.TextDocument, { values, defaults }: Around, imports: ReadImports): RequestFile {
  const known = read.get(document);
  if (
    known?.version === document.version &&
    known.around.values === values &&
    known.around.defaults === defaults &&
    known.around.imports === imports
  )
    return known.file;
  const file = readRequestFile(document.getText(), {
    names: new Set(values.keys()),
    defaults,
    imports,
    markdown: isMarkdown(document),
    bounded: true,
  });
  read.set(document, { version: document.version, around: { values, defaults, imports }, file });
  return file;
}

/** The request at an offset: the one that contains it, else the next one, else the last. */
export function requestAt(file: RequestFile, offset: number): RequestEntry | undefined {
  return file.requests.find(({ range }) => offset <= range.offset + range.length) ?? file.requests.at(-1);
}

/** The name of a request in the user interface. */
export const requestTitle = ({ name, index }: RequestEntry): string => name ?? vscode.l10n.t('Request {0}', index + 1);

import * as vscode from 'vscode';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { joinText } from '../../../protocol/message/transcript.ts';
import type { PartFiles } from '../../documents/partDocument.ts';
import { partFile } from '../../../model/partFile.ts';

/** Members that stand below the answer. They are folded when the document is first shown, so that the first screen is the answer. */
const folded = new Set(['result', 'timings', 'interface', 'findings', 'exchanges']);
/** The document is indented by two, so this matches only a member of its root, never text of an agent. */
const rootMember = /^ {2}"(\w+)": [[{]$/;
const rootEnd = /^ {2}[\]}],?$/;
const artifactLink = /^ {6}"link": "#\/result\/task\/artifacts\/(\d+)\/parts\/(\d+)",?$/;

/** Folding ranges of the text below the answer of a response's document. */
export function foldedBelowAnswer(document: vscode.TextDocument): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  let begun: number | undefined;
  for (let line = 0; line < document.lineCount; line++) {
    const { text } = document.lineAt(line);
    const name = rootMember.exec(text)?.[1];
    if (name !== undefined && folded.has(name)) begun = line;
    else if (begun !== undefined && rootEnd.test(text)) {
      ranges.push(new vscode.FoldingRange(begun, line - 1, vscode.FoldingRangeKind.Imports));
      begun = undefined;
    }
  }
  return ranges;
}

interface ShownResponses {
  /** The content of a document. */
  readonly runOf: (document: vscode.TextDocument) => RequestRun | undefined;
  /** The text of its document as it would be made now. */
  readonly textOf: (run: RequestRun) => Promise<string>;
}

/** Folding and links of responses. */
export class ResponseReading implements vscode.FoldingRangeProvider, vscode.DocumentLinkProvider {
  readonly #runOf: ShownResponses['runOf'];
  readonly #textOf: ShownResponses['textOf'];
  readonly #partFiles: PartFiles;

  constructor({ runOf, textOf }: ShownResponses, partFiles: PartFiles) {
    this.#runOf = runOf;
    this.#textOf = textOf;
    this.#partFiles = partFiles;
  }

  /**
   * VS Code folds ranges that are called imports when it opens a document (`editor.foldingImportsByDefault`), once: a text that is replaced
   * afterwards keeps what is folded, wherever that now is. So there are none while a request runs, nor for a text of before its end, and each
   * run has a document of its own.
   */
  async provideFoldingRanges(document: vscode.TextDocument): Promise<vscode.FoldingRange[]> {
    const run = this.#runOf(document);
    return run === undefined || run.running || document.getText() !== (await this.#textOf(run)) ? [] : foldedBelowAnswer(document);
  }

  /** Each artifact's link opens its part in VS Code's own editor. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const run = this.#runOf(document);
    if (run === undefined) return [];
    const links: vscode.DocumentLink[] = [];
    for (let line = 0; line < document.lineCount; line++) {
      const { text } = document.lineAt(line);
      if (text.startsWith('  "result"')) break;
      const [, artifact, part] = artifactLink.exec(text) ?? [];
      if (artifact === undefined || part === undefined) continue;
      const link = new vscode.DocumentLink(new vscode.Range(line, text.indexOf('#'), line, text.lastIndexOf('"')));
      link.tooltip = vscode.l10n.t('Open Part');
      links.push(Object.assign(link, { artifact: Number(artifact), part: Number(part), run }));
    }
    return links;
  }

  resolveDocumentLink(link: vscode.DocumentLink & { artifact?: number; part?: number; run?: RequestRun }): vscode.DocumentLink {
    const artifact = link.run?.task?.artifacts?.[link.artifact ?? -1];
    const part = artifact === undefined ? undefined : joinText(artifact.parts)[link.part ?? -1];
    // Addresses that an agent wrote are no links of ours.
    if (part === undefined || 'url' in part) return link;
    link.target = this.#partFiles.put(`${link.run?.startedAt}-${link.artifact}-${link.part}`, partFile(part, artifact?.name));
    return link;
  }
}

import * as vscode from 'vscode';
import { appendWords, oneLine, truncated } from '../platform/untrustedText.ts';

/** Longest line, in characters: the text comes from agents. */
const maxLineLength = 1_000;

/**
 * A tooltip of labelled lines. Text of agents is added as text, never as Markdown, which could contain links that look like ours.
 */
export class TooltipLines {
  readonly markdown = new vscode.MarkdownString();

  /** Adds a line; none without a value. */
  add(label: string, value: string | undefined): void {
    if (value !== undefined && value !== '')
      appendWords(this.#label(label), truncated(oneLine(value), maxLineLength)).appendMarkdown('\n\n');
  }

  /** Adds the only line that may be a link: the URL is the person's own, from the settings. */
  addUrl(url: string): void {
    this.#label('URL').appendText(oneLine(url)).appendMarkdown('\n\n');
  }

  /** Adds a sentence of ours. */
  addSentence(sentence: string): void {
    this.markdown.appendText(sentence);
  }

  #label(label: string): vscode.MarkdownString {
    const words = vscode.l10n.t('{0}: {1}', label, '');
    // A full-width colon has the space after it in itself.
    return this.markdown.appendMarkdown(`**${words.trimEnd()}**${words.endsWith(' ') ? ' ' : ''}`);
  }
}

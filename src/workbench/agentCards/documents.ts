import * as vscode from 'vscode';
import type { CardProblem } from '../../card/cardProblem.ts';
import { cardValue, readCardText, type CardText } from '../../card/cardText.ts';
import { recordingSuffix } from '../../recording/recordingSuffix.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { openPickedFile } from '../platform/workspaceFiles.ts';
import { isWritable } from '../platform/writableDocuments.ts';
import { cardProblems, problemsOf } from '../../card/cardProblems.ts';
import { replaceWith } from '../../card/edits.ts';
import { schemaProblems } from '../../request/check/schemaProblems.ts';
import { shippedSchema } from '../platform/shippedSchema.ts';

export const cardLanguage = 'a2a-card';

/** Scheme of the cards of agents, as they were read. */
export const cardScheme = 'a2a-card';

export const isCardDocument = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === cardLanguage && isWritable({ uri });

/** True for a recording, which a mock agent plays. */
export const isRecording = ({ uri }: vscode.TextDocument): boolean => uri.path.endsWith(recordingSuffix);

/**
 * The card document of a menu, or that of the active editor.
 * @param isMeant which documents the command is for
 */
export async function cardDocument(
  argument: unknown,
  isMeant: (document: vscode.TextDocument) => boolean = isCardDocument,
): Promise<vscode.TextDocument> {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  // A recording that is shown as a conversation has no text editor.
  const uri = argument instanceof vscode.Uri ? argument : input instanceof vscode.TabInputCustom ? input.uri : undefined;
  const document = uri === undefined ? vscode.window.activeTextEditor?.document : await openPickedFile(uri);
  if (document !== undefined && isMeant(document)) return document;
  throw new Problem('no-card-document', sentence('This is not an agent card.'), {
    nextStep: sentence('Open a file such as agent-card.json or harbour.agent-card.json.'),
  });
}

/** Problems that the schema of cards finds. */
async function cardSchemaProblems({ root }: CardText): Promise<readonly CardProblem[]> {
  const { if: schema = {} } = await shippedSchema('agent-card.json');
  return schemaProblems(root, schema).map(({ code, range, sentence: what, alternatives }) => ({
    code,
    range,
    severity: 'error',
    // In the words of the conformance check.
    sentence: code === 'missing-key' ? sentence('{0} is missing.', what.args[1]!) : what,
    fixes: (alternatives ?? []).map(right => ({
      title: sentence('Change to "{0}"', right),
      edits: replaceWith({ ...range, type: 'string' }, right),
    })),
  }));
}

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly card: CardText | undefined }>();
const looked = new WeakMap<CardText, readonly CardProblem[]>();

/** The card in a document, parsed once per document version: the preview and the checks both ask for it after every keystroke. */
export function cardTextOf(document: vscode.TextDocument): CardText | undefined {
  const known = read.get(document);
  if (known?.version === document.version) return known.card;
  const card = readCardText(document.getText());
  read.set(document, { version: document.version, card });
  return card;
}

/** The problems of a card, computed once per document version. */
export async function cardProblemsOf(document: vscode.TextDocument): Promise<readonly CardProblem[]> {
  const card = cardTextOf(document);
  if (card === undefined) return cardProblems(document.getText());
  const known = looked.get(card);
  if (known !== undefined) return known;
  const problems = [...problemsOf(card), ...(await cardSchemaProblems(card))];
  looked.set(card, problems);
  return problems;
}

/**
 * The complete JSON of a card document.
 * @throws Problem if it is not complete JSON, or is too large to be parsed whole
 */
export function completeCardOf(document: vscode.TextDocument): unknown {
  const card = cardTextOf(document);
  if (card !== undefined && card.omitted.length > 0) {
    throw new Problem('card-too-large', sentence('This card is too large to be read whole.'), {
      nextStep: sentence('The Problems view shows where reading it stops. Shorten it there.'),
    });
  }
  const value = card && cardValue(card);
  if (value !== undefined) return value;
  throw new Problem('incomplete-card', sentence('This card is not complete JSON yet.'), {
    nextStep: sentence('Correct what is underlined and try again.'),
  });
}

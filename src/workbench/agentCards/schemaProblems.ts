import type * as vscode from 'vscode';
import type { CardProblem } from '../../card/cardProblem.ts';
import type { CardText } from '../../card/cardText.ts';
import { replaceWith } from '../../card/edits.ts';
import { sentence } from '../../protocol/problem.ts';
import { schemaProblems } from '../../request/check/schemaProblems.ts';
import { shippedSchema } from '../platform/shippedSchema.ts';

/** The names for which VS Code's JSON support has the schema of cards: the manifest's `jsonValidation`. */
const named = /\/(?:\.well-known\/agent|(?:[^/]*\.)?agent-card|[^/]*\.agentcard)\.json$/;

/** What does not fit the schema in a card of any other name, with the severity that VS Code gives it. Nothing where VS Code tells of it itself. */
export async function cardSchemaProblems({ uri }: vscode.TextDocument, { root }: CardText): Promise<readonly CardProblem[]> {
  if (named.test(`/${uri.path}`)) return [];
  return schemaProblems(root, await shippedSchema('agent-card.json')).map(({ code, range, sentence: what, alternatives }) => ({
    code,
    range,
    severity: 'warning',
    sentence: what,
    fixes: (alternatives ?? []).map(right => ({
      title: sentence('Change to "{0}"', right),
      edits: replaceWith({ ...range, type: 'string' }, right),
    })),
  }));
}

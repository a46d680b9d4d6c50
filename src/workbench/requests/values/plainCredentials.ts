import * as vscode from 'vscode';
import { originsOfHeaders } from '../../../model/agents/agentHeaders.ts';
import type { SecretOrigins } from '../../../model/agents/secretOrigins.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { plainCredential, type PlainCredential } from '../../../request/template/plainCredential.ts';
import { memberOf, membersOf, rangeOf, valueOf } from '../../../request/text/jsonNode.ts';
import { jsoncTree } from '../../../request/text/syntaxErrors.ts';
import type { TextRange } from '../../../request/text/textRange.ts';
import type { Secrets } from './secrets.ts';
import { readEntry } from '../../platform/agentEntry.ts';
import { DocumentDiagnostics, rangeIn, type DocumentProblem } from '../../platform/documentDiagnostics.ts';
import { type Node, nodeOf } from '../../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../../platform/commands.ts';
import { placeOfAgent } from '../../platform/settings.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';

/** Maximum number of credentials that are pointed out in one file. */
const maxFound = 100;

interface FoundCredential extends PlainCredential {
  readonly agent: string;
  readonly header: string;
  /** Range of the value, with its quotes. */
  readonly range: TextRange;
  /** The agent's entry, not checked. */
  readonly entry: unknown;
}

/** The credentials in plain text among the headers of the setting `a2a.agents` in a settings file or a workspace file. */
function credentialsIn(document: vscode.TextDocument): readonly FoundCredential[] {
  const { root } = jsoncTree(document.getText());
  const settings = document.uri.path.endsWith('.code-workspace') ? memberOf(root, 'settings')?.value : root;
  return membersOf(memberOf(settings, 'a2a.agents')?.value)
    .flatMap(({ name: agent, value: entry }) =>
      membersOf(memberOf(entry, 'headers')?.value).flatMap(({ name: header, value }): FoundCredential[] => {
        if (entry === undefined || value?.type !== 'string') return [];
        const plain = plainCredential(header, String(value.value));
        return plain === undefined ? [] : [{ ...plain, agent, header, range: rangeOf(value), entry: valueOf(entry) }];
      }),
    )
    .slice(0, maxFound);
}

/** The user's settings, those of a folder, and workspace files. */
const pattern = '**/{settings.json,*.code-workspace}';

const isSettings = ({ uri }: vscode.TextDocument): boolean => /(?:\/settings\.json|\.code-workspace)$/.test(uri.path);

/** Points out credentials in settings files. */
export function settingsDiagnostics(): vscode.Disposable {
  return vscode.Disposable.from(
    new DocumentDiagnostics({
      includes: isSettings,
      problems: document =>
        (document.getText().includes('a2a.agents') ? credentialsIn(document) : []).map(
          ({ header, range }): DocumentProblem => ({
            code: 'plain-credential',
            range,
            severity: 'information',
            sentence: sentence('The header {0} has a credential in plain text. It can be kept in the keychain instead.', header),
          }),
        ),
    }),
    vscode.languages.registerCodeActionsProvider(
      { pattern },
      { provideCodeActions: fixesFor },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

const fixesFor = (document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] =>
  credentialsIn(document)
    .filter(found => rangeIn(document, found.range).intersection(range) !== undefined)
    .map(({ agent, header }) => {
      const action = new vscode.CodeAction(vscode.l10n.t('Move to the Keychain'), vscode.CodeActionKind.QuickFix);
      action.isPreferred = true;
      action.command = {
        command: 'a2a.moveToKeychain',
        title: action.title,
        arguments: [document.uri.toString(), agent, header],
      };
      return action;
    });

/** Stores the credentials, then writes their names in their place: nothing else of the file changes. Rejects with a `Problem`. */
async function moved(
  document: vscode.TextDocument,
  found: readonly FoundCredential[],
  { secrets, origins }: { readonly secrets: Secrets; readonly origins: SecretOrigins },
): Promise<void> {
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  const made: string[] = [];
  for (const { agent, header, scheme, credential, range, entry } of found) {
    const { name, isNew } = await freeName(secrets, agent, header, credential);
    if (isNew) await secrets.set(name, credential);
    if (isNew) made.push(name);
    // The credential stood beside these addresses: it may go there without a question.
    const { settings } = readEntry(agent, entry);
    if (settings !== undefined)
      origins.bind({ kind: 'secret', key: `secret ${name}`, name, value: credential }, originsOfHeaders(settings));
    edit.replace(document.uri, rangeIn(document, range), JSON.stringify(`${scheme}{{$secret ${name}}}`));
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    for (const name of made) await secrets.delete(name);
    throw new Problem('settings-not-written', sentence('The settings file could not be changed.'), {
      nextStep: sentence('Save or correct the settings file, then try again.'),
    });
  }
  // Unsaved changes are for the person to save.
  const saved = !wasDirty && (await document.save());
  void vscode.window.showInformationMessage(
    escapeLinks(
      saved
        ? vscode.l10n.t('Moved to the keychain. Earlier copies of the file still contain the credential.')
        : vscode.l10n.t('Moved to the keychain. Save the settings file to remove the credential from the disk.'),
    ),
  );
}

/** A name that no other secret has, such as `SAILBOAT_AUTHORIZATION`; that of the same value is used again. */
async function freeName(
  secrets: Secrets,
  agent: string,
  header: string,
  credential: string,
): Promise<{ readonly name: string; readonly isNew: boolean }> {
  const wanted = [agent, header]
    .map(word => word.replaceAll(/[^A-Za-z\d]+/g, '_').replaceAll(/^_+|_+$/g, ''))
    .filter(Boolean)
    .join('_')
    .toUpperCase();
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    const kept = await secrets.get(name);
    if (kept === undefined || kept === credential) return { name, isNew: kept === undefined };
  }
}

/** Moves one credential with the arguments of a quick fix; all of an agent with a row of the tree. */
export function keychainCommand(
  stores: { readonly secrets: Secrets; readonly origins: SecretOrigins },
  selected: () => Node | undefined,
): Pick<CommandHandlers, 'a2a.moveToKeychain'> {
  /** Moves the credentials of an agent, or that of one header. Rejects with a `Problem`. */
  const move = async (document: vscode.TextDocument | undefined, agent: string, header?: unknown): Promise<void> => {
    if (document === undefined || !isSettings(document)) return;
    const found = credentialsIn(document).filter(one => one.agent === agent && (typeof header !== 'string' || one.header === header));
    if (found.length === 0)
      throw new Problem('no-plain-credential', sentence('The settings of "{0}" have no credential in plain text.', agent));
    await moved(document, found, stores);
  };
  return {
    'a2a.moveToKeychain': async (argument, agent, header) => {
      if (typeof argument === 'string' && typeof agent === 'string')
        return move(await vscode.workspace.openTextDocument(vscode.Uri.parse(argument, true)), agent, header);
      const name = nodeOf('agent', argument ?? selected())?.name;
      const place = name === undefined ? undefined : placeOfAgent(name);
      if (place === undefined) throw new Problem('nothing-selected', sentence('Select an agent in the A2A view first.'));
      // Opens the settings file in which it is defined: only VS Code has the path of the user's.
      await vscode.commands.executeCommand('a2a.openAgentSettings', name);
      await move(vscode.window.activeTextEditor?.document, place.name);
    },
  };
}

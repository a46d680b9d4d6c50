import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { writeJson } from '../../request/text/indentJson.ts';
import { previewRequest } from '../../request/resolve/preview.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import type { LanguageContexts } from './language/languageContexts.ts';
import { FileAgents } from './session/fileAgents.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { requestTitle } from '../documents/requestDocuments.ts';
import type { RequestSessions } from './session/requestSessions.ts';
import { requestOf } from './sending/requestTargets.ts';
import type { ImportedFiles } from './values/importedFiles.ts';
import type { Secrets } from './values/secrets.ts';
import { functionHostFor } from './values/workbenchValueSources.ts';
import { codeLanguages } from '../../request/export/languages.ts';
import { requestAsCode, requestAsCurl } from './requestExports.ts';

/** The format of `a2a.copyRequest` that is a command; the others are programs. */
const curlFormat = 'curl';
const copyFormats: readonly (vscode.QuickPickItem & { readonly id: string })[] = [
  { label: 'cURL', id: curlFormat },
  ...Object.entries(codeLanguages).map(([id, { title }]) => ({ label: title, id })),
];

/** `preview`: the text of a document of `previewScheme`. */
type CopyCommands = Pick<CommandHandlers, 'a2a.previewRequest' | 'a2a.copyRequest'>;

/** Commands that show or copy a request as it would be sent. Nothing is sent, and secrets are replaced by placeholders. */
export function copyCommands({
  agents,
  sessions,
  languageContexts,
  imported,
  secrets,
  documents,
  previewScheme,
}: {
  readonly agents: Agents;
  readonly sessions: RequestSessions;
  readonly languageContexts: LanguageContexts;
  readonly imported: ImportedFiles;
  readonly secrets: Secrets;
  readonly documents: ReadOnlyDocuments;
  readonly previewScheme: string;
}): { readonly preview: (key: string) => Promise<string>; readonly commands: CopyCommands } {
  const scoped = async (
    file: unknown,
    key: unknown,
  ): Promise<{ entry: RequestEntry; scope: Scope; agent: string | undefined; uri: vscode.Uri }> => {
    const {
      document,
      entry: { key: wanted },
    } = await requestOf(file, key, languageContexts);
    const { environment, file: read } = await imported.read(document);
    const { values } = environment;
    const session = sessions.peek(document.uri);
    return {
      // Always found: its key is the same with and without variables.
      entry: read.requests.find(one => one.key === wanted)!,
      uri: document.uri,
      agent: session?.agent,
      scope: { file: read, values, functions: functionHostFor(document.uri, secrets), result: key => session?.runs.get(key)?.outcome },
    };
  };
  return {
    preview: async key => {
      const [uri, request] = JSON.parse(key) as [string, string];
      const { entry, scope, agent } = await scoped(uri, request);
      const shown = await previewRequest(entry, scope);
      return `${writeJson({ ...shown, agent: shown['agent'] ?? agent })}\n`;
    },
    commands: {
      'a2a.previewRequest': async (file, key) => {
        const { entry, uri } = await scoped(file, key);
        await documents.open(
          previewScheme,
          vscode.l10n.t('{0} resolved', requestTitle(entry)),
          JSON.stringify([uri.toString(), entry.key]),
          {
            viewColumn: vscode.ViewColumn.Beside,
            preserveFocus: true,
          },
        );
      },
      'a2a.copyRequest': async (file, key, given) => {
        const { entry, scope, agent, uri } = await scoped(file, key);
        const format =
          copyFormats.find(({ id }) => id === given) ??
          (await vscode.window.showQuickPick(copyFormats, { title: vscode.l10n.t('Copy Request As') }));
        if (format === undefined) return;
        const fileAgents = new FileAgents(agents, () => uri);
        const text =
          format.id === curlFormat
            ? await requestAsCurl(entry, scope, fileAgents, agent)
            : await requestAsCode(format.id, entry, scope, fileAgents, agent);
        await vscode.env.clipboard.writeText(text);
        vscode.window.setStatusBarMessage(vscode.l10n.t('Copied "{0}".', escapeIcons(requestTitle(entry))), 4_000);
      },
    },
  };
}

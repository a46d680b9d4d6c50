import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { requestLanguage } from '../documents/requestDocuments.ts';

/**
 * When a cURL command or a JSON-RPC body is pasted into a request file, offers to insert it as a request, or a body with small mistakes
 * repaired. What reads them is loaded with the first text that is pasted.
 */
export function registerPasting(): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider(
    { language: requestLanguage },
    {
      async provideDocumentPasteEdits(document, [range], data) {
        const text = await data.get('text/plain')?.asString();
        return text === undefined ? [] : (await import('./requestImports.ts')).pasteEdits(document, range, text);
      },
    },
    {
      providedPasteEditKinds: ['request', 'body'].map(as => vscode.DocumentDropOrPasteEditKind.Empty.append('a2a', as)),
      pasteMimeTypes: ['text/plain'],
    },
  );
}

/** See `importCommands` of `requestImports.ts`. */
export function loadedImportCommands(
  contexts: AgentContexts,
  activeChat: () => AgentContext | undefined,
): Pick<CommandHandlers, 'a2a.importRequest' | 'a2a.requestFromTask'> {
  const load = async (): Promise<Pick<CommandHandlers, 'a2a.importRequest' | 'a2a.requestFromTask'>> =>
    (await import('./requestImports.ts')).importCommands(contexts, activeChat);
  return {
    'a2a.importRequest': async given => (await load())['a2a.importRequest'](given),
    'a2a.requestFromTask': async argument => (await load())['a2a.requestFromTask'](argument),
  };
}

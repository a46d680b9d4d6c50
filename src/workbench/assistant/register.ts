import * as vscode from 'vscode';
import type { A2AWorkbench } from '../../../api/a2a-workbench.d.ts';
import { openAddress, openPath } from '../../assistant/openAddress.ts';
import type { Place, World } from '../../assistant/world.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { handleAddresses } from '../network/addressHandler.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { log } from '../platform/log.ts';
import { report } from '../platform/report.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import type { FixNeeds } from './fixWithChat.ts';
import { extensionsWithAccess, requireTrust, ToolConsent } from './toolConsent.ts';

interface AssistantNeeds extends Pick<World, 'agents' | 'check' | 'run'>, Pick<FixNeeds, 'runOf'> {
  readonly contexts: AgentContexts;
  /** Names of the tools in the manifest. */
  readonly toolNames: readonly string[];
  readonly workspaceState: vscode.Memento;
  readonly revealAgent: (name: string) => Promise<void>;
  readonly openChat: (context: AgentContext) => Promise<unknown>;
  readonly openExchange: (id: string, context: AgentContext) => Promise<void>;
}

/** Registers the tools for language models; what they take is loaded with the first call. */
export function registerAssistant({
  agents,
  contexts,
  check,
  run,
  runOf,
  toolNames,
  workspaceState,
  revealAgent,
  openChat,
  openExchange,
}: AssistantNeeds) {
  const consent = new ToolConsent(workspaceState);
  const ofExtensions = new Map<string, ToolConsent>();
  const consentOf = (id: string): ToolConsent => {
    const known = ofExtensions.get(id) ?? new ToolConsent(workspaceState, id);
    ofExtensions.set(id, known);
    return known;
  };
  const world: World = {
    client: vscode.env.appName,
    agents,
    contexts,
    consent,
    check,
    run,
    show: ({ agent }) => void revealAgent(agent).catch((error: unknown) => log.debug(String(error))),
    link: place => openAddress(vscode.env.uriScheme, place),
    mask: text => {
      for (const { addressUrl } of agents.all) secretsToMask.addAddress(addressUrl);
      return secretsToMask.mask(text);
    },
    onError: error => log.error(error instanceof Error ? error : String(error)),
  };

  async function open({ agent, context: key, exchange }: Place): Promise<void> {
    if (key === undefined) return revealAgent(agent);
    const context = contexts.get(key);
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    await (exchange === undefined ? openChat(context) : openExchange(exchange, context));
  }
  handleAddresses(({ query }) => {
    const { agent, context, exchange } = Object.fromEntries(new URLSearchParams(query));
    if (agent !== undefined) open({ agent, ...(context && { context }), ...(exchange && { exchange }) }).catch(report);
  }, openPath);

  const tools = toolNames.map(name =>
    vscode.lm.registerTool<object>(name, {
      invoke: async ({ input }, token) => {
        const { callTool } = await import('../../assistant/tools.ts');
        const stopping = new AbortController();
        const stop = token.onCancellationRequested(() => stopping.abort());
        try {
          const text = await callTool(name, input, world, stopping.signal);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        } finally {
          stop.dispose();
        }
      },
    }),
  );
  return {
    dispose: (): void => vscode.Disposable.from(...tools).dispose(),
    api: async (given: string): Promise<A2AWorkbench> => {
      const { id } = vscode.extensions.getExtension(given) ?? {};
      if (id === undefined) throw new Error(`There is no extension ${given}.`);
      const { extensionApi } = await import('../../assistant/extensionApi.ts');
      const own = consentOf(id);
      return extensionApi({
        id,
        world: { ...world, consent: own },
        onDidChange: contexts.onDidChange,
        mayStillRead: () => own.mayStillRead,
        open: async place => {
          requireTrust();
          await open(place);
        },
      });
    },
    commands: {
      'a2a.manageToolAccess': () => manageAccess([consent, ...extensionsWithAccess(workspaceState).map(consentOf)]),
      'a2a.fixWithChat': async argument => {
        const { fixWithChat } = await import('./fixWithChat.ts');
        await fixWithChat(argument, { ...world, contexts, runOf });
      },
    } satisfies Partial<CommandHandlers>,
  };
}

/** Shows what is allowed; what the person selects is forgotten. */
async function manageAccess(consents: readonly ToolConsent[]): Promise<void> {
  const kept = consents.flatMap(each => each.kept);
  if (kept.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No language model tool or other extension has access in this workspace yet. You are asked when one reads or sends.'),
    );
    return;
  }
  const forgotten = await vscode.window.showQuickPick(kept, {
    title: vscode.l10n.t('Access of Language Model Tools and Other Extensions'),
    placeHolder: vscode.l10n.t('Select permissions to remove'),
    canPickMany: true,
  });
  for (const each of forgotten ?? []) await each.forget();
}

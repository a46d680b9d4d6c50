import * as vscode from 'vscode';
import { explained } from '../platform/report.ts';
import type { AgentSessionNeeds } from './agentSession.ts';
import type { AgentDebugAdapter } from './debugAdapter.ts';
import { debugType, launchOf, type Launch } from './launch.ts';
import { otherConfigurations } from './otherConfigurations.ts';

/** Registers the debug type `a2a`; what it takes is loaded with the first session. */
export function registerDebug(needs: AgentSessionNeeds) {
  const read = (configuration: object, folder: vscode.WorkspaceFolder | undefined): Launch => {
    const launch = launchOf(configuration, otherConfigurations(folder), folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined);
    // Throws for an address that is none.
    for (const { url } of launch.agents) needs.agents.at(url);
    return launch;
  };
  const running = new Set<AgentDebugAdapter>();
  const parts = vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(debugType, {
      resolveDebugConfigurationWithSubstitutedVariables: (folder, configuration) => {
        try {
          read(configuration, folder);
          return configuration;
        } catch (error) {
          // VS Code shows it in a dialog with a button that opens launch.json.
          throw new Error(explained(error), { cause: error });
        }
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
      createDebugAdapterDescriptor: async session => {
        const { AgentDebugAdapter } = await import('./debugAdapter.ts');
        const adapter = new AgentDebugAdapter(session, needs, configuration => read(configuration, session.workspaceFolder));
        running.add(adapter);
        return new vscode.DebugAdapterInlineImplementation(adapter);
      },
    }),
    { dispose: () => running.forEach(adapter => adapter.dispose()) },
  );
  return {
    dispose: () => void parts.dispose(),
    commands: {
      'a2a.addLaunchConfiguration': async () => {
        const { addLaunchConfiguration } = await import('./addLaunchConfiguration.ts');
        await addLaunchConfiguration();
      },
    },
  };
}

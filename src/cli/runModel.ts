import { randomUUID } from 'node:crypto';
import { AgentContexts } from '../model/agentContexts.ts';
import { Agents } from '../model/agents.ts';
import type { AgentSettings } from '../model/agentSettings.ts';
import type { Disposable } from '../model/emitter.ts';
import type { RequestModel } from '../model/requestPeer.ts';
import { openStore } from '../store/openStore.ts';
import { agentSettings } from './runAgents.ts';
import type { Terminal } from './terminal.ts';

/** Everything below the workbench, with a history that lives as long as the command. */
export function openRunModel(terminal: Terminal, named: Readonly<Record<string, AgentSettings>>, onError: (error: unknown) => void): RequestModel & Disposable {
  const store = openStore(':memory:');
  const agents = new Agents({ http: terminal.http, onError });
  const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError });
  let settings = named;
  agents.configure(settings);
  return {
    agents: {
      find: name => {
        // The options of the terminal are for agents that a file names by their address, too.
        if (agents.get(name) === undefined && agents.configuredAt(name) === undefined && URL.canParse(name)) {
          settings = { ...settings, [name]: agentSettings(terminal, name) };
          agents.configure(settings);
        }
        return agents.find(name);
      },
    },
    contexts,
    dispose: () => {
      contexts.dispose();
      agents.dispose();
      store.close();
    },
  };
}
